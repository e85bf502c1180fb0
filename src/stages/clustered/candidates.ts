import type { Features } from './features.ts'
import { dayOf } from './days.ts'
import { nearestMembers, posted, type Cluster, type Day, type LiveIndex } from './live-index.ts'
import type { Weights } from './model.ts'
import { hamming, sketch, SKETCH_WORDS } from './sketch.ts'

const DAY_MS = 86_400_000

interface Settings {
  readonly weights: Pick<Weights, 'candidates' | 'join'>
  readonly mu: Float32Array
}

/**
 * Stories worth comparing with an article: those live for it that are nearest by sketch, and those that share the rarest
 * keys with it (together at most twice 32). The choice hangs on those stories alone, not on what else is in memory.
 */
export function candidates(index: LiveIndex, article: Features, { weights, mu }: Settings): Cluster[] {
  const windowMs = weights.join.window_days * DAY_MS
  const live = liveSlots(index, article.time, windowMs)
  const bySketch = nearest(scoreSketches(index, live, sketchOf(article, mu)), weights.candidates.by_sketch)
  const byKeys = nearest(scoreKeys(index, { live, article, windowMs }), weights.candidates.by_keys)
  return [...new Set([...bySketch, ...byKeys])]
}

interface Found {
  readonly cluster: Cluster
  /** Smaller is nearer. */
  readonly distance: number
}

/** The `limit` nearest; where distances are equal, the smaller story id. */
function nearest(found: readonly Found[], limit: number): Cluster[] {
  const bound = found.length <= limit ? Infinity : Float64Array.from(found, (f) => f.distance).sort()[limit - 1]
  const near = found.filter(({ distance }) => distance <= (bound ?? Infinity))
  near.sort((a, b) => a.distance - b.distance || (a.cluster.id < b.cluster.id ? -1 : 1))
  return near.slice(0, limit).map(({ cluster }) => cluster)
}

/** Slots of the stories with a member within the window of `time`. */
function liveSlots(index: LiveIndex, time: number, windowMs: number): Set<number> {
  const live = new Set<number>()
  const first = dayOf(time - windowMs)
  const last = dayOf(time + windowMs)
  for (let day = first; day <= last; day++) {
    const inside = day > first && day < last
    for (const slot of index.days.get(day)?.slots.keys() ?? []) {
      if (inside || isLive(index.bySlot[slot], time, windowMs)) live.add(slot)
    }
  }
  return live
}

function isLive(cluster: Cluster | undefined, time: number, windowMs: number): boolean {
  const [member] = cluster === undefined ? [] : nearestMembers(cluster, time, 1)
  return member !== undefined && Math.abs(member.features.time - time) <= windowMs
}

function sketchOf({ lead }: Features, mu: Float32Array): Uint32Array {
  const own = new Uint32Array(SKETCH_WORDS)
  sketch([lead], mu, { into: own, offset: 0 })
  return own
}

function scoreSketches(index: LiveIndex, live: ReadonlySet<number>, own: Uint32Array): Found[] {
  const found: Found[] = []
  for (const slot of live) {
    const cluster = index.bySlot[slot]
    if (cluster !== undefined) found.push({ cluster, distance: hamming(own, index.sketches, slot * SKETCH_WORDS) })
  }
  return found
}

interface Search {
  readonly live: ReadonlySet<number>
  readonly article: Features
  readonly windowMs: number
}

/** Each story's distance is minus the sum of the idf of the keys it shares with the article, each key once. */
function scoreKeys(index: LiveIndex, { live, article, windowMs }: Search): Found[] {
  const days = daysAround(index, article.time, windowMs)
  const sums = new Map<number, number>()
  article.keys.hashes.forEach((key, i) => {
    const weight = article.keys.weights[i] ?? 0
    for (const slot of sharing(days, key)) if (live.has(slot)) sums.set(slot, (sums.get(slot) ?? 0) + weight)
  })
  const found: Found[] = []
  for (const [slot, sum] of sums) {
    const cluster = index.bySlot[slot]
    if (cluster !== undefined) found.push({ cluster, distance: -sum })
  }
  return found
}

function daysAround(index: LiveIndex, time: number, windowMs: number): Day[] {
  const days: Day[] = []
  for (let number = dayOf(time - windowMs); number <= dayOf(time + windowMs); number++) {
    const day = index.days.get(number)
    if (day !== undefined) days.push(day)
  }
  return days
}

/** Slots of the stories that have a key on one of the days, each once. */
function sharing(days: readonly Day[], key: number): Set<number> {
  const slots = new Set<number>()
  for (const day of days) for (const slot of posted(day, key)) slots.add(slot)
  return slots
}
