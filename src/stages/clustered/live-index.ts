import { dayOf, HOUR_MS } from '../../domain/days.ts'
import { countBefore } from '../../state/binary-search.ts'
import type { RememberedMember } from './changelog.ts'
import type { Steps } from '../../state/steps.ts'
import { DayPostings } from './day-postings.ts'
import { addSlot, noSlots, removeSlot, type Slots } from './slots.ts'
import { isForeign, SECTIONS, termsIn } from './packed-features.ts'
import { inEnglishOrAll } from './pair.ts'
import { BRIEF_WORDS, crossSketch, sketch, SKETCH_WORDS } from './sketch.ts'
import { HASH_SHIFT } from './terms.ts'

/** A story in memory. */
export interface Cluster {
  readonly id: string
  /** Its row in the sketches. Rows are reused, so it does not reflect age. */
  readonly slot: number
  /** Ordered by event time, then by arrival. */
  readonly members: RememberedMember[]
  /** Offset of the article that arrived last; -1 without articles. */
  newest: number
}

/**
 * The index of stories: by the hours of their articles, by rare keys, and by the sketch of their mean vector. Keys are
 * grouped by event day, so that the cost of a search depends only on its own days.
 */
export interface LiveIndex {
  readonly bySlot: (Cluster | undefined)[]
  readonly free: number[]
  /** `SKETCH_WORDS` per slot, up to date for all but the `changed` stories. */
  sketches: Uint32Array
  /** The same of the cross-language vectors. */
  crossSketches: Uint32Array
  /** Number of members of each story that are not in English, and of all stories. */
  foreign: Uint32Array
  allForeign: number
  /** The first `BRIEF_WORDS` of each sketch. Contiguous, since a search reads very many. */
  briefs: Uint32Array
  /** Stories whose sketch is computed before the next search: a restore computes each once, not once per article. */
  readonly changed: Set<Cluster>
  /** Event times of a story's first and last member, two per slot. */
  spans: Float64Array
  /** 1 per slot if the first or the last member of the story has no body, else 0. */
  bodiless: Uint8Array
  readonly days: Map<number, LiveIndexDay>
  /**
   * Working memory of a search, per slot: whether a story is found, and the keys that it shares (`SharedKeys`). All 0
   * between searches.
   */
  shared: Uint32Array
}

/** The articles of one event day. */
export interface LiveIndexDay {
  articles: number
  /** Key to slots, one entry per member. */
  readonly postings: DayPostings
  /** Hour of the day to slots, one entry per member. */
  readonly hours: readonly Slots[]
  /** The same of the members that may be joined without common keys: without a body, or not in English. */
  readonly keyless: readonly Slots[]
}

/** The hour of a time in its day, 0 to 23. */
const hourOf = (time: number): number => Math.floor(time / HOUR_MS) - 24 * dayOf(time)

export const noIndex = (): LiveIndex => ({
  bySlot: [],
  free: [],
  sketches: new Uint32Array(),
  crossSketches: new Uint32Array(),
  foreign: new Uint32Array(),
  allForeign: 0,
  briefs: new Uint32Array(),
  changed: new Set(),
  spans: new Float64Array(),
  bodiless: new Uint8Array(),
  days: new Map(),
  shared: new Uint32Array(),
})

export const noDay = (postings = new DayPostings()): LiveIndexDay => ({
  articles: 0,
  postings,
  hours: Array.from({ length: 24 }, () => noSlots(8)),
  keyless: Array.from({ length: 24 }, () => noSlots(0)),
})

/** Allocates a slot for a new story. The story is live once it has members. */
export function openCluster(index: LiveIndex, id: string): Cluster {
  const slot = index.free.pop() ?? index.bySlot.length
  const cluster: Cluster = { id, slot, members: [], newest: -1 }
  index.bySlot[slot] = cluster
  reserve(index, slot + 1)
  return cluster
}

/** Grows the index to this many slots, doubling its capacity if needed. */
function reserve(index: LiveIndex, slots: number): void {
  const { sketches, crossSketches, foreign, briefs, spans, bodiless } = index
  if (slots * SKETCH_WORDS <= sketches.length) return
  const wider = Math.max(64, 2 * (slots - 1))
  index.sketches = widened(sketches, wider * SKETCH_WORDS)
  index.crossSketches = widened(crossSketches, wider * SKETCH_WORDS)
  index.foreign = widened(foreign, wider)
  index.briefs = widened(briefs, wider * BRIEF_WORDS)
  index.spans = new Float64Array(wider * 2)
  index.spans.set(spans)
  index.bodiless = new Uint8Array(wider)
  index.bodiless.set(bodiless)
  index.shared = new Uint32Array(wider)
}

function widened(words: Uint32Array, length: number): Uint32Array {
  const wider = new Uint32Array(length)
  wider.set(words)
  return wider
}

export function closeCluster(index: LiveIndex, cluster: Cluster): void {
  const { slot } = cluster
  index.changed.delete(cluster)
  index.bySlot[slot] = undefined
  index.free.push(slot)
}

export function addMember(index: LiveIndex, cluster: Cluster, member: RememberedMember): void {
  const { members, slot } = cluster
  members.splice(insertionIndex(members, member), 0, member)
  cluster.newest = Math.max(cluster.newest, member.order)
  membersChanged(index, cluster)

  const day = addToDay(index, slot, member)
  countForeign(index, member, { slot, by: 1 })
  for (const term of termsIn(member.features, SECTIONS.keys)) day.postings.add(term >>> HASH_SHIFT, slot)
}

