import type { GraphStory } from './story.ts'

/** Stories as sets of integers in typed arrays, which makes comparing a hundred thousand stories feasible. */
export interface TokenSets {
  /** By weight, the lightest first, without stories that share too few entities with any other. */
  readonly stories: readonly GraphStory[]
  /** int32[stories]: total weight of each story's entities. */
  readonly totals: Int32Array
  /** int32[stories + 1]: start of each story's tokens; the last element is the end of all tokens. */
  readonly starts: Int32Array
  /**
   * int32[tokens]: rank of an entity, lowest for the rarest; ascending within a story. An entity that only one story
   * names is left out, since it is never shared.
   */
  readonly tokens: Int32Array
  /** int32[tokens]: weight of this token and all after it in its story. */
  readonly rest: Int32Array
  /** int32[entities]: weight by rank. */
  readonly weights: Int32Array
}

/** Reads an element of a typed array. The caller must stay within bounds. */
export const at = (values: Int32Array, i: number): number => values[i] ?? 0

export function tokenSets(all: readonly GraphStory[], least: number): TokenSets {
  const read = numbered(all)
  const ranks = rarestFirst(read.counts)
  const tokens = new Int32Array(read.seen.length)
  const starts = [0]
  const stories: GraphStory[] = []
  const totals: number[] = []
  for (const i of lightestFirst(read.totals)) {
    const story = all[i]
    const from = starts[stories.length] ?? 0
    const to = copyShared(read, { from: at(read.starts, i), to: at(read.starts, i + 1), ranks }, tokens.subarray(from))
    if (story === undefined || to < least) continue
    starts.push(from + to)
    stories.push(story)
    totals.push(at(read.totals, i))
  }
  const weights = new Int32Array(ranks.length)
  for (const [entity, weight] of read.weights.entries()) weights[at(ranks, entity)] = weight
  const sets = { starts: Int32Array.from(starts), tokens: tokens.subarray(0, starts[stories.length]) }
  return { ...sets, stories, totals: Int32Array.from(totals), rest: restOf(sets, weights), weights }
}

interface TokenSetsSpan {
  readonly from: number
  readonly to: number
  /** int32[entities]: rank by entity number. */
  readonly ranks: Int32Array
}

/** Writes the ranks of a story's entities that another story also names, ascending; returns their number. */
function copyShared({ seen, counts }: Numbered, { from, to, ranks }: TokenSetsSpan, tokens: Int32Array): number {
  let filled = 0
  for (let i = from; i < to; i++) {
    const entity = at(seen, i)
    if ((counts[entity] ?? 0) > 1) tokens[filled++] = at(ranks, entity)
  }
  tokens.subarray(0, filled).sort()
  return filled
}

function restOf({ starts, tokens }: Pick<TokenSets, 'starts' | 'tokens'>, weights: Int32Array): Int32Array {
  const rest = new Int32Array(tokens.length)
  for (let story = starts.length - 2; story >= 0; story--) {
    const from = at(starts, story)
    for (let i = at(starts, story + 1) - 1, sum = 0; i >= from; i--) rest[i] = sum += at(weights, at(tokens, i))
  }
  return rest
}

function lightestFirst(totals: Int32Array): readonly number[] {
  const byWeight: number[][] = []
  for (const [story, total] of totals.entries()) (byWeight[total] ??= []).push(story)
  return byWeight.flat()
}

type Numbered = ReturnType<typeof numbered>

/** Reads the story objects once; everything after this works on numbers. */
function numbered(stories: readonly GraphStory[]) {
  /** int32[stories + 1]: start of each story's entities in `seen`. */
  const starts = new Int32Array(stories.length + 1)
  for (const [i, { entities }] of stories.entries()) starts[i + 1] = at(starts, i) + entities.length
  /** int32: entity numbers, in the order of the stories. */
  const seen = new Int32Array(at(starts, stories.length))
  /** int32[stories]: total weight of each story's entities. */
  const totals = new Int32Array(stories.length)
  const numbers = new Map<string, number>()
  /** By entity number: how many stories name it, and its weight. */
  const [counts, weights]: [number[], number[]] = [[], []]
  let filled = 0
  for (const [i, { entities }] of stories.entries()) {
    for (const { entity_id, weight } of entities) {
      let number = numbers.get(entity_id)
      if (number === undefined) {
        number = counts.push(0) - 1
        numbers.set(entity_id, number)
        weights.push(weight)
      }
      counts[number] = (counts[number] ?? 0) + 1
      totals[i] = at(totals, i) + weight
      seen[filled++] = number
    }
  }
  return { starts, seen, totals, counts, weights }
}

/** int32[entities]: rank by entity number. */
function rarestFirst(counts: readonly number[]): Int32Array {
  // Packs count and number into one float: sorting numbers is many times faster than sorting objects.
  const keys = new Float64Array(counts.length)
  for (const [number, count] of counts.entries()) keys[number] = count * counts.length + number
  keys.sort()
  const ranks = new Int32Array(counts.length)
  for (const [rank, key] of keys.entries()) ranks[key % counts.length] = rank
  return ranks
}

/** Tolerance for rounding errors. Weights are integers, so a sum this close to a bound is equal to it. */
export const SLACK = 1e-9

/** Pairs of a story's tokens that can be the first two it shares with another story. The buffers are reused. */
export interface EarlyPairs {
  /** Number of pairs of the current story. */
  count: number
  /** Bits per slot. */
  bits: number
  /** int32: slot of each pair, `bits` bits wide. Different pairs may share a slot; a comparison distinguishes them. */
  readonly slots: Int32Array
  /** int32: weight of each pair. */
  readonly weights: Int32Array
  /** int32: weight of the story's tokens after each pair. */
  readonly rest: Int32Array
}

const slotOf = (x: number, y: number, bits: number): number =>
  Math.imul(Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b), 0xc2b2ae35) >>> (32 - bits)

export function emptyEarlyPairs({ starts, stories }: TokenSets): EarlyPairs {
  let longest = 0
  for (let i = 0; i < stories.length; i++) longest = Math.max(longest, at(starts, i + 1) - at(starts, i))
  const room = (): Int32Array => new Int32Array((longest * longest) / 2)
  return { count: 0, bits: 1, slots: room(), weights: room(), rest: room() }
}

interface Early {
  readonly story: number
  /** Share of the story's weight that the other story must share, 0 to 1. */
  readonly share: number
  /** Minimum number of shared entities, counted from the first of the pair. */
  readonly least: number
}

export function findEarlyPairs(sets: TokenSets, { story, share, least }: Early, earlyPairs: EarlyPairs): void {
  const { starts, tokens, rest, weights, totals } = sets
  const from = at(starts, story)
  const to = at(starts, story + 1)
  const needed = share * at(totals, story) - SLACK
  earlyPairs.count = 0
  for (let i = from; i <= to - least && at(rest, i) >= needed; i++) {
    const x = at(tokens, i)
    const after = needed - at(weights, x)
    for (let j = i + 1; j <= to - least + 1 && at(rest, j) >= after; j++) {
      const y = at(tokens, j)
      earlyPairs.slots[earlyPairs.count] = slotOf(x, y, earlyPairs.bits)
      earlyPairs.weights[earlyPairs.count] = at(weights, x) + at(weights, y)
      earlyPairs.rest[earlyPairs.count++] = at(rest, j) - at(weights, y)
    }
  }
}
