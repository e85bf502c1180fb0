import { DAY_MS, dayOf, HOUR_MS } from '../../domain/days.ts'
import type { Features } from './features.ts'
import { hasNoEnglish, updateSketches, type Cluster, type LiveIndexDay, type LiveIndex } from './live-index.ts'
import { isForeign, SECTIONS, termsIn } from './packed-features.ts'
import type { Weights } from '../../language/clustering/model.ts'
import {
  BRIEF_BITS,
  BRIEF_WORDS,
  briefHamming,
  crossSketch,
  hamming,
  sketch,
  SKETCH_BITS,
  SKETCH_WORDS,
} from './sketch.ts'
import { isLive, windowOf, type LiveSpan, type SearchWindow } from './search-window.ts'
import { boundOf, lowest } from './lowest.ts'
import { addSlot, noSlots, type Slots } from './slots.ts'
import { HASH_SHIFT, WEIGHT_BITS } from './terms.ts'

interface Settings {
  readonly weights: Pick<Weights, 'candidates' | 'join'>
  readonly mu: Float32Array
  /** Stories near in time that are found by sketch for an article whose keys are all common; none by default. */
  readonly nearIfCommon?: number
}

/** A story that an article may belong to, and what the search knows of the two. */
export interface ClusterCandidate {
  readonly cluster: Cluster
  /** The slot of the story: with it, a search need not read the story itself, which is anywhere in memory. */
  readonly slot: number
  /** Bits in which the sketches of the article and the story differ, 0 to 384. */
  readonly distance: number
  /** The weight of the keys that the story shares with the article, as a share of all keys of the article, 0 to 1. */
  readonly shared: number
}

/**
 * Stories to compare with an article, of those live for it: of those that it may join, the ones that share the rarest
 * keys with it, the nearest by sketch, and across languages the nearest by the sketch of the vectors for that. Stories
 * that it may join without common keys are found by time, in the hours nearest to the article. What it counts and what it
 * compares by sketch is limited; with few stories it is exact. The result depends only on the stories with an article on
 * the days of the window, not on what else is in memory.
 */
export function candidates(
  index: LiveIndex,
  article: Features,
  { weights, mu, nearIfCommon = 0 }: Settings,
): ClusterCandidate[] {
  updateSketches(index, { mu, compared: weights.join.members_compared })
  const windowMs = weights.join.window_days * DAY_MS
  const search: Search = {
    index,
    article,
    live: { from: article.time - windowMs, to: article.time + windowMs },
    own: sketchOf(article, mu),
  }
  const hasRareKey = find(search, nearIfCommon > 0)
  const byKeys = nearestByKeys(index, weights.candidates.by_keys)
  const sketched = hasRareKey ? weights.candidates.by_sketch : Math.max(weights.candidates.by_sketch, nearIfCommon)
  const bySketch = isForeign(article) ? [] : nearestBySketch(search, sketched)
  const acrossLanguages = nearestAcrossLanguages(search)
  const compared = comparedBySketch(search, [...new Set([...bySketch, ...byKeys, ...acrossLanguages])])
  forget(index)
  return compared
}

function comparedBySketch({ index, article, own }: Search, slots: readonly number[]): ClusterCandidate[] {
  const total = weightOf(termsIn(article, SECTIONS.keys))
  const compared: ClusterCandidate[] = []
  for (const slot of slots) {
    const cluster = index.bySlot[slot]
    if (cluster === undefined) continue
    const distance = hamming(own, index.sketches, slot * SKETCH_WORDS)
    compared.push({ cluster, slot, distance, shared: keyWeights(index.shared[slot] ?? 0) / (total || 1) })
  }
  return compared
}

/** Clears what the search noted of the stories found: a small part of all. */
function forget({ shared }: LiveIndex): void {
  const { buffer, length } = found
  for (let i = 0; i < length; i++) shared[buffer[i] ?? 0] = 0
}

function weightOf(terms: Uint32Array): number {
  let sum = 0
  for (const term of terms) sum += term & WEIGHT_BITS
  return sum
}

interface Search {
  readonly index: LiveIndex
  readonly article: Features
  readonly live: LiveSpan
  /** The sketch of the article. */
  readonly own: Uint32Array
}

