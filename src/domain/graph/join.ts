import type { GraphRules } from './rules.ts'
import { chapterScore } from './next-chapter.ts'
import type { GraphStory } from './story.ts'
import { at, tokenSets, type TokenSets, findEarlyPairs, emptyEarlyPairs, SLACK, type EarlyPairs } from './token-sets.ts'

/** Two stories that share enough entities, or of which one may continue the other. */
export interface StoryPair {
  /** The story with the smaller id. */
  readonly one: GraphStory
  readonly other: GraphStory
  /** Weight of the shared entities divided by the weight of all entities of both: a quotient of two integers. */
  readonly confidence: number
  /** Ids, ascending. */
  readonly shared_entities: readonly string[]
  /** Log odds that one continues the other; `null` below the threshold. */
  readonly next: number | null
}

/**
 * Finds every pair that shares enough entities; the search is exact.
 *
 * A pair with confidence t shares at least t of each story's weight, and 2t / (1 + t) of the lighter story's weight.
 * The entities of every story are sorted the same way, the rarest first, so the first two shared entities come early:
 * together with what follows them they must reach this weight. Each story is indexed under all such early pairs of
 * entities and looks up its own. Frequent entities come last and therefore produce no candidates.
 */
export function joinAll(stories: readonly GraphStory[], rules: GraphRules): StoryPair[] {
  const { confidence: t, least } = rules.candidate
  if (least < 2) throw new RangeError(`stories are joined by two shared entities or more, not ${least}`)
  const sets = tokenSets(stories, least)
  const earlyPairs = emptyEarlyPairs(sets)
  const index = emptyIndex(sets, rules, earlyPairs)
  const seen = new Int32Array(sets.stories.length).fill(-1)
  const pairs: StoryPair[] = []
  const found: number[] = [] // one list, reused for every story

  // Lightest first: an indexed story is never heavier than the story that is looked up.
  for (let story = 0; story < sets.stories.length; story++) {
    findEarlyPairs(sets, { story, share: t, least }, earlyPairs)
    for (const other of candidatesFor(index, { earlyPairs, total: at(sets.totals, story), t }, found)) {
      if (at(seen, other) === story) continue
      seen[other] = story
      const pair = compare(sets, [other, story], rules)
      if (pair !== null) pairs.push(pair)
    }
    findEarlyPairs(sets, { story, share: (2 * t) / (1 + t), least }, earlyPairs)
    add(index, { story, total: at(sets.totals, story), earlyPairs })
  }
  return pairs
}

/** An index of stories by the slots of their early pairs of tokens, with one chain per slot. */
interface SlotIndex {
  /** int32[2^bits]: start of each slot's chain in `links`; -1 if the slot is empty. */
  readonly heads: Int32Array
  /** int32[pairs][4]: story, next entry of the chain, the story's total weight, weight of its tokens after the pair. */
  readonly links: Int32Array
  filled: number
}

const LINK = 4

/** More than twice as many slots as entries, which keeps the chains short. */
const bitsFor = (size: number): number => Math.min(24, Math.ceil(Math.log2(size + 1)) + 1)

/** Also sets `twos.bits` to fit the size of the index. */
function emptyIndex(
  sets: TokenSets,
  { candidate: { confidence: t, least } }: GraphRules,
  earlyPairs: EarlyPairs,
): SlotIndex {
  let size = 0
  for (let story = 0; story < sets.stories.length; story++) {
    findEarlyPairs(sets, { story, share: (2 * t) / (1 + t), least }, earlyPairs)
    size += earlyPairs.count
  }
  earlyPairs.bits = bitsFor(size)
  return { heads: new Int32Array(2 ** earlyPairs.bits).fill(-1), links: new Int32Array(size * LINK), filled: 0 }
}

interface IndexedPairs {
  readonly story: number
  readonly total: number
  readonly earlyPairs: EarlyPairs
}