/** Adds all but the postings. */
export function addToDay({ days }: LiveIndex, slot: number, member: RememberedMember): LiveIndexDay {
  const number = dayOf(member.features.time)
  const day = days.get(number) ?? noDay()
  days.set(number, day)
  day.articles++
  addSlot(hourIn(day.hours, member), slot)
  if (isKeyless(member)) addSlot(hourIn(day.keyless, member), slot)
  return day
}

const isKeyless = ({ features }: RememberedMember): boolean => !features.hasBody || isForeign(features)

function countForeign(
  index: LiveIndex,
  { features }: RememberedMember,
  { slot, by }: { readonly slot: number; readonly by: 1 | -1 },
): void {
  if (!isForeign(features)) return
  index.foreign[slot] = (index.foreign[slot] ?? 0) + by
  index.allForeign += by
}

/** Whether no article of a story is in English. Seldom reads the story itself, since a search calls it for very many. */
export const hasNoEnglish = ({ foreign, bySlot }: LiveIndex, slot: number): boolean =>
  foreign[slot] !== 0 && foreign[slot] === bySlot[slot]?.members.length

const newestOf = ({ members }: Cluster): number => members.reduce((newest, { order }) => Math.max(newest, order), -1)

function membersChanged(index: LiveIndex, cluster: Cluster): void {
  index.changed.add(cluster)
  noteEnds(index, cluster)
}

/** Updates what is known of the first and the last member of a story; a story without members has no span. */
export function noteEnds({ spans, bodiless }: LiveIndex, { slot, members }: Cluster): void {
  const [first, last] = [members[0]?.features, members.at(-1)?.features]
  if (first === undefined || last === undefined) {
    spans.set([Infinity, -Infinity], 2 * slot)
    return
  }
  spans[2 * slot] = first.time
  spans[2 * slot + 1] = last.time
  bodiless[slot] = first.hasBody && last.hasBody ? 0 : 1
}

export function removeMember(index: LiveIndex, cluster: Cluster, member: RememberedMember): void {
  cluster.members.splice(cluster.members.indexOf(member), 1)
  if (member.order === cluster.newest) cluster.newest = newestOf(cluster)
  membersChanged(index, cluster)

  countForeign(index, member, { slot: cluster.slot, by: -1 })
  const number = dayOf(member.features.time)
  const day = index.days.get(number)
  if (day === undefined) return
  if (--day.articles === 0) {
    index.days.delete(number)
    return
  }
  removeSlot(hourIn(day.hours, member), cluster.slot)
  if (isKeyless(member)) removeSlot(hourIn(day.keyless, member), cluster.slot)
  for (const term of termsIn(member.features, SECTIONS.keys)) day.postings.remove(term >>> HASH_SHIFT, cluster.slot)
}

const hourIn = (hours: LiveIndexDay['hours'], { features: { time } }: RememberedMember): Slots =>
  hours[hourOf(time)] ?? noSlots(0)

interface SketchSettings {
  readonly mu: Float32Array
  /** Articles of a story, the newest, whose mean is sketched. */
  readonly compared: number
}

/** Stories whose sketches are computed in one step, about 10 ms. */
const STEP = 1_000

/** Computes what the searches of a restored index need, in steps. */
export function* buildIndex(index: LiveIndex, settings: SketchSettings): Steps<void> {
  while (index.changed.size > 0) {
    updateSketches(index, settings, STEP)
    yield
  }
  for (const { postings } of index.days.values()) {
    postings.sort()
    yield
  }
}

/**
 * Computes the sketches of changed stories: the mean of their newest members, of those in English if there are any. Always
 * summed in the same order.
 */
export function updateSketches(index: LiveIndex, settings: SketchSettings, most = Infinity): void {
  let left = most
  for (const cluster of index.changed) {
    if (left-- === 0) return
    const { members, slot } = cluster
    index.changed.delete(cluster)
    const newest = (of: readonly RememberedMember[]) => of.slice(-settings.compared).map(({ features }) => features)
    const offset = slot * SKETCH_WORDS
    const inEnglish = inEnglishOrAll(members, ({ features }) => !isForeign(features))
    sketch(newest(inEnglish), settings.mu, { into: index.sketches, offset })
    crossSketch(newest(members), { into: index.crossSketches, offset })
    for (let i = 0; i < BRIEF_WORDS; i++) index.briefs[slot * BRIEF_WORDS + i] = index.sketches[offset + i] ?? 0
  }
}

/** The index of the first member that is ordered after this one. */
function insertionIndex(members: readonly RememberedMember[], member: RememberedMember): number {
  let index = members.length
  while (index > 0 && comesAfter(members[index - 1], member)) index--
  return index
}

const comesAfter = (one: RememberedMember | undefined, other: RememberedMember): boolean =>
  one !== undefined &&
  (one.features.time > other.features.time || (one.features.time === other.features.time && one.order > other.order))

interface MembersOnly {
  readonly members: readonly RememberedMember[]
}

/** The members nearest to a point in time, nearest first; ties by newest. */
export const nearestMembers = (of: MembersOnly, time: number, limit: number): RememberedMember[] => [
  ...membersByDistance(of, time, limit),
]

/** The same, one after the other: of a large story often the first few are enough. */
export function* membersByDistance({ members }: MembersOnly, time: number, limit: number): Generator<RememberedMember> {
  let after = countBefore(members.length, (i) => (members[i]?.features.time ?? Infinity) <= time)
  let before = after - 1
  for (let left = limit; left > 0 && (before >= 0 || after < members.length); left--) {
    const takesNewer = distance(members[after], time) <= distance(members[before], time)
    const taken = takesNewer ? members[after++] : members[before--]
    if (taken !== undefined) yield taken
  }
}

/** A missing member is infinitely far away. */
const distance = (member: RememberedMember | undefined, time: number): number =>
  member === undefined ? Infinity : Math.abs(member.features.time - time)
