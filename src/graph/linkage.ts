import { pairOdds, isBefore } from './next-chapter.ts'
import type { Step } from './chapters.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'

type Rules = Pick<GraphRules, 'chapter' | 'linkage'>

/**
 * The steps that hold threads together, of stories that hang together by the steps each of them takes: average linkage
 * over all pairs. The two groups whose pairs score most on average are joined first, as long as that is enough; each
 * such join is a step between the two stories of them that score most, and its score is the average. The same in
 * whatever order the stories and the steps are given.
 */
export const bondsOf = (stories: readonly GraphStory[], steps: readonly Step[], rules: Rules): readonly Step[] =>
  portions(stories, steps, rules.linkage.mostStories).flatMap((some) => joined(some, rules))

/** Parts of at most so many stories: the weakest steps are cut where all together are more. Each in order of time. */
function portions(stories: readonly GraphStory[], steps: readonly Step[], most: number): readonly GraphStory[][] {
  const partOf = new Map(stories.map((story) => [story.cluster_id, [story]]))
  for (const { from, to } of [...steps].sort(bySurety)) {
    const [one, other] = [partOf.get(from.cluster_id), partOf.get(to.cluster_id)]
    if (one === undefined || other === undefined || one === other || one.length + other.length > most) continue
    const [large, small] = one.length < other.length ? [other, one] : [one, other]
    for (const story of small) {
      large.push(story)
      partOf.set(story.cluster_id, large)
    }
  }
  return [...new Set(partOf.values())].filter((part) => part.length > 1).map((part) => part.sort(byTime))
}

const bySurety = (a: Step, b: Step): number => b.score - a.score || (a.to.cluster_id < b.to.cluster_id ? -1 : 1)

const byTime = (a: GraphStory, b: GraphStory): number => (isBefore(a, b) ? -1 : 1)

/** What the pairs of two groups come to. */
interface Between {
  /** Sum of the scores of the pairs that are near enough in time. */
  sum: number
  /** Number of these pairs. */
  pairs: number
  /** The pair that scores most, and its score. */
  best: { readonly score: number; readonly from: number; readonly to: number }
}

/** Groups under the number of their first story: `table[one][other]`, `one` below `other`. */
function joined(stories: readonly GraphStory[], rules: Rules): readonly Step[] {
  const table = stories.map((story, i) =>
    stories.map((other, j) => (i < j ? between([story, i], [other, j], rules) : null)),
  )
  const at = (a: number, b: number): Between | null => table[Math.min(a, b)]?.[Math.max(a, b)] ?? null
  const groups = stories.map((_, i) => i)
  const bonds: Step[] = []
  for (;;) {
    const next = surest(groups, at)
    if (next === null || next.average < rules.linkage.least) return bonds
    const { one, other, average, best } = next
    const [from, to] = [stories[best.from], stories[best.to]]
    if (from !== undefined && to !== undefined) bonds.push({ from, to, score: average })
    groups.splice(groups.indexOf(other), 1)
    for (const third of groups) add(at(one, third), at(other, third))
  }
}

function between([a, i]: readonly [GraphStory, number], [b, j]: readonly [GraphStory, number], rules: Rules): Between {
  const odds = pairOdds(a, b, { rules, mostSilenceMs: rules.linkage.mostApartMs })
  const score = odds === null ? -Infinity : Math.max(rules.linkage.floor, odds)
  return { ...(odds === null ? { sum: 0, pairs: 0 } : { sum: score, pairs: 1 }), best: { score, from: i, to: j } }
}

/** `to` takes in what `more` has. */
function add(to: Between | null, more: Between | null): void {
  if (to === null || more === null) return
  to.sum += more.sum
  to.pairs += more.pairs
  if (more.best.score > to.best.score) to.best = more.best
}

interface Join {
  readonly one: number
  readonly other: number
  readonly average: number
  readonly best: Between['best']
}

/** The two groups with the highest average; of several the earliest. Null: no two have a pair near enough in time. */
function surest(groups: readonly number[], at: (a: number, b: number) => Between | null): Join | null {
  let found: Join | null = null
  for (const [i, one] of groups.entries()) {
    for (const other of groups.slice(i + 1)) {
      const pair = at(one, other)
      if (pair === null || pair.pairs === 0) continue
      const average = pair.sum / pair.pairs
      if (found === null || average > found.average) found = { one, other, average, best: pair.best }
    }
  }
  return found
}