function add(index: SlotIndex, { story, total, earlyPairs }: IndexedPairs): void {
  const { heads, links } = index
  for (let i = 0; i < earlyPairs.count; i++) {
    const slot = at(earlyPairs.slots, i)
    const entry = index.filled
    links[entry] = story
    links[entry + 1] = at(heads, slot)
    links[entry + 2] = total
    links[entry + 3] = at(earlyPairs.rest, i)
    heads[slot] = entry
    index.filled += LINK
  }
}

interface NeighbourSearch {
  readonly earlyPairs: EarlyPairs
  /** Total weight of the story that is looked up. */
  readonly total: number
  /** Minimum confidence. */
  readonly t: number
}

/** Indexes of the stories that may reach the threshold `t`, some of them twice. Fills and returns `found`. */
function candidatesFor(
  { heads, links }: SlotIndex,
  { earlyPairs, total, t }: NeighbourSearch,
  found: number[],
): readonly number[] {
  found.length = 0
  const enough = t * total - SLACK
  for (let i = 0; i < earlyPairs.count; i++) {
    const both = at(earlyPairs.weights, i)
    const rest = at(earlyPairs.rest, i)
    for (let entry = at(heads, at(earlyPairs.slots, i)); entry >= 0; entry = at(links, entry + 1)) {
      const weight = at(links, entry + 2)
      // A chain starts with the story indexed last, so all that follow are lighter still.
      if (weight < enough) break
      // If these two are the first shared tokens, only the tokens after them can add to the shared weight.
      const most = both + Math.min(rest, at(links, entry + 3))
      if (most * (1 + t) >= t * (total + weight) - SLACK) found.push(at(links, entry))
    }
  }
  return found
}

function compare(sets: TokenSets, [a, b]: readonly [number, number], rules: GraphRules): StoryPair | null {
  const common = commonWeight(sets, [a, b], rules.candidate.least)
  const confidence = common / (at(sets.totals, a) + at(sets.totals, b) - common)
  if (common === 0) return null
  const one = sets.stories[a]
  const other = sets.stories[b]
  return one === undefined || other === undefined ? null : pairIf(one, other, { confidence, rules })
}

/** Weight of the shared entities of two stories; 0 if they share fewer than `least`. */
function commonWeight(
  { starts, tokens, weights }: TokenSets,
  [a, b]: readonly [number, number],
  least: number,
): number {
  const endA = at(starts, a + 1)
  const endB = at(starts, b + 1)
  let i = at(starts, a)
  let j = at(starts, b)
  let common = 0
  let count = 0
  while (i < endA && j < endB) {
    const x = at(tokens, i)
    const y = at(tokens, j)
    if (x === y) {
      common += at(weights, x)
      count++
    }
    if (x <= y) i++
    if (y <= x) j++
  }
  return count < least ? 0 : common
}

/** `null` if the stories share too little for a link and neither continues the other. */
export function pairIf(
  a: GraphStory,
  b: GraphStory,
  { confidence, rules }: { readonly confidence: number; readonly rules: GraphRules },
): StoryPair | null {
  if (confidence < rules.candidate.confidence) return null
  const next = chapterScore(a, b, rules)
  if (next === null && confidence < rules.shared.confidence) return null
  const pair = pairOf(a, b, { confidence, next })
  return next === null && !isShared(pair, rules) ? null : pair
}

/** Whether the stories share enough entities for a `shared_entities` link. */
export const isShared = ({ confidence, shared_entities }: StoryPair, { shared }: GraphRules): boolean =>
  confidence >= shared.confidence && shared_entities.length >= shared.least

/** Accepts the two stories in either order. */
export function pairOf(
  a: GraphStory,
  b: GraphStory,
  { confidence, next }: Pick<StoryPair, 'confidence' | 'next'>,
): StoryPair {
  const has = new Set(b.entities.map(({ entity_id }) => entity_id))
  const shared_entities = a.entities.filter(({ entity_id }) => has.has(entity_id)).map(({ entity_id }) => entity_id)
  const [one, other] = a.cluster_id < b.cluster_id ? [a, b] : [b, a]
  return { one, other, confidence, shared_entities, next }
}
