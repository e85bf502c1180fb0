import { DAY_MS, dayOf, HOUR_MS } from '../../domain/days.ts'
import { append, noSlots } from './day-postings.ts'
import type { Features } from './features.ts'
import { hourKey, updateSketches, type Cluster, type LiveIndexDay, type LiveIndex } from './live-index.ts'
import { SECTIONS, termsIn } from './packed-features.ts'
import type { Weights } from '../../language/clustering/model.ts'
import { BRIEF_BITS, BRIEF_WORDS, briefHamming, hamming, sketch, SKETCH_BITS, SKETCH_WORDS } from './sketch.ts'
import { HASH_SHIFT, WEIGHT_BITS } from './terms.ts'

interface Settings {
  readonly weights: Pick<Weights, 'candidates' | 'join'>
  readonly mu: Float32Array
}

/** A story that an article may belong to, and what the search knows of the two. */
export interface ClusterCandidate {
  readonly cluster: Cluster
  /** Bits in which the sketches of the article and the story differ, 0 to 384. */
  readonly distance: number
  /** The weight of the keys that the story shares with the article, as a share of all keys of the article, 0 to 1. */
  readonly shared: number
}

/**
 * Stories to compare with an article, of those live for it: those that share the rarest keys with it and the nearest by
 * sketch (at most 32 of each). The sketch search looks at the stories that share a key and at those of the hours nearest
 * to the article. All limits are on articles read, so a search costs the same however many stories there are; with few
 * stories it is exact. The result depends only on the stories with an article on the days of the window, not on what else
 * is in memory.
 */
export function candidates(index: LiveIndex, article: Features, { weights, mu }: Settings): ClusterCandidate[] {
  updateSketches(index, { mu, compared: weights.join.members_compared })
  const windowMs = weights.join.window_days * DAY_MS
  const search: Search = {
    index,
    article,
    live: { from: article.time - windowMs, to: article.time + windowMs },
    own: sketchOf(article, mu),
    before: index.step,
  }
  const sharing = sharingSlots(search)
  const byKeys = nearestByKeys(search, sharing, weights.candidates.by_keys)
  const bySketch = nearestBySketch(search, withNear(search, sharing), weights.candidates.by_sketch)
  const total = termsIn(article, SECTIONS.keys).reduce((sum, term) => sum + (term & WEIGHT_BITS), 0)
  return [...new Set([...bySketch, ...byKeys])].flatMap((slot) => {
    const cluster = index.bySlot[slot]
    if (cluster === undefined) return []
    const distance = hamming(search.own, index.sketches, slot * SKETCH_WORDS)
    return [{ cluster, distance, shared: (index.sums[slot] ?? 0) / (total || 1) }]
  })
}

/** A time span, both ends inclusive. */
interface LiveSpan {
  readonly from: number
  readonly to: number
}

interface Search {
  readonly index: LiveIndex
  readonly article: Features
  readonly live: LiveSpan
  /** The sketch of the article. */
  readonly own: Uint32Array
  /** The last step of the search before. */
  readonly before: number
}

/**
 * The most articles that a search by keys looks at. Keys are read in order of the number of articles that have them, so
 * only the most common ones are left out, on days with very many articles.
 */
const MOST_POSTED = 4_096
/** The most articles whose stories the sketch search adds: those of the nearest hours. */
const MOST_NEAR = 32_768
/** The most stories whose whole sketches are compared, those whose first bits differ least. */
const MOST_SKETCHED = 1_024

/** The articles that have a key: a part of `posted`. */
interface KeyPostings {
  readonly weight: number
  readonly from: number
  readonly to: number
}

/** Working memory of a search: slots of articles with the keys, of their stories, of articles that are near. */
const [posted, sharers, nearby] = [noSlots(), noSlots(), noSlots()]
let briefDistances = new Uint8Array(1_024)

/** Slots of the live stories that share one of the rarest keys. Adds up the weights of their keys in the index. */
function sharingSlots({ index, article, live, before }: Search): Int32Array {
  const { sums, steps } = index
  sharers.length = 0
  for (const { weight, from, to } of readPostings(index, article, live)) {
    const step = ++index.step
    for (let i = from; i < to; i++) {
      const slot = posted.slots[i] ?? 0
      const last = steps[slot] ?? 0
      if (last === step) continue
      sums[slot] = last > before ? (sums[slot] ?? 0) + weight : weight
      steps[slot] = step
      if (last <= before && isLive(index, slot, live)) append(sharers, slot)
    }
  }
  return sharers.slots.subarray(0, sharers.length)
}

/** The articles of the window's days that have a key of the article: the rarest keys. */
function readPostings(index: LiveIndex, article: Features, { from, to }: LiveSpan): KeyPostings[] {
  const days = daysBetween(index, dayOf(from), dayOf(to))
  const found: KeyPostings[] = []
  posted.length = 0
  for (const term of termsIn(article, SECTIONS.keys)) {
    const start = posted.length
    for (const { postings } of days) {
      postings.collect(term >>> HASH_SHIFT, posted, MOST_POSTED + 1 - (posted.length - start))
      if (posted.length - start > MOST_POSTED) break
    }
    if (posted.length - start > MOST_POSTED) posted.length = start
    else found.push({ weight: term & WEIGHT_BITS, from: start, to: posted.length })
  }
  found.sort((a, b) => a.to - a.from - (b.to - b.from)) // keys are in order of their hashes, which breaks ties
  let total = 0
  return found.filter(({ from: start, to: end }) => (total += end - start) <= MOST_POSTED)
}

function daysBetween({ days }: LiveIndex, first: number, last: number): LiveIndexDay[] {
  const between: LiveIndexDay[] = []
  for (let number = first; number <= last; number++) {
    const day = days.get(number)
    if (day !== undefined) between.push(day)
  }
  return between
}

