import { ascending } from './change.ts'
import { pairOdds, isBefore, chance } from './next-chapter.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory, Link } from './story.ts'
import { at } from './token-sets.ts'
import { pairOf, type StoryPair } from './join.ts'

type Rules = Pick<GraphRules, 'chapter' | 'linkage'>

/** Returns the bonds (steps that hold threads together) of stories that are connected by `steps`. */
export type Linkage = (stories: readonly GraphStory[], steps: Iterable<ChapterStep>) => readonly ChapterStep[]

/**
 * Average linkage over all pairs: joins the two groups with the highest average score first, as long as the average is
 * at least `rules.linkage.least`. Each join becomes a step between the two stories whose pair scores highest. The
 * step's score is the average minus `least`, so its confidence is at least 0.5.
 *
 * The result does not depend on the order of the stories and steps. Scores are cached by story object, so only changed
 * stories are scored again; a part without changes keeps its steps.
 */
export function averageLinkage(rules: Rules): Linkage {
  const partOf: PartOf = new WeakMap()
  return (stories, steps) =>
    partsOf(stories, steps, rules.linkage.mostStories).flatMap((some) => cachedPart(some, partOf, rules).bonds)
}

/** Stories that were compared with each other, in order of time. */
interface LinkagePart {
  readonly stories: readonly GraphStory[]
  /**
   * float64[stories][stories]: score of each pair, the earlier story first; NaN if the silence between them is too
   * long.
   */
  readonly scores: Float64Array
  readonly bonds: readonly ChapterStep[]
}

/** The part that each story was last in, and its index there. A cache: entries are collected with their stories. */
type PartOf = WeakMap<GraphStory, { readonly part: LinkagePart; readonly at: number }>

function cachedPart(stories: readonly GraphStory[], partOf: PartOf, rules: Rules): LinkagePart {
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
  const cached = stories.map((story) => partOf.get(story))
  for (const [i, a] of stories.entries()) {
    const cachedOne = cached[i]
    for (let j = i + 1; j < size; j++) {
      const [b, other] = [stories[j], cached[j]]
      if (b === undefined) continue
      const known = cachedOne !== undefined && other?.part === cachedOne.part
      scores[i * size + j] = known
        ? score(cachedOne.part.scores, cachedOne.at * cachedOne.part.stories.length + other.at)
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
  steps: Iterable<ChapterStep>,
  most: number,
): readonly GraphStory[][] => (stories.length <= most ? [stories.toSorted(byTime)] : portions(stories, steps, most))

/** Parts of at most `most` stories, each in order of time. If there are more stories, the weakest steps are cut. */
function portions(stories: readonly GraphStory[], steps: Iterable<ChapterStep>, most: number): readonly GraphStory[][] {
  const partOf = new Map(stories.map((story) => [story.cluster_id, [story]]))
  for (const { from, to } of [...steps].sort(byScore)) {
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

const byScore = (a: ChapterStep, b: ChapterStep): number =>
  b.score - a.score || ascending(a.to.cluster_id, b.to.cluster_id) || ascending(a.from.cluster_id, b.from.cluster_id)

const byTime = (a: GraphStory, b: GraphStory): number => (isBefore(a, b) ? -1 : 1)
const score = (scores: Float64Array, cell: number): number => scores[cell] ?? 0

/** Two groups that are joined: their highest-scoring pair, and the average over all their pairs. */
interface Join {
  readonly from: number
  readonly to: number
  readonly average: number
}

/** Totals for each two groups, indexed by the first element of each group, the smaller index first. */
interface Table {
  readonly size: number
  /** float64[size][size]: sum of the scores of the pairs that are not excluded. */
  readonly sums: Float64Array
  /** int32[size][size]: number of these pairs. */
  readonly pairs: Int32Array
  /** float64[size][size]: score of the highest-scoring pair, and int32[size][size]: that pair. */
  readonly best: Float64Array
  readonly bestPair: Int32Array
}

/**
 * Average linkage: joins the two groups with the highest average, the earliest on a tie, while the average is at least
 * `least` (log odds). `scores`: float64[size][size] for the pairs of the elements 0 to `size` - 1, the smaller index first; NaN
 * excludes a pair. Each group stores its nearest later group, so that a join examines few of the pairs.
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
    const next = nearestGroups(groups, nearest)
    if (next === null || next.average < least) return joins
    const { one, other, average } = next
    const pair = at(table.bestPair, one * size + other)
    joins.push({ from: Math.floor(pair / size), to: pair % size, average })
    groups.splice(groups.indexOf(other), 1)
    for (const third of groups) if (third !== one) add(table, cellOf(one, third, size), cellOf(other, third, size))
    updateNearest(table, { groups, nearest, one, other })
  }
}

const cellOf = (a: number, b: number, size: number): number => (a < b ? a * size + b : b * size + a)

/** Adds the totals of cell `more` to cell `to`. */
function add({ sums, pairs, best, bestPair }: Table, to: number, more: number): void {
  sums[to] = score(sums, to) + score(sums, more)
  pairs[to] = at(pairs, to) + at(pairs, more)
  if (score(best, more) <= score(best, to)) return
  best[to] = score(best, more)
  bestPair[to] = at(bestPair, more)
}

/** The group of higher index with the highest average, the first on a tie. */
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

/** The two groups with the highest average, the first on a tie; `null` if no pair is scored. */
function nearestGroups(groups: readonly number[], nearest: readonly (Nearest | null)[]) {
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

/** Updates the nearest groups after `other` was joined to `one`. */
function updateNearest(table: Table, { groups, nearest, one, other }: Joined): void {
  const pointsToJoined = (near: Nearest | null): boolean =>
    near !== null && (near.other === one || near.other === other)
  for (const group of groups) {
    if (group > other) return
    const near = nearest[group] ?? null
    if (group === one || pointsToJoined(near)) nearest[group] = nearestTo(table, group, groups)
    else if (group < one) nearest[group] = nearer(near, nearestTo(table, group, [one]))
  }
}

function nearer(near: Nearest | null, next: Nearest | null): Nearest | null {
  if (near === null || next === null) return near ?? next
  const isNearer = next.average > near.average || (next.average === near.average && next.other < near.other)
  return isNearer ? next : near
}

/** A step from an earlier story to a later story that continues it. */
export interface ChapterStep {
  readonly from: GraphStory
  readonly to: GraphStory
  /** Log odds. */
  readonly score: number
}

/** The step from the earlier to the later story of a pair; `null` if neither clearly continues the other. */
export function stepOf({ one, other, next }: StoryPair): ChapterStep | null {
  if (next === null) return null
  return isBefore(one, other) ? { from: one, to: other, score: next } : { from: other, to: one, score: next }
}

/** The `evolved_into` link of a step: the earlier story has evolved into the later. */
export const linkOfStep = ({ from, to, score }: ChapterStep): Link => ({
  source: from.cluster_id,
  target: to.cluster_id,
  type: 'evolved_into',
  directed: true,
  confidence: chance(score),
  shared_entities: pairOf(from, to, { confidence: 0, next: score }).shared_entities,
})
