import { DAY_MS, dayOf, HOUR_MS } from '../../domain/days.ts'
import type { Features } from './features.ts'
import { updateSketches, type Cluster, type LiveIndexDay, type LiveIndex } from './live-index.ts'
import { SECTIONS, termsIn } from './packed-features.ts'
import type { Weights } from '../../language/clustering/model.ts'
import { BRIEF_BITS, BRIEF_WORDS, briefHamming, hamming, sketch, SKETCH_BITS, SKETCH_WORDS } from './sketch.ts'
import { addSlot, addSlots, noSlots, type Slots } from './slots.ts'
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
 * Stories to compare with an article, of those live for it: of those that it may join, the ones that share the rarest
 * keys with it and the nearest by sketch (at most 32 of each). Stories that it may join without common keys are found
 * by time, in the hours nearest to the article. What it counts and what it compares by sketch is limited; with few
 * stories it is exact. The result depends only on the stories with an article on the days of the window, not on what
 * else is in memory.
 */
export function candidates(index: LiveIndex, article: Features, { weights, mu }: Settings): ClusterCandidate[] {
  updateSketches(index, { mu, compared: weights.join.members_compared })
  const windowMs = weights.join.window_days * DAY_MS
  const search: Search = {
    index,
    article,
    live: { from: article.time - windowMs, to: article.time + windowMs },
    own: sketchOf(article, mu),
  }
  findSharing(search)
  const byKeys = nearestByKeys(index, weights.candidates.by_keys)
  const bySketch = nearestBySketch(search, weights.candidates.by_sketch)
  const total = weightOf(termsIn(article, SECTIONS.keys))
  return [...new Set([...bySketch, ...byKeys])].flatMap((slot) => {
    const cluster = index.bySlot[slot]
    if (cluster === undefined) return []
    const distance = hamming(search.own, index.sketches, slot * SKETCH_WORDS)
    return [{ cluster, distance, shared: keyWeights(index.shared[slot] ?? 0) / (total || 1) }]
  })
}

function weightOf(terms: Uint32Array): number {
  let sum = 0
  for (const term of terms) sum += term & WEIGHT_BITS
  return sum
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
}

/**
 * The most articles that a search by keys looks at. Keys are read in order of the number of articles that have them, so
 * only the most common ones are left out, on days with very many articles.
 */
const MOST_POSTED = 65_536
/** The most articles whose stories the sketch search adds: those of the nearest hours. */
const MOST_NEAR = 16_384
/** The most stories whose whole sketches are compared, those whose first bits differ least. */
const MOST_SKETCHED = 4_096

/** The articles that have a key: a part of `posted`. */
interface KeyPostings {
  readonly weight: number
  readonly from: number
  readonly to: number
}

/** Working memory of a search: slots of articles with the keys, of their live stories, of stories near in time. */
const posted = noSlots(1_024)
const sharing = noSlots(1_024)
const nearby = noSlots(1_024)
let distances = new Int32Array(1_024)
/** A search reads so many keys of an article, the rarest: the sum of their weights has 16 bits. */
const MOST_KEYS = 254
/** In place of the number of a key. */
const KEPT = MOST_KEYS + 1

/**
 * What a search knows of the keys that a story shares with the article, in one word, since it looks up tens of thousands
 * of stories: the number of the last key (16 bits), the sum of the weights (16).
 */
type SharedKeys = number
const lastKey = (shared: SharedKeys): number => shared >>> 16
const keyWeights = (shared: SharedKeys): number => shared & 0xffff

/** Finds the live stories that share one of the rarest keys. */
function findSharing({ index, article, live }: Search): void {
  index.shared.fill(0, 0, index.bySlot.length)
  sharing.length = 0
  for (const [i, key] of readPostings(index, article, live).entries()) share(index, key, i + 1)
  keepLive(index, sharing, live)
}

