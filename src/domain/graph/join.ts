import type { GraphRules } from './rules.ts'
import { chapterScore } from './next-chapter.ts'
import type { GraphStory } from './story.ts'
import { at, tokenSets, type TokenSets, earlyTwos, roomForTwos, SLACK, type EarlyTwos } from './token-sets.ts'

/** Two stories that are about the same, or of which one may go on with the other. */
export interface StoryPair {
  /** The one with the smaller id. */
  readonly one: GraphStory
  readonly other: GraphStory
  /** Weight of the entities both have over that of those either has: the quotient of two whole numbers. */
  readonly confidence: number
  /** Ids, ascending. */
  readonly shared_entities: readonly string[]
  /** Log odds that one continues the other; `null` below the threshold. */
  readonly next: number | null
}

/**
 * Every pair that shares enough, none left out. A pair of confidence t has in common at least t of the weight of each, and
 * 2t / (1 + t) of the lighter one's. So, each one's entities ordered alike, the rarest first, the first two that both have
 * stand early: with what follows them they weigh that much. Each story is filed under all such early twos and looks up its
 * own: hot entities, which stand late, bring no stories together.
 */
export function joinAll(stories: readonly GraphStory[], rules: GraphRules): StoryPair[] {
  const { confidence: t, least } = rules.candidate
  if (least < 2) throw new RangeError(`stories are joined by two shared entities or more, not ${least}`)
  const sets = tokenSets(stories, least)
  const twos = roomForTwos(sets)
  const file = emptyFile(sets, rules, twos)
  const seen = new Int32Array(sets.stories.length).fill(-1)
  const pairs: StoryPair[] = []
  const found: number[] = [] // one list for all: it is emptied each time

  // The lightest first: who is filed already is never heavier than who looks up.
  for (let story = 0; story < sets.stories.length; story++) {
    earlyTwos(sets, { story, share: t, least }, twos)
    for (const other of met(file, { twos, total: at(sets.totals, story), t }, found)) {
      if (at(seen, other) === story) continue
      seen[other] = story
      const pair = compare(sets, [other, story], rules)
      if (pair !== null) pairs.push(pair)
    }
    earlyTwos(sets, { story, share: (2 * t) / (1 + t), least }, twos)
    add(file, { story, total: at(sets.totals, story), twos })
  }
  return pairs
}

/** Stories under the slots of their early twos, a chain for each slot. */
interface File {
  /** int32[2^bits]: where in `links` the chain of a slot begins; -1 when it is empty. */
  readonly heads: Int32Array
  /** int32[twos][4]: story, where the chain goes on, the story's whole weight, weight of what follows the two. */
  readonly links: Int32Array
  filled: number
}

const LINK = 4

/** Chains are short where slots are more than twice what is filed. */
const bitsFor = (size: number): number => Math.min(24, Math.ceil(Math.log2(size + 1)) + 1)

/** `twos` gets slots that fit it. */
function emptyFile(sets: TokenSets, { candidate: { confidence: t, least } }: GraphRules, twos: EarlyTwos): File {
  let size = 0
  for (let story = 0; story < sets.stories.length; story++) {
    earlyTwos(sets, { story, share: (2 * t) / (1 + t), least }, twos)
    size += twos.count
  }
  twos.bits = bitsFor(size)
  return { heads: new Int32Array(2 ** twos.bits).fill(-1), links: new Int32Array(size * LINK), filled: 0 }
}

interface Filed {
  readonly story: number
  readonly total: number
  readonly twos: EarlyTwos
}

function add(file: File, { story, total, twos }: Filed): void {
  const { heads, links } = file
  for (let i = 0; i < twos.count; i++) {
    const slot = at(twos.slots, i)
    const place = file.filled
    links[place] = story
    links[place + 1] = at(heads, slot)
    links[place + 2] = total
    links[place + 3] = at(twos.rest, i)
    heads[slot] = place
    file.filled += LINK
  }
}

interface NeighbourSearch {
  readonly twos: EarlyTwos
  /** The weight of who looks up. */
  readonly total: number
  readonly t: number
}

/** The stories that can be near enough, some of them more than once: fills `found`. */
function met({ heads, links }: File, { twos, total, t }: NeighbourSearch, found: number[]): readonly number[] {
  found.length = 0
  const enough = t * total - SLACK
  for (let i = 0; i < twos.count; i++) {
    const both = at(twos.weights, i)
    const rest = at(twos.rest, i)
    for (let place = at(heads, at(twos.slots, i)); place >= 0; place = at(links, place + 1)) {
      const weight = at(links, place + 2)
      // The last filed stand first, so all that follow are lighter still.
      if (weight < enough) break
      // Were these two the first in common, what follows either is all that can come to them.
      const most = both + Math.min(rest, at(links, place + 3))
      if (most * (1 + t) >= t * (total + weight) - SLACK) found.push(at(links, place))
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

/** Of what two stories have in common; 0 where that is too few entities. */
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

/** `null` when they share too little to be linked and neither goes on with the other. */
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

/** Whether they share enough to be linked for it. */
export const isShared = ({ confidence, shared_entities }: StoryPair, { shared }: GraphRules): boolean =>
  confidence >= shared.confidence && shared_entities.length >= shared.least

/** Of two stories in whatever order. */
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
