import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'
import { tokenSets, type TokenSets } from './token-sets.ts'

/** Two stories that are about the same. */
export interface Pair {
  /** The one with the smaller id. */
  readonly one: GraphStory
  readonly other: GraphStory
  /** Weight of the entities both have over that of those either has: the quotient of two whole numbers. */
  readonly confidence: number
  /** Ids, ascending. */
  readonly shared_entities: readonly string[]
}

/** Weights are whole numbers: what is this near to a bound is on it. */
const SLACK = 1e-9

/**
 * Every pair that shares enough, none left out. A pair of confidence t has in common at least t of the weight of each, and
 * 2t / (1 + t) of the lighter one's. So, each one's entities ordered alike, the rarest first, the first two that both have
 * stand early: what follows them weighs that much. Each story is filed under all such early twos and looks up its own: hot
 * entities, which stand late, bring nobody together.
 */
export function joinAll(stories: readonly GraphStory[], rules: GraphRules): Pair[] {
  const { confidence: t, least } = rules.shared
  if (least < 2) throw new RangeError(`stories are joined by two shared entities or more, not ${least}`)
  const sets = tokenSets(stories, least)
  const filed = emptyFile(countTwos(sets, rules))
  const seen = new Int32Array(sets.stories.length).fill(-1)
  const pairs: Pair[] = []

  // The lightest first: who is filed already is never heavier than who looks up.
  for (let story = 0; story < sets.stories.length; story++) {
    const weight = sets.rest[sets.starts[story] ?? 0] ?? 0
    eachTwo(sets, { story, share: t, least }, (x, y) => {
      for (let at = filed.first(x, y); at >= 0; at = filed.next[at] ?? -1) {
        const other = filed.owner[at] ?? 0
        // The last filed stand first, so all that follow are lighter still.
        if ((sets.rest[sets.starts[other] ?? 0] ?? 0) < t * weight - SLACK) break
        if (seen[other] === story) continue
        seen[other] = story
        const pair = compare(sets, [other, story], rules)
        if (pair !== null) pairs.push(pair)
      }
    })
    eachTwo(sets, { story, share: (2 * t) / (1 + t), least }, (x, y) => {
      filed.add(x, y, story)
    })
  }
  return pairs
}

interface Early {
  readonly story: number
  /** Of the story's weight that the other must have too, 0 to 1. */
  readonly share: number
  readonly least: number
}

/** Calls for all twos of tokens that can be the first two a story has in common with another. */
function eachTwo(
  { starts, tokens, rest, weights }: TokenSets,
  { story, share, least }: Early,
  call: (x: number, y: number) => void,
): void {
  const [from, to] = [starts[story] ?? 0, starts[story + 1] ?? 0]
  const needed = share * (rest[from] ?? 0) - SLACK
  for (let i = from; i <= to - least && (rest[i] ?? 0) >= needed; i++) {
    const x = tokens[i] ?? 0
    const after = needed - (weights[x] ?? 0)
    for (let j = i + 1; j <= to - least + 1 && (rest[j] ?? 0) >= after; j++) call(x, tokens[j] ?? 0)
  }
}

function countTwos(sets: TokenSets, { shared: { confidence: t, least } }: GraphRules): number {
  let twos = 0
  for (let story = 0; story < sets.stories.length; story++) {
    eachTwo(sets, { story, share: (2 * t) / (1 + t), least }, () => twos++)
  }
  return twos
}

/** Numbers under twos of numbers, a chain for each slot of a table; strangers may meet in a chain, comparing tells them apart. */
interface File {
  readonly owner: Int32Array
  /** int32: where in `owner` the chain goes on; -1: nowhere. */
  readonly next: Int32Array
  readonly first: (x: number, y: number) => number
  readonly add: (x: number, y: number, owner: number) => void
}

function emptyFile(size: number): File {
  const bits = Math.max(4, Math.ceil(Math.log2(size + 1)) + 1)
  const heads = new Int32Array(2 ** bits).fill(-1)
  const owner = new Int32Array(size)
  const next = new Int32Array(size)
  const slot = (x: number, y: number): number =>
    Math.imul(Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b), 0xc2b2ae35) >>> (32 - bits)
  let filled = 0
  return {
    owner,
    next,
    first: (x, y) => heads[slot(x, y)] ?? -1,
    add: (x, y, who) => {
      const at = slot(x, y)
      owner[filled] = who
      next[filled] = heads[at] ?? -1
      heads[at] = filled++
    },
  }
}

function compare(sets: TokenSets, [a, b]: readonly [number, number], { shared }: GraphRules): Pair | null {
  const { starts, tokens, rest, weights } = sets
  const [endA, endB] = [starts[a + 1] ?? 0, starts[b + 1] ?? 0]
  let [i, j, common, count] = [starts[a] ?? 0, starts[b] ?? 0, 0, 0]
  const all = (rest[i] ?? 0) + (rest[j] ?? 0)
  while (i < endA && j < endB) {
    const [x, y] = [tokens[i] ?? 0, tokens[j] ?? 0]
    if (x === y) {
      common += weights[x] ?? 0
      count++
    }
    if (x <= y) i++
    if (y <= x) j++
  }
  const confidence = common / (all - common)
  const [one, other] = [sets.stories[a], sets.stories[b]]
  if (count < shared.least || confidence < shared.confidence || one === undefined || other === undefined) return null
  return pairOf(one, other, confidence)
}

/** Of two stories in whatever order. */
export function pairOf(a: GraphStory, b: GraphStory, confidence: number): Pair {
  const has = new Set(b.entities.map(({ entity_id }) => entity_id))
  const shared_entities = a.entities.filter(({ entity_id }) => has.has(entity_id)).map(({ entity_id }) => entity_id)
  const [one, other] = a.cluster_id < b.cluster_id ? [a, b] : [b, a]
  return { one, other, confidence, shared_entities }
}
