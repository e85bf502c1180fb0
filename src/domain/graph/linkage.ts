import { ascending } from './change.ts'
import { averageJoins, score } from './joins.ts'
import { pairOdds, isBefore } from './next-chapter.ts'
import type { ChaptersStep } from './chapters.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'

type Rules = Pick<GraphRules, 'chapter' | 'linkage'>

/** Of stories that all hang together by the steps between them: the steps that hold threads together. */
export type Linkage = (stories: readonly GraphStory[], steps: Iterable<ChaptersStep>) => readonly ChaptersStep[]

/**
 * Average linkage over all pairs: the two groups whose pairs score most on average are joined first, as long as that is
 * enough; each such join is a step between the two stories of them that score most, and its score is how far the average is above
 * what is enough, so that the least confidence is 0.5. The
 * same in whatever order the stories and the steps are given. Scores are kept for stories that are the same object, so
 * that a changed story is scored again and the others are not; a part without a change keeps its steps.
 */
export function averageLinkage(rules: Rules): Linkage {
  const partOf: PartOf = new WeakMap()
  return (stories, steps) =>
    partsOf(stories, steps, rules.linkage.mostStories).flatMap((some) => keptPart(some, partOf, rules).bonds)
}

/** Stories that were compared with each other, in order of time. */
interface LinkagePart {
  readonly stories: readonly GraphStory[]
  /** float64[stories][stories]: score of each pair, the earlier one first; NaN: too long a silence. */
  readonly scores: Float64Array
  readonly bonds: readonly ChaptersStep[]
}

/** The last part each story was in, and its number there. A cache: it goes when its stories do. */
type PartOf = WeakMap<GraphStory, { readonly part: LinkagePart; readonly at: number }>

function keptPart(stories: readonly GraphStory[], partOf: PartOf, rules: Rules): LinkagePart {
  const known = stories[0] === undefined ? undefined : partOf.get(stories[0])?.part
  if (known?.stories.length === stories.length && known.stories.every((story, i) => story === stories[i])) return known
  const scores = scoresOf(stories, partOf, rules)
  const bonds = averageJoins(scores, stories.length, rules.linkage.least).flatMap(({ from, to, average }) => {
    const [one, other] = [stories[from], stories[to]]
    return one === undefined || other === undefined
      ? []
      : [{ from: one, to: other, score: average - rules.linkage.least }]
  })
  const part = { stories, scores, bonds }
  for (const [i, story] of stories.entries()) partOf.set(story, { part, at: i })
  return part
}

function scoresOf(stories: readonly GraphStory[], partOf: PartOf, rules: Rules): Float64Array {
  const size = stories.length
  const scores = new Float64Array(size * size).fill(Number.NaN)
  const were = stories.map((story) => partOf.get(story))
  for (const [i, a] of stories.entries()) {
    const was = were[i]
    for (let j = i + 1; j < size; j++) {
      const [b, other] = [stories[j], were[j]]
      if (b === undefined) continue
      const known = was !== undefined && other?.part === was.part
      scores[i * size + j] = known
        ? score(was.part.scores, was.at * was.part.stories.length + other.at)
        : scoreOf(a, b, rules)
    }
  }
  return scores
}

function scoreOf(a: GraphStory, b: GraphStory, rules: Rules): number {
  const odds = pairOdds(a, b, { rules, mostSilenceMs: rules.linkage.mostApartMs })
  return odds === null ? Number.NaN : Math.max(rules.linkage.floor, odds)
}

const partsOf = (
  stories: readonly GraphStory[],
  steps: Iterable<ChaptersStep>,
  most: number,
): readonly GraphStory[][] => (stories.length <= most ? [stories.toSorted(byTime)] : portions(stories, steps, most))

/** Parts of at most so many stories: the weakest steps are cut where all together are more. Each in order of time. */
function portions(
  stories: readonly GraphStory[],
  steps: Iterable<ChaptersStep>,
  most: number,
): readonly GraphStory[][] {
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

const bySurety = (a: ChaptersStep, b: ChaptersStep): number =>
  b.score - a.score || ascending(a.to.cluster_id, b.to.cluster_id) || ascending(a.from.cluster_id, b.from.cluster_id)

const byTime = (a: GraphStory, b: GraphStory): number => (isBefore(a, b) ? -1 : 1)
