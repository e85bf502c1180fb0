import { DAY_MS, dayOf } from '../../domain/days.ts'
import type { Features } from './features.ts'
import { updateSketches, type Cluster, type LiveIndexDay, type LiveIndex } from './live-index.ts'
import { SECTIONS, termsIn } from './packed-features.ts'
import type { Weights } from '../../language/clustering/model.ts'
import { hamming, sketch, SKETCH_WORDS } from './sketch.ts'
import { HASH_SHIFT, WEIGHT_BITS } from './terms.ts'

interface Settings {
  readonly weights: Pick<Weights, 'candidates' | 'join'>
  readonly mu: Float32Array
}

/**
 * Stories to compare with an article, of those live for it: those that share the rarest keys with it and the nearest by
 * sketch (at most 32 of each). The sketch search looks at the stories that share a key, and at all stories of the days
 * nearest to the article while these are few. The result depends only on the stories with an article on the days of the
 * window, not on what else is in memory.
 */
export function candidates(index: LiveIndex, article: Features, { weights, mu }: Settings): Cluster[] {
  updateSketches(index, { mu, compared: weights.join.members_compared })
  const windowMs = weights.join.window_days * DAY_MS
  const live = { from: article.time - windowMs, to: article.time + windowMs }
  const found = search(index, { postings: postingsOf(index, article, live), article, live })
  const bySketch = nearestBySketch(index, found, { own: sketchOf(article, mu), limit: weights.candidates.by_sketch })
  return [...new Set([...bySketch, ...nearestByKeys(found, weights.candidates.by_keys)])]
}

/** A time span, both ends inclusive. */
interface LiveSpan {
  readonly from: number
  readonly to: number
}

/**
 * The most articles that a search looks at. Keys are read in order of the number of articles that have them, so only
 * the most common ones are left out, on days with very many articles.
 */
const MOST_POSTED = 16_384

interface KeyPostings {
  readonly weight: number
  readonly slots: readonly number[]
}

/** The articles of the window's days that have a key of the article: the rarest keys. */
function postingsOf(index: LiveIndex, article: Features, { from, to }: LiveSpan): KeyPostings[] {
  const days = daysBetween(index, dayOf(from), dayOf(to))
  const found: KeyPostings[] = []
  for (const term of termsIn(article, SECTIONS.keys)) {
    const slots: number[] = []
    for (const { postings } of days) postings.collect(term >>> HASH_SHIFT, slots, MOST_POSTED + 1)
    if (slots.length <= MOST_POSTED) found.push({ weight: term & WEIGHT_BITS, slots })
  }
  found.sort((a, b) => a.slots.length - b.slots.length) // keys are in order of their hashes, which breaks ties
  let total = 0
  return found.filter(({ slots }) => (total += slots.length) <= MOST_POSTED)
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
 * The sketch search looks at whole days, nearest first, while they have at most this many stories together (a story
 * counts once a day): headlines of one event may share no rare word.
 */
const MOST_OF_DAYS = 4_096

/** A live story and the sum of the weights of the distinct keys that it shares with the article. */
interface SharingCluster {
  readonly cluster: Cluster
  readonly shared: number
}

interface CandidateSearch {
  readonly postings: readonly KeyPostings[]
  readonly article: Features
  readonly live: LiveSpan
}

function search(index: LiveIndex, { postings, article, live }: CandidateSearch): SharingCluster[] {
  const { sums, lastKeys } = index
  const touched: number[] = []
  postings.forEach(({ weight, slots }, key) => {
    for (const slot of slots) {
      if (lastKeys[slot] === key + 1) continue
      if (lastKeys[slot] === 0) touched.push(slot)
      lastKeys[slot] = key + 1
      sums[slot] = (sums[slot] ?? 0) + weight
    }
  })
  for (const { slots } of daysNear(index, article, live)) {
    for (const slot of slots.keys()) {
      if (lastKeys[slot] !== 0) continue
      touched.push(slot)
      lastKeys[slot] = NO_KEY
    }
  }
  return touchedClusters(index, touched, live)
}

/** The live ones of these stories. Resets the working memory of the search. */
function touchedClusters(index: LiveIndex, touched: readonly number[], live: LiveSpan): SharingCluster[] {
  const { sums, lastKeys, bySlot } = index
  const found: SharingCluster[] = []
  for (const slot of touched) {
    const cluster = bySlot[slot]
    if (cluster !== undefined && isLive(index, cluster, live)) found.push({ cluster, shared: sums[slot] ?? 0 })
    sums[slot] = 0
    lastKeys[slot] = 0
  }
  return found
}

/** Greater than the number of an article's keys. */
const NO_KEY = 0xffff

/** The nearest days (of two as near the earlier first), as long as they have few stories together. */
function daysNear(index: LiveIndex, { time }: Features, { from, to }: LiveSpan): LiveIndexDay[] {
  const own = dayOf(time)
  const numbers = Array.from({ length: dayOf(to) - dayOf(from) + 1 }, (_, i) => dayOf(from) + i)
  numbers.sort((a, b) => Math.abs(a - own) - Math.abs(b - own) || a - b)
  const near: LiveIndexDay[] = []
  let total = 0
  for (const number of numbers) {
    const day = index.days.get(number)
    total += day?.slots.size ?? 0
    if (total > MOST_OF_DAYS) break
    if (day !== undefined) near.push(day)
  }
  return near
}

/**
 * Most stories are found by their first and last member. A story that starts before and ends after the window may have
 * no member in it.
 */
function isLive({ spans }: LiveIndex, { slot, members }: Cluster, { from, to }: LiveSpan): boolean {
  const first = spans[2 * slot] ?? Infinity
  const last = spans[2 * slot + 1] ?? -Infinity
  if (first > to || last < from) return false
  if (first >= from || last <= to) return true
  return members.some(({ features }) => features.time >= from && features.time <= to)
}

function sketchOf(article: Features, mu: Float32Array): Uint32Array {
  const own = new Uint32Array(SKETCH_WORDS)
  sketch([article], mu, { into: own, offset: 0 })
  return own
}

interface SketchSearch {
  readonly own: Uint32Array
  readonly limit: number
}

function nearestBySketch(
  { sketches }: LiveIndex,
  found: readonly SharingCluster[],
  { own, limit }: SketchSearch,
): Cluster[] {
  const distances = Int32Array.from(found, ({ cluster }) => hamming(own, sketches, cluster.slot * SKETCH_WORDS))
  return nearest(found, distances, limit)
}

function nearestByKeys(found: readonly SharingCluster[], limit: number): Cluster[] {
  const sharing = found.filter(({ shared }) => shared > 0)
  const distances = Int32Array.from(sharing, ({ shared }) => -shared)
  return nearest(sharing, distances, limit)
}

interface FoundCluster {
  readonly cluster: Cluster
  /** Smaller is nearer. */
  readonly distance: number
}

/** The `limit` nearest stories; ties by smaller story id. Numbers sort faster than stories, so they give the bound. */
function nearest(found: readonly SharingCluster[], distances: Int32Array, limit: number): Cluster[] {
  const bound = found.length <= limit ? Infinity : (distances.toSorted()[limit - 1] ?? -Infinity)
  const within: FoundCluster[] = []
  for (const [i, { cluster }] of found.entries()) {
    const distance = distances[i] ?? Infinity
    if (distance <= bound) within.push({ cluster, distance })
  }
  return within
    .sort((a, b) => a.distance - b.distance || (a.cluster.id < b.cluster.id ? -1 : 1))
    .slice(0, limit)
    .map(({ cluster }) => cluster)
}