/**
 * A key that more articles of the window's live stories have is too common to be evidence of one event, whatever it is
 * in the tables of document frequencies. It finds no story, so the cost of a search does not grow with the articles of a day.
 */
export const MOST_WITH_KEY = 4_096
/** The most articles whose stories the sketch search adds: those of the nearest hours. */
const MOST_NEAR = 16_384
/** The most stories whose whole sketches are compared, those whose first bits differ least. */
const MOST_SKETCHED = 2_048

/** The articles that have a key: a part of `posted`. */
interface KeyPostings {
  readonly weight: number
  readonly from: number
  readonly to: number
}

/** Working memory of a search: slots of articles with the keys, of the stories found, of those whose sketches begin alike. */
const posted = noSlots(1_024)
const found = noSlots(1_024)
/** By place in `found`: the number of bits in which the first words of the sketches differ. */
let foundBriefs = new Int32Array(1_024)
const alike = noSlots(1_024)
const aheadRead = new Uint32Array(1)
/** A search reads so many keys of an article, the rarest: the sum of their weights has 16 bits. */
const MOST_KEYS = 254

/**
 * What a search knows of a story, in one word, since it looks up tens of thousands of stories: the number of the last key
 * that it shares with the article (16 bits), the sum of the weights of those keys (16). 0: it was not found.
 */
type SharedKeys = number
const lastKey = (shared: SharedKeys): number => shared >>> 16
const keyWeights = (shared: SharedKeys): number => shared & 0xffff
/** Known of a story that is near in time and shares no key that was read. */
const NEAR: SharedKeys = (MOST_KEYS + 1) << 16

/** Finds the live stories that share one of the rarest keys, or are near in time. Returns whether the article has a rare key. */
function find({ index, article, live, own }: Search, isNearIfCommon: boolean): boolean {
  found.length = 0
  const window = windowOf(index, live)
  const keys = readPostings(index, article, window)
  for (const [i, key] of keys.entries()) share(index, key, i + 1)
  const hasRareKey = keys.length > 0
  const isKeyless = !article.hasBody || isForeign(article) || (isNearIfCommon && !hasRareKey)
  markNear(index, { time: article.time, isKeyless }, window)
  compareBriefs(index, own)
  return hasRareKey
}

function compareBriefs({ briefs }: LiveIndex, own: Uint32Array): void {
  const { buffer, length } = found
  if (length > foundBriefs.length) foundBriefs = new Int32Array(2 * length)
  readAhead(briefs, BRIEF_WORDS, found)
  for (let i = 0; i < length; i++) foundBriefs[i] = briefHamming(own, briefs, (buffer[i] ?? 0) * BRIEF_WORDS)
}

/** Adds a key, with its number in the search, to each story that has it, once. */
function share({ shared }: LiveIndex, { weight, from, to }: KeyPostings, number: number): void {
  const { buffer } = posted
  for (let i = from; i < to; i++) {
    const slot = buffer[i] ?? 0
    const known = shared[slot] ?? 0
    if (lastKey(known) === number) continue
    shared[slot] = (number << 16) + keyWeights(known) + weight
    if (known === 0) addSlot(found, slot)
  }
}

/** The articles of live stories, of the window's days, that have a key of the article: for each key that is rare. */
function readPostings(index: LiveIndex, article: Features, window: SearchWindow): KeyPostings[] {
  const keys: KeyPostings[] = []
  posted.length = 0
  for (const term of termsIn(article, SECTIONS.keys)) {
    const from = posted.length
    if (!readKey(index, term >>> HASH_SHIFT, window)) posted.length = from
    else keys.push({ weight: term & WEIGHT_BITS, from, to: posted.length })
  }
  keys.sort((a, b) => a.to - a.from - (b.to - b.from)) // terms are in order of their hashes, which breaks ties
  return keys.slice(0, MOST_KEYS)
}

