import { DAY_MS, dayOf } from '../../domain/days.ts'
import type { Features } from './features.ts'
import { posted, updateSketches, type Cluster, type LiveIndexDay, type LiveIndex } from './live-index.ts'
import { SECTIONS, termsIn } from './packed-features.ts'
import type { Weights } from '../../language/clustering/model.ts'
import { hamming, sketch, SKETCH_WORDS } from './sketch.ts'
import { HASH_SHIFT, WEIGHT_BITS } from './terms.ts'

interface Settings {
  readonly weights: Pick<Weights, 'candidates' | 'join'>
  readonly mu: Float32Array
}

/**
 * Stories to compare with an article: of those live for it that share a rare key with it, the nearest by sketch and
 * those that share the rarest keys (at most 32 of each). An article that shares no rare key with a story does not report
 * its event. The result depends only on the stories with an article on the days of the window, not on what else is in
 * memory.
 */
export function candidates(index: LiveIndex, article: Features, { weights, mu }: Settings): Cluster[] {
  updateSketches(index, { mu, compared: weights.join.members_compared })
  const windowMs = weights.join.window_days * DAY_MS
  const live = { from: article.time - windowMs, to: article.time + windowMs }
  const sharing = sharingKeys(index, postingsOf(index, article, live), live)
  const bySketch = nearestBySketch(index, sharing, { own: sketchOf(article, mu), limit: weights.candidates.by_sketch })
  return [...new Set([...bySketch, ...nearestByKeys(sharing, weights.candidates.by_keys)])]
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
  readonly length: number
  /** Slots, by day. */
  readonly days: readonly (readonly number[])[]
}

/** The articles of the window's days that have a key of the article: the rarest keys. */
function postingsOf(index: LiveIndex, article: Features, { from, to }: LiveSpan): KeyPostings[] {
  const days = daysBetween(index, dayOf(from), dayOf(to))
  const found: KeyPostings[] = []
  for (const term of termsIn(article, SECTIONS.keys)) {
    const ofDays = days.map((day) => posted(day, term >>> HASH_SHIFT)).filter((slots) => slots.length > 0)
    const length = ofDays.reduce((sum, slots) => sum + slots.length, 0)
    if (length > 0) found.push({ weight: term & WEIGHT_BITS, length, days: ofDays })
  }
  found.sort((a, b) => a.length - b.length) // keys are in order of their hashes, which breaks ties
  let total = 0
  return found.filter(({ length }, rank) => (total += length) <= MOST_POSTED || rank === 0)
}

function daysBetween({ days }: LiveIndex, first: number, last: number): LiveIndexDay[] {
  const between: LiveIndexDay[] = []
  for (let number = first; number <= last; number++) {
    const day = days.get(number)
    if (day !== undefined) between.push(day)
  }
  return between
}

/** A live story and the sum of the weights of the distinct keys that it shares with the article. */
interface SharingCluster {
  readonly cluster: Cluster
  readonly shared: number
}

function sharingKeys(index: LiveIndex, postings: readonly KeyPostings[], live: LiveSpan): SharingCluster[] {
  const { sums, lastKeys } = index
  const touched: number[] = []
  postings.forEach(({ weight, days }, key) => {
    for (const slots of days) {
      for (const slot of slots) {
        if (lastKeys[slot] === key + 1) continue
        if (lastKeys[slot] === 0) touched.push(slot)
        lastKeys[slot] = key + 1
        sums[slot] = (sums[slot] ?? 0) + weight
      }
    }
  })
  return touched.flatMap((slot) => {
    const shared = sums[slot] ?? 0
    sums[slot] = 0
    lastKeys[slot] = 0
    const cluster = index.bySlot[slot]
    return cluster !== undefined && isLive(index, cluster, live) ? [{ cluster, shared }] : []
  })
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

const nearestBySketch = (
  { sketches }: LiveIndex,
  sharing: readonly SharingCluster[],
  { own, limit }: SketchSearch,
): Cluster[] =>
  nearest(
    sharing.map(({ cluster }) => ({ cluster, distance: hamming(own, sketches, cluster.slot * SKETCH_WORDS) })),
    limit,
  )

const nearestByKeys = (sharing: readonly SharingCluster[], limit: number): Cluster[] =>
  nearest(
    sharing.map(({ cluster, shared }) => ({ cluster, distance: -shared })),
    limit,
  )

interface FoundCluster {
  readonly cluster: Cluster
  /** Smaller is nearer. */
  readonly distance: number
}

/** The `limit` nearest stories; ties by smaller story id. Distances are integers: they sort faster than stories. */
function nearest(found: readonly FoundCluster[], limit: number): Cluster[] {
  const bound = found.length <= limit ? Infinity : Int32Array.from(found, ({ distance }) => distance).sort()[limit - 1]
  return found
    .filter(({ distance }) => distance <= (bound ?? -Infinity))
    .sort((a, b) => a.distance - b.distance || (a.cluster.id < b.cluster.id ? -1 : 1))
    .slice(0, limit)
    .map(({ cluster }) => cluster)
}