/** Adds a key, with its number in the search, to each story that has it, once. Notes the stories for which it is the first. */
function share({ shared }: LiveIndex, { weight, from, to }: KeyPostings, number: number): void {
  const { buffer } = posted
  for (let i = from; i < to; i++) {
    const slot = buffer[i] ?? 0
    const known = shared[slot] ?? 0
    if (lastKey(known) === number) continue
    shared[slot] = (number << 16) + keyWeights(known) + weight
    if (known === 0) addSlot(sharing, slot)
  }
}

/** Keeps the stories with a member in the span. */
function keepLive(index: LiveIndex, slots: Slots, live: LiveSpan): void {
  const { buffer, length } = slots
  slots.length = 0
  for (let i = 0; i < length; i++) {
    const slot = buffer[i] ?? 0
    if (isLive(index, slot, live)) buffer[slots.length++] = slot
  }
}

/** The articles of the window's days that have a key of the article: the rarest keys. */
function readPostings(index: LiveIndex, article: Features, { from, to }: LiveSpan): KeyPostings[] {
  const days = daysBetween(index, dayOf(from), dayOf(to))
  const found: KeyPostings[] = []
  posted.length = 0
  for (const term of termsIn(article, SECTIONS.keys)) {
    const start = posted.length
    for (const { postings } of days) {
      if (posted.length - start <= MOST_POSTED) postings.collect(term >>> HASH_SHIFT, posted)
    }
    if (posted.length - start > MOST_POSTED) posted.length = start
    else found.push({ weight: term & WEIGHT_BITS, from: start, to: posted.length })
  }
  found.sort((a, b) => a.to - a.from - (b.to - b.from)) // keys are in order of their hashes, which breaks ties
  let read = 0
  return found.slice(0, MOST_KEYS).filter(({ from: start, to: end }) => (read += end - start) <= MOST_POSTED)
}

function daysBetween({ days }: LiveIndex, first: number, last: number): LiveIndexDay[] {
  const between: LiveIndexDay[] = []
  for (let number = first; number <= last; number++) {
    const day = days.get(number)
    if (day !== undefined) between.push(day)
  }
  return between
}

/**
 * Reads the stories that the article may join without common keys: all if it is a headline, else those with a headline.
 * First those of the days nearest to the article (of two as near the earlier) while they have few articles together,
 * then those of the hours of the next day. A story with several articles is read as often.
 */
function readNear(index: LiveIndex, { time, hasBody }: Features, { from, to }: LiveSpan): void {
  const own = dayOf(time)
  for (const number of nearestFirst(dayOf(from), dayOf(to), own)) {
    const day = index.days.get(number)
    if (day === undefined) continue
    const hours = hasBody ? day.headlines : day.hours
    if (nearby.length + total(hours) > MOST_NEAR) {
      readHours(hours, Math.floor(time / HOUR_MS) - 24 * number)
      return
    }
    for (const hour of hours) addSlots(nearby, hour)
  }
}

const total = (hours: LiveIndexDay['hours']): number => hours.reduce((sum, { length }) => sum + length, 0)

/** Reads the hours of a day nearest to an hour (outside the day: less than 0, more than 23), while they have few articles. */
function readHours(hours: LiveIndexDay['hours'], own: number): void {
  for (const number of nearestFirst(0, 23, own)) {
    const hour = hours[number]
    if (hour === undefined || nearby.length + hour.length > MOST_NEAR) return
    addSlots(nearby, hour)
  }
}

/** The numbers from `first` to `last`, the nearest first, of two as near the smaller. */
const nearestFirst = (first: number, last: number, own: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i).sort(
    (a, b) => Math.abs(a - own) - Math.abs(b - own) || a - b,
  )

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

/** The live stories that are nearest by sketch, of those that share a key or are near in time. */
function nearestBySketch(search: Search, limit: number): number[] {
  const { index, article, live, own } = search
  nearby.length = 0
  readNear(index, article, live)
  addSlots(nearby, sharing)
  keepAlike(index, own)
  keepFirst(index, nearby)
  keepLive(index, nearby, live)
  const { buffer, length } = nearby
  const into = distancesFor(length)
  for (let i = 0; i < length; i++) into[i] = hamming(own, index.sketches, (buffer[i] ?? 0) * SKETCH_WORDS)
  return lowest(index.bySlot, nearby, { limit, most: SKETCH_BITS })
}

