import { ascending } from './change.ts'
import { pairOdds, isBefore, chance } from './next-chapter.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory, Link } from './story.ts'
import { at } from './token-sets.ts'
import { pairOf, type StoryPair } from './join.ts'

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

/** Parts of at most `most` stories: the weakest steps are cut where all together are more. Each in order of time. */
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
const score = (scores: Float64Array, cell: number): number => scores[cell] ?? 0

/** Two groups that become one: the pair of theirs that scores most, and the average of all their pairs. */
interface Join {
  readonly from: number
  readonly to: number
  readonly average: number
}

/** What each two groups come to, under the numbers of their first elements, the smaller one first. */
interface Table {
  readonly size: number
  /** float64[size][size]: sum of the scores of the pairs that count. */
  readonly sums: Float64Array
  /** int32[size][size]: number of these pairs. */
  readonly pairs: Int32Array
  /** float64[size][size]: score of the pair that scores most, and int32[size][size]: which pair that is. */
  readonly best: Float64Array
  readonly bestPair: Int32Array
}

/**
 * Average linkage: the joins of the two groups with the highest average, of several the earliest, as long as it is `least`
 * or more. `scores`: float64[size][size] of the pairs of the elements 0 to `size` - 1, the smaller number first; NaN: the
 * pair does not count. Each group keeps its nearest later one, so that a join looks at few of all pairs.
 */
function averageJoins(scores: Float64Array, size: number, least: number): readonly Join[] {
  const table: Table = {
    size,
    sums: scores.map((score) => (Number.isNaN(score) ? 0 : score)),
    pairs: Int32Array.from(scores, (score) => (Number.isNaN(score) ? 0 : 1)),
    best: scores.map((score) => (Number.isNaN(score) ? -Infinity : score)),
    bestPair: Int32Array.from(scores, (_, cell) => cell),
  }
  const groups = Array.from({ length: size }, (_, i) => i)
  const nearest = groups.map((one) => nearestTo(table, one, groups))
  const joins: Join[] = []
  for (;;) {
    const next = surest(groups, nearest)
    if (next === null || next.average < least) return joins
    const { one, other, average } = next
    const pair = at(table.bestPair, one * size + other)
    joins.push({ from: Math.floor(pair / size), to: pair % size, average })
    groups.splice(groups.indexOf(other), 1)
    for (const third of groups) if (third !== one) add(table, cellOf(one, third, size), cellOf(other, third, size))
    refresh(table, { groups, nearest, one, other })
  }
}

const cellOf = (a: number, b: number, size: number): number => (a < b ? a * size + b : b * size + a)

/** The cell `to` takes in what the cell `more` has. */
function add({ sums, pairs, best, bestPair }: Table, to: number, more: number): void {
  sums[to] = score(sums, to) + score(sums, more)
  pairs[to] = at(pairs, to) + at(pairs, more)
  if (score(best, more) <= score(best, to)) return
  best[to] = score(best, more)
  bestPair[to] = at(bestPair, more)
}

/** A group's nearest one of those with a higher number, of several the first. */
interface Nearest {
  readonly other: number
  readonly average: number
}

function nearestTo({ size, sums, pairs }: Table, one: number, groups: readonly number[]): Nearest | null {
  let [found, highest] = [-1, -Infinity]
  for (const other of groups) {
    const cell = one * size + other
    if (other <= one || at(pairs, cell) === 0) continue
    const average = score(sums, cell) / at(pairs, cell)
    if (average > highest) [found, highest] = [other, average]
  }
  return found === -1 ? null : { other: found, average: highest }
}

/** The two groups that are nearest of all, of several the first; `null` when no two have a pair that counts. */
function surest(groups: readonly number[], nearest: readonly (Nearest | null)[]) {
  let found: (Nearest & { readonly one: number }) | null = null
  for (const one of groups) {
    const near = nearest[one] ?? null
    if (near !== null && near.average > (found?.average ?? -Infinity)) found = { ...near, one }
  }
  return found
}

interface Joined {
  readonly groups: readonly number[]
  readonly nearest: (Nearest | null)[]
  readonly one: number
  readonly other: number
}

/** Brings the nearest groups up to date after `one` took in `other`. */
function refresh(table: Table, { groups, nearest, one, other }: Joined): void {
  const wasNear = (near: Nearest | null): boolean => near !== null && (near.other === one || near.other === other)
  for (const group of groups) {
    if (group > other) return
    const near = nearest[group] ?? null
    if (group === one || wasNear(near)) nearest[group] = nearestTo(table, group, groups)
    else if (group < one) nearest[group] = nearer(near, nearestTo(table, group, [one]))
  }
}

function nearer(near: Nearest | null, next: Nearest | null): Nearest | null {
  if (near === null || next === null) return near ?? next
  const isNearer = next.average > near.average || (next.average === near.average && next.other < near.other)
  return isNearer ? next : near
}

/** A story, and an earlier story that it goes on with. */
export interface ChaptersStep {
  readonly from: GraphStory
  readonly to: GraphStory
  /** Log odds. */
  readonly score: number
}

/** From the earlier to the later story of a pair; `null` when neither surely goes on with the other. */
export function stepOf({ one, other, next }: StoryPair): ChaptersStep | null {
  if (next === null) return null
  return isBefore(one, other) ? { from: one, to: other, score: next } : { from: other, to: one, score: next }
}

/** The `evolved_into` link of a step: the earlier story has evolved into the later. */
export const linkOfStep = ({ from, to, score }: ChaptersStep): Link => ({
  source: from.cluster_id,
  target: to.cluster_id,
  type: 'evolved_into',
  directed: true,
  confidence: chance(score),
  shared_entities: pairOf(from, to, { confidence: 0, next: score }).shared_entities,
})
