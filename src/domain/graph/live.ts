import { pairIf, type StoryPair } from './join.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory, Significant } from './story.ts'
import { at, SLACK } from './token-sets.ts'

export type GraphLiveIndex = ReturnType<typeof liveIndex>

interface IndexedStory extends WeighedSlot {
  readonly story: GraphStory
}

/**
 * An index of stories that supports adding, changing and removing them, and finding those that form a pair with one.
 *
 * The search is exact at any time. It scans the posting lists of the story's own entities, the shortest first, and
 * skips the last ones if together they weigh too little, since every pair then occurs in one of the scanned lists.
 */
export function liveIndex(rules: GraphRules) {
  const byId = new Map<string, IndexedStory>()
  const bySlot: (IndexedStory | undefined)[] = []
  const free: number[] = []
  const lists = postings()
  const tally = emptyTally()

  const drop = (cluster_id: string): void => {
    const old = byId.get(cluster_id)
    if (old === undefined) return
    for (const posting of old.postings) lists.remove(posting, old.slot)
    byId.delete(cluster_id)
    bySlot[old.slot] = undefined
    free.push(old.slot)
  }
  /** Adds a story or replaces the story with the same id. */
  const put = (story: GraphStory): void => {
    drop(story.cluster_id)
    const slot = free.pop() ?? bySlot.length
    const own = story.entities.map((entity) => lists.add(entity, slot))
    const total = own.reduce((sum, { weight }) => sum + weight, 0)
    const one = { story, slot, total, postings: own }
    bySlot[slot] = one
    byId.set(story.cluster_id, one)
    tally.weigh(slot, total)
  }
  /** The story's pairs as `joinAll` would find them, in no particular order. */
  const neighbours = (cluster_id: string): readonly StoryPair[] => {
    const one = byId.get(cluster_id)
    if (one === undefined || one.postings.length < rules.candidate.least) return []
    return tally.near(one, rules).flatMap((slot) => {
      const other = bySlot[slot]
      return other === undefined || other === one ? [] : compared(one, other, rules)
    })
  }
  return {
    put,
    drop,
    neighbours,
    get: (cluster_id: string) => byId.get(cluster_id)?.story,
    stories: () => [...byId.values()].map(({ story }) => story),
  }
}

function compared(one: IndexedStory, other: IndexedStory, rules: GraphRules): readonly StoryPair[] {
  let [common, count] = [0, 0]
  for (const posting of other.postings) {
    if (!one.postings.includes(posting)) continue
    common += posting.weight
    count++
  }
  const confidence = common / (one.total + other.total - common)
  if (count < rules.candidate.least) return []
  const pair = pairIf(one.story, other.story, { confidence, rules })
  return pair === null ? [] : [pair]
}

/** A story's slot with its total weight and its posting lists. */
interface WeighedSlot {
  readonly slot: number
  /** Total weight of its entities. */
  readonly total: number
  readonly postings: readonly EntityPosting[]
}

const FIRST_ROOM = 1_024

/** Sums up, for each story, the weight of the entities it shares with a given one. The buffers are reused. */
function emptyTally() {
  let totals: Int32Array = new Int32Array(FIRST_ROOM)
  let sums: Int32Array = new Int32Array(FIRST_ROOM)
  let touched: Int32Array = new Int32Array(FIRST_ROOM)

  const weigh = (slot: number, total: number): void => {
    if (slot >= totals.length) [totals, sums, touched] = [doubled(totals), doubled(sums), doubled(touched)]
    totals[slot] = total
  }

  /** Slots of all stories that may reach the confidence threshold. The exact check follows. */
  const candidates = (one: WeighedSlot, { candidate: { confidence: t, least } }: GraphRules): readonly number[] => {
    const { scanned, rest } = scannedLists(one, t, least)
    let touchedCount = 0
    for (const { slots, size, weight } of scanned) {
      for (let i = 0; i < size; i++) {
        const slot = at(slots, i)
        const sum = at(sums, slot)
        if (sum === 0) touched[touchedCount++] = slot
        sums[slot] = sum + weight
      }
    }
    const found: number[] = []
    for (let i = 0; i < touchedCount; i++) {
      const slot = at(touched, i)
      // The two stories can share at most `sums[slot]` plus the weight of all skipped entities.
      if ((at(sums, slot) + rest) * (1 + t) >= t * (one.total + at(totals, slot)) - SLACK) found.push(slot)
      sums[slot] = 0
    }
    return found
  }
  return { weigh, near: candidates }
}

interface ScannedLists {
  readonly scanned: readonly EntityPosting[]
  /** Weight of the entities that are skipped. */
  readonly rest: number
}

/** The shortest posting lists. A story in none of them shares too little weight, or too few entities. */
function scannedLists({ postings, total }: WeighedSlot, t: number, least: number): ScannedLists {
  const scanned = [...postings].sort((a, b) => a.size - b.size)
  let rest = 0
  for (let left = 1; scanned.length > 0; left++) {
    const larger = rest + (scanned[scanned.length - 1]?.weight ?? 0)
    if (left >= least && larger >= t * total - SLACK) break
    rest = larger
    scanned.pop()
  }
  return { scanned, rest }
}

/** The posting list of an entity: the stories that name it. */
interface EntityPosting {
  readonly entity_id: string
  readonly weight: number
  /** int32: slots of stories, in no particular order, with spare capacity at the end. */
  slots: Int32Array
  size: number
}

const FIRST_SLOTS = 2

/** The posting lists of all entities, updated one story at a time. */
function postings() {
  const all = new Map<string, EntityPosting>()

  const add = ({ entity_id, weight }: Significant, slot: number): EntityPosting => {
    let posting = all.get(entity_id)
    if (posting === undefined) {
      posting = { entity_id, weight, slots: new Int32Array(FIRST_SLOTS), size: 0 }
      all.set(entity_id, posting)
    }
    if (posting.size === posting.slots.length) posting.slots = doubled(posting.slots)
    posting.slots[posting.size++] = slot
    return posting
  }

  const remove = (posting: EntityPosting, slot: number): void => {
    const position = posting.slots.subarray(0, posting.size).indexOf(slot)
    if (position < 0) return
    posting.slots[position] = posting.slots[--posting.size] ?? 0
    if (posting.size === 0) all.delete(posting.entity_id)
  }
  return { add, remove }
}

function doubled(values: Int32Array): Int32Array {
  const more = new Int32Array(values.length * 2)
  more.set(values)
  return more
}