/** The given slots and those of the stories of the nearest hours, each once. */
function withNear({ index, article, live, before }: Search, sharing: Int32Array): Int32Array {
  const { sums, steps } = index
  nearby.length = 0
  readNear(index, article, live)
  let count = 0
  const step = ++index.step
  for (let i = 0; i < nearby.length; i++) {
    const slot = nearby.slots[i] ?? 0
    if ((steps[slot] ?? 0) > before) continue
    steps[slot] = step
    sums[slot] = 0
    nearby.slots[count++] = slot
  }
  nearby.length = count
  for (const slot of sharing) append(nearby, slot)
  return nearby.slots.subarray(0, nearby.length)
}

/**
 * Reads the days nearest to the article (of two as near the earlier first) while they have few articles together, then
 * the hours of the next day.
 */
function readNear(index: LiveIndex, { time }: Features, { from, to }: LiveSpan): void {
  const own = dayOf(time)
  const numbers = Array.from({ length: dayOf(to) - dayOf(from) + 1 }, (_, i) => dayOf(from) + i)
  numbers.sort((a, b) => Math.abs(a - own) - Math.abs(b - own) || a - b)
  for (const number of numbers) {
    const day = index.days.get(number)
    if (day === undefined) continue
    if (nearby.length + day.articles > MOST_NEAR) {
      readHours(day, number, time)
      return
    }
    day.hours.collectAll(nearby)
  }
}

/** Reads the hours of a day nearest to a time while they have few articles. */
function readHours({ hours }: LiveIndexDay, day: number, time: number): void {
  const own = Math.floor(time / HOUR_MS) - 24 * day
  const order = Array.from({ length: 24 }, (_, hour) => hour)
  order.sort((a, b) => Math.abs(a - own) - Math.abs(b - own) || a - b)
  for (const hour of order) {
    const start = nearby.length
    hours.collect(hourKey(hour * HOUR_MS), nearby, MOST_NEAR + 1 - start)
    if (nearby.length <= MOST_NEAR) continue
    nearby.length = start
    return
  }
}

/**
 * Most stories are found by their first and last member. A story that starts before and ends after the window may have
 * no member in it.
 */
function isLive({ spans, bySlot }: LiveIndex, slot: number, { from, to }: LiveSpan): boolean {
  const first = spans[2 * slot] ?? Infinity
  const last = spans[2 * slot + 1] ?? -Infinity
  if (first > to || last < from) return false
  if (first >= from || last <= to) return true
  return bySlot[slot]?.members.some(({ features }) => features.time >= from && features.time <= to) === true
}

function sketchOf(article: Features, mu: Float32Array): Uint32Array {
  const own = new Uint32Array(SKETCH_WORDS)
  sketch([article], mu, { into: own, offset: 0 })
  return own
}

/** The live ones of the stories that are nearest by sketch. */
function nearestBySketch({ index, own, live }: Search, slots: Int32Array, limit: number): number[] {
  const nearest = nearestByBrief(index, slots, own).filter((slot) => isLive(index, slot, live))
  const distances = nearest.map((slot) => hamming(own, index.sketches, slot * SKETCH_WORDS))
  return lowest(index, { slots: nearest, distances }, { limit, most: SKETCH_BITS })
}

/** At most `MOST_SKETCHED` stories, those whose sketches begin most alike. */
function nearestByBrief({ briefs }: LiveIndex, slots: Int32Array, own: Uint32Array): Int32Array {
  if (slots.length <= MOST_SKETCHED) return slots.slice()
  if (briefDistances.length < slots.length) briefDistances = new Uint8Array(2 * slots.length)
  const counts = new Int32Array(BRIEF_BITS + 1)
  for (let i = 0; i < slots.length; i++) {
    const distance = briefHamming(own, briefs, (slots[i] ?? 0) * BRIEF_WORDS)
    briefDistances[i] = distance
    counts[distance] = (counts[distance] ?? 0) + 1
  }
  let bound = 0
  for (let within = counts[0] ?? 0; within <= MOST_SKETCHED;) within += counts[++bound] ?? 0
  return slots.filter((_, i) => (briefDistances[i] ?? bound) < bound)
}

/** The stories that share most keys. */
function nearestByKeys({ index }: Search, slots: Int32Array, limit: number): number[] {
  const sums = slots.map((slot) => index.sums[slot] ?? 0)
  const most = sums.reduce((largest, sum) => Math.max(largest, sum), 0)
  return lowest(index, { slots, distances: sums.map((sum) => most - sum) }, { limit, most })
}

/** A distance for each slot. */
interface SlotDistances {
  readonly slots: Int32Array
  readonly distances: Int32Array
}

interface Limits {
  readonly limit: number
  /** The largest possible distance. */
  readonly most: number
}

/** The slots with the `limit` lowest distances; ties by smaller story id. */
function lowest({ bySlot }: LiveIndex, { slots, distances }: SlotDistances, limits: Limits): number[] {
  const bound = boundOf(distances, limits)
  const within: number[] = []
  for (let i = 0; i < slots.length; i++) if ((distances[i] ?? 0) <= bound) within.push(i)
  const idOf = (i: number): string => bySlot[slots[i] ?? 0]?.id ?? ''
  return within
    .sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || (idOf(a) < idOf(b) ? -1 : 1))
    .slice(0, limits.limit)
    .map((i) => slots[i] ?? 0)
}

/** The distance within which there are at least `limit` of them: counted, since sorting them takes longer. */
function boundOf(distances: Int32Array, { limit, most }: Limits): number {
  const counts = new Int32Array(most + 1)
  for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1
  let bound = -1
  for (let within = 0; bound < most && within < limit;) within += counts[++bound] ?? 0
  return bound
}