/** Returns whether all articles with the key are read: it is rare. Most common keys are found before any is read. */
function readKey(index: LiveIndex, key: number, { days, live }: SearchWindow): boolean {
  const from = posted.length
  let count = 0
  for (const { day, isWhole } of days) {
    if (isWhole) count += day.postings.atLeast(key)
    if (count > MOST_WITH_KEY) return false
  }
  for (const { day, isWhole } of days) {
    const start = posted.length
    day.postings.collect(key, posted)
    if (!isWhole) keepLive(index, start, live)
    if (posted.length - from > MOST_WITH_KEY) return false
  }
  return true
}

/** Keeps, of the articles read from `start` on, those of live stories. */
function keepLive(index: LiveIndex, start: number, live: LiveSpan): void {
  const { buffer, length } = posted
  posted.length = start
  for (let i = start; i < length; i++) {
    const slot = buffer[i] ?? 0
    if (isLive(index, slot, live)) buffer[posted.length++] = slot
  }
}

/**
 * Marks the live stories that are found without a key of the article: all if it is keyless, such as a headline, else
 * those with such an article. First those of the days nearest to the article (of two as near the earlier) while they have
 * few articles together, then those of the hours of the next day.
 */
function markNear(
  index: LiveIndex,
  { time, isKeyless }: { readonly time: number; readonly isKeyless: boolean },
  { days, live }: SearchWindow,
): void {
  let left = MOST_NEAR
  for (const { number, day, isWhole } of days.toSorted((a, b) => nearer(a.number, b.number, dayOf(time)))) {
    const hours = isKeyless ? day.hours : day.keyless
    const articles = hours.reduce((sum, { length }) => sum + length, 0)
    const ownHour = Math.floor(time / HOUR_MS) - 24 * number // outside the day less than 0 or more than 23
    for (const hour of articles > left ? hoursNear(hours, ownHour, left) : hours)
      mark(index, hour, isWhole ? null : live)
    left -= articles
    if (left < 0) return
  }
}

/** The hours of a day nearest to an hour while they have few articles. */
function hoursNear(hours: LiveIndexDay['hours'], own: number, most: number): Slots[] {
  const near = [...hours.entries()].sort(([a], [b]) => nearer(a, b, own)).map(([, hour]) => hour)
  let read = 0
  const end = near.findIndex(({ length }) => (read += length) > most)
  return end < 0 ? near : near.slice(0, end)
}

/** Orders two numbers by their distance from a third, of two as near the smaller first. */
const nearer = (a: number, b: number, own: number): number => Math.abs(a - own) - Math.abs(b - own) || a - b

/** Marks stories; if a span is given, those with an article in it. */
function mark(index: LiveIndex, { buffer, length }: Slots, live: LiveSpan | null): void {
  const { shared } = index
  for (let i = 0; i < length; i++) {
    const slot = buffer[i] ?? 0
    if (shared[slot] !== 0 || (live !== null && !isLive(index, slot, live))) continue
    shared[slot] = NEAR
    addSlot(found, slot)
  }
}

function sketchOf(article: Features, mu: Float32Array): Uint32Array {
  const own = new Uint32Array(SKETCH_WORDS)
  sketch([article], mu, { into: own, offset: 0 })
  return own
}

/** The stories found that are nearest by sketch. */
function nearestBySketch({ index, own }: Search, limit: number): number[] {
  if (limit === 0) return []
  keepAlike()
  return nearestOfAlike(index.bySlot, { own, sketches: index.sketches }, limit)
}

interface SketchSearch {
  readonly own: Uint32Array
  readonly sketches: Uint32Array
}

/** Of the stories kept in `alike`, those whose sketches differ least. */
function nearestOfAlike(bySlot: LiveIndex['bySlot'], { own, sketches }: SketchSearch, limit: number): number[] {
  const { buffer, length } = alike
  const into = distancesFor(length)
  readAhead(sketches, SKETCH_WORDS, alike)
  for (let i = 0; i < length; i++) into[i] = hamming(own, sketches, (buffer[i] ?? 0) * SKETCH_WORDS)
  return lowest(bySlot, { slots: alike, distances: into }, { limit, most: SKETCH_BITS })
}

