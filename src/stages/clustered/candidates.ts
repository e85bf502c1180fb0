import { DAY_MS, dayOf } from '../../domain/days.ts'
import type { Features } from './features.ts'
import { posted, type Cluster, type LiveIndexDay, type LiveIndex } from './live-index.ts'
import type { Weights } from '../../language/clustering/model.ts'
import { hamming, sketch, SKETCH_BITS, SKETCH_WORDS } from './sketch.ts'

interface Settings {
  readonly weights: Pick<Weights, 'candidates' | 'join'>
  readonly mu: Float32Array
}

/**
 * Stories to compare with an article: of those live for it, the nearest by sketch and those that share the rarest keys
 * with it (at most 32 of each). The result depends only on these stories, not on what else is in memory.
 */
export function candidates(index: LiveIndex, article: Features, { weights, mu }: Settings): Cluster[] {
  const live = liveSlots(index, article.time, weights.join.window_days * DAY_MS)
  const bySketch = nearestBySketch(index, live, { own: sketchOf(article, mu), limit: weights.candidates.by_sketch })
  const byKeys = nearestByKeys(index, live, { own: article, limit: weights.candidates.by_keys })
  return [...new Set([...bySketch, ...byKeys])]
}

/** The stories with a member within the window around a point in time. */
interface ClusteredLive {
  readonly days: readonly LiveIndexDay[]
  /** By slot: 1 if the story is live. */
  readonly is: Uint8Array
  /** The live slots in ascending order; `count` of them. */
  readonly slots: Int32Array
  readonly count: number
}

function liveSlots(index: LiveIndex, time: number, windowMs: number): ClusteredLive {
  const is = new Uint8Array(index.bySlot.length)
  const slots = new Int32Array(is.length)
  let count = 0
  for (let slot = 0; slot < is.length; slot++) {
    if (!isLive(index, slot, { from: time - windowMs, to: time + windowMs })) continue
    is[slot] = 1
    slots[count++] = slot
  }
  return { days: daysBetween(index, dayOf(time - windowMs), dayOf(time + windowMs)), is, slots, count }
}

/**
 * Most stories are found by their first and last member. A story that starts before and ends after the window may have
 * no member in it.
 */
function isLive(
  { spans, bySlot }: LiveIndex,
  slot: number,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const first = spans[2 * slot] ?? Infinity
  const last = spans[2 * slot + 1] ?? -Infinity
  if (first > to || last < from) return false
  if (first >= from || last <= to) return true
  return bySlot[slot]?.members.some(({ features }) => features.time >= from && features.time <= to) === true
}

function daysBetween({ days }: LiveIndex, first: number, last: number): LiveIndexDay[] {
  const between: LiveIndexDay[] = []
  for (let number = first; number <= last; number++) {
    const day = days.get(number)
    if (day !== undefined) between.push(day)
  }
  return between
}

function sketchOf({ lead }: Features, mu: Float32Array): Uint32Array {
  const own = new Uint32Array(SKETCH_WORDS)
  sketch([lead], mu, { into: own, offset: 0 })
  return own
}

interface Search<Own> {
  readonly own: Own
  readonly limit: number
}

/** Distances are small integers, so a counting sort finds the bound without sorting thousands of stories. */
function nearestBySketch(
  index: LiveIndex,
  { slots, count }: ClusteredLive,
  { own, limit }: Search<Uint32Array>,
): Cluster[] {
  const distances = new Uint16Array(count)
  const counts = new Uint32Array(SKETCH_BITS + 1)
  for (let i = 0; i < count; i++) {
    const distance = hamming(own, index.sketches, (slots[i] ?? 0) * SKETCH_WORDS)
    distances[i] = distance
    counts[distance] = (counts[distance] ?? 0) + 1
  }
  const bound = boundOf(counts, limit)
  const found: FoundCluster[] = []
  for (let i = 0; i < count; i++) {
    const distance = distances[i] ?? 0
    if (distance <= bound) add(found, index.bySlot[slots[i] ?? 0], distance)
  }
  return nearest(found, limit)
}

/** The smallest distance within which there are `limit` stories, or the greatest distance. */
function boundOf(counts: Uint32Array, limit: number): number {
  let bound = 0
  let within = counts[0] ?? 0
  while (within < limit && bound < SKETCH_BITS) within += counts[++bound] ?? 0
  return bound
}

/** A story's distance is the negative sum of the idf of the distinct keys it shares with the article. */
function nearestByKeys(index: LiveIndex, live: ClusteredLive, { own: { keys }, limit }: Search<Features>): Cluster[] {
  const { sums, touched } = sharedWeights(live, keys)
  const bound =
    touched.length <= limit ? Infinity : Float64Array.from(touched, (slot) => -(sums[slot] ?? 0)).sort()[limit - 1]
  const found: FoundCluster[] = []
  for (const slot of touched) {
    const distance = -(sums[slot] ?? 0)
    if (distance <= (bound ?? Infinity)) add(found, index.bySlot[slot], distance)
  }
  return nearest(found, limit)
}

interface Shared {
  /** By slot. */
  readonly sums: Float64Array
  /** Slots that share a key. */
  readonly touched: readonly number[]
}

function sharedWeights({ days, is }: ClusteredLive, { hashes, weights }: Features['keys']): Shared {
  const sums = new Float64Array(is.length)
  const lastKey = new Uint16Array(is.length)
  const touched: number[] = []
  const share = (slot: number, key: number): void => {
    if (is[slot] !== 1 || lastKey[slot] === key + 1) return
    if (lastKey[slot] === 0) touched.push(slot)
    lastKey[slot] = key + 1
    sums[slot] = (sums[slot] ?? 0) + (weights[key] ?? 0)
  }
  hashes.forEach((hash, key) => {
    for (const day of days) for (const slot of posted(day, hash)) share(slot, key)
  })
  return { sums, touched }
}

interface FoundCluster {
  readonly cluster: Cluster
  /** Smaller is nearer. */
  readonly distance: number
}

function add(found: FoundCluster[], cluster: Cluster | undefined, distance: number): void {
  if (cluster !== undefined) found.push({ cluster, distance })
}

/** The `limit` nearest stories; ties by smaller story id. */
function nearest(found: FoundCluster[], limit: number): Cluster[] {
  found.sort((a, b) => a.distance - b.distance || (a.cluster.id < b.cluster.id ? -1 : 1))
  return found.slice(0, limit).map(({ cluster }) => cluster)
}