/** Keeps at most `MOST_SKETCHED` of the stories found by keys or by time, those whose sketches begin most alike. */
function keepAlike(index: LiveIndex, own: Uint32Array): void {
  const { buffer, length } = nearby
  if (length <= MOST_SKETCHED) return
  const known = distancesFor(length)
  const bound = boundOfAlike(briefDistances(index, own, known))
  nearby.length = 0
  for (let i = 0; i < length; i++) if ((known[i] ?? 0) < bound) buffer[nearby.length++] = buffer[i] ?? 0
}

/** Writes the distance of the first bits of each sketch. Returns how many there are of each distance, 0 to 128. */
function briefDistances({ briefs }: LiveIndex, own: Uint32Array, into: Int32Array): Int32Array {
  const { buffer, length } = nearby
  const counts = new Int32Array(BRIEF_BITS + 1)
  for (let i = 0; i < length; i++) {
    const distance = briefHamming(own, briefs, (buffer[i] ?? 0) * BRIEF_WORDS)
    into[i] = distance
    counts[distance] = (counts[distance] ?? 0) + 1
  }
  return counts
}

/** The distance below which there are as many as possible, at most `MOST_SKETCHED`. */
function boundOfAlike(counts: Int32Array): number {
  let bound = 0
  for (let within = counts[0] ?? 0; within <= MOST_SKETCHED;) within += counts[++bound] ?? 0
  return bound
}

/** Keeps each story once. */
function keepFirst({ shared }: LiveIndex, slots: Slots): void {
  const { buffer, length } = slots
  slots.length = 0
  for (let i = 0; i < length; i++) {
    const slot = buffer[i] ?? 0
    const known = shared[slot] ?? 0
    if (lastKey(known) === KEPT) continue
    shared[slot] = known | (KEPT << 16)
    buffer[slots.length++] = slot
  }
}

/** The stories that share most keys. */
function nearestByKeys({ shared, bySlot }: LiveIndex, limit: number): number[] {
  const { buffer, length } = sharing
  const into = distancesFor(length)
  let most = 0
  for (let i = 0; i < length; i++) most = Math.max(most, keyWeights(shared[buffer[i] ?? 0] ?? 0))
  for (let i = 0; i < length; i++) into[i] = most - keyWeights(shared[buffer[i] ?? 0] ?? 0)
  return lowest(bySlot, sharing, { limit, most })
}

/** Working memory for so many distances. */
function distancesFor(length: number): Int32Array {
  if (length > distances.length) distances = new Int32Array(2 * length)
  return distances
}

interface NearestLimits {
  readonly limit: number
  /** The largest possible distance. */
  readonly most: number
}

/** The `limit` of the slots with the lowest `distances`; ties by smaller story id. */
function lowest(bySlot: LiveIndex['bySlot'], { buffer, length }: Slots, limits: NearestLimits): number[] {
  const known = distancesFor(length)
  const bound = boundOf(known.subarray(0, length), limits)
  const within: { slot: number; distance: number; id: string }[] = []
  for (let i = 0; i < length; i++) {
    const distance = known[i] ?? 0
    if (distance > bound) continue
    const slot = buffer[i] ?? 0
    within.push({ slot, distance, id: bySlot[slot]?.id ?? '' })
  }
  return within
    .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
    .slice(0, limits.limit)
    .map(({ slot }) => slot)
}

/** The distance within which there are at least `limit` of them: counted, since sorting them takes longer. */
function boundOf(known: Int32Array, { limit, most }: NearestLimits): number {
  const counts = new Int32Array(most + 1)
  for (const distance of known) counts[distance] = (counts[distance] ?? 0) + 1
  let bound = -1
  for (let within = 0; bound < most && within < limit;) within += counts[++bound] ?? 0
  return bound
}
