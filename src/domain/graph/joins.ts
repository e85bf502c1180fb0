import { at } from './token-sets.ts'

export const score = (scores: Float64Array, cell: number): number => scores[cell] ?? 0

/** Two groups that become one: the pair of theirs that scores most, and the average of all their pairs. */
export interface Join {
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
export function averageJoins(scores: Float64Array, size: number, least: number): readonly Join[] {
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

/** The two groups that are nearest of all, of several the first. Null: no two have a pair that counts. */
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