/** Keeps at most `MOST_SKETCHED` of the stories found, those whose sketches begin most alike. */
function keepAlike(): void {
  const { buffer, length } = found
  const counts = new Int32Array(BRIEF_BITS + 1)
  for (let i = 0; i < length; i++) {
    const distance = foundBriefs[i] ?? 0
    counts[distance] = (counts[distance] ?? 0) + 1
  }
  const bound = boundOfAlike(counts)
  alike.length = 0
  for (let i = 0; i < length; i++) if ((foundBriefs[i] ?? 0) < bound) addSlot(alike, buffer[i] ?? 0)
}

/**
 * Reads a word of each row and keeps nothing. A loop as short as this one has many reads under way at a time, so the
 * loop that follows finds its rows in the cache and takes half as long in all.
 */
function readAhead(rows: Uint32Array, words: number, { buffer, length }: Slots): void {
  let sum = 0
  for (let i = 0; i < length; i++) sum ^= rows[(buffer[i] ?? 0) * words] ?? 0
  aheadRead[0] = sum // a result that is used: else the compiler may leave out the loop
}

/** The distance below which there are as many as possible, at most `MOST_SKETCHED`. */
function boundOfAlike(counts: Int32Array): number {
  let bound = 0
  for (let within = counts[0] ?? 0; bound < counts.length && within <= MOST_SKETCHED;) within += counts[++bound] ?? 0
  return bound
}

/** The most stories that are compared across languages. */
const MOST_ACROSS = 32

/** The stories found that are nearest by cross-language sketch; for an article in English, of those without English. */
function nearestAcrossLanguages({ index, article }: Search): number[] {
  if (index.allForeign === 0 && !isForeign(article)) return []
  crossSketch([article], { into: ownCross, offset: 0 })
  keepAcross(index, isForeign(article))
  return nearestOfAlike(index.bySlot, { own: ownCross, sketches: index.crossSketches }, MOST_ACROSS)
}

/** Keeps of the stories found all, or those without an article in English. */
function keepAcross(index: LiveIndex, all: boolean): void {
  const { buffer, length } = found
  alike.length = 0
  for (let i = 0; i < length; i++) {
    const slot = buffer[i] ?? 0
    if (all || hasNoEnglish(index, slot)) addSlot(alike, slot)
  }
}

const ownCross = new Uint32Array(SKETCH_WORDS)

/** Of stories that share keys of equal weight, those whose sketches begin more alike come first: in steps of 8 bits. */
const BRIEF_STEPS = BRIEF_BITS / 8

/** The stories found that share most keys. */
function nearestByKeys({ shared, bySlot }: LiveIndex, limit: number): number[] {
  const { buffer, length } = found
  const into = distancesFor(length)
  const most = distancesByKeys(shared, into)
  const bound = boundOf(into.subarray(0, length), { limit, most: most - 1 })
  const nearest: number[] = []
  alike.length = 0
  for (let i = 0; i < length; i++) {
    const distance = into[i] ?? 0
    if (distance < bound) nearest.push(buffer[i] ?? 0)
    if (distance === bound) keepTied(i, into)
  }
  const tied = { slots: alike, distances: into }
  return nearest.concat(lowest(bySlot, tied, { limit: limit - nearest.length, most: BRIEF_STEPS }))
}

/** Writes how much less weight than the heaviest of the stories found each of them shares. Returns the largest weight. */
function distancesByKeys(shared: Uint32Array, into: Int32Array): number {
  const { buffer, length } = found
  let most = 0
  for (let i = 0; i < length; i++) {
    const weight = keyWeights(shared[buffer[i] ?? 0] ?? 0)
    into[i] = weight
    most = Math.max(most, weight)
  }
  for (let i = 0; i < length; i++) into[i] = most - (into[i] ?? 0)
  return most
}

/** Adds a story found to `alike`, with the distance of its sketch: in the same array, of which the start is read already. */
function keepTied(i: number, into: Int32Array): void {
  into[alike.length] = (foundBriefs[i] ?? 0) >> 3
  addSlot(alike, found.buffer[i] ?? 0)
}

let distances = new Int32Array(1_024)

/** Working memory for so many distances. */
function distancesFor(length: number): Int32Array {
  if (length > distances.length) distances = new Int32Array(2 * length)
  return distances
}
