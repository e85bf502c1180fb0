import type { LiveIndex } from './live-index.ts'
import type { Slots } from './slots.ts'

/** Slots of stories, and how far each of them is from an article, by place in `slots`. */
interface DistancedSlots {
  readonly slots: Slots
  readonly distances: Int32Array
}

interface NearestLimits {
  readonly limit: number
  /** The largest distance that counts. */
  readonly most: number
}

/** The `limit` slots with the lowest distances, in no order; of those as far as the last, the smaller story ids. */
export function lowest(
  bySlot: LiveIndex['bySlot'],
  { slots: { buffer, length }, distances }: DistancedSlots,
  limits: NearestLimits,
): number[] {
  const bound = boundOf(distances.subarray(0, length), limits)
  const nearest: number[] = []
  const last: number[] = []
  for (let i = 0; i < length; i++) {
    const distance = distances[i] ?? 0
    if (distance <= bound) (distance < bound ? nearest : last).push(buffer[i] ?? 0)
  }
  const room = limits.limit - nearest.length
  return nearest.concat(last.length > room ? firstById(last, bySlot).slice(0, room) : last)
}

/** Reads the stories themselves, which takes longer than all else about them: only where ids decide. */
function firstById(slots: readonly number[], bySlot: LiveIndex['bySlot']): number[] {
  const named = slots.map((slot) => ({ slot, id: bySlot[slot]?.id ?? '' }))
  return named.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ slot }) => slot)
}

/** The distance within which there are at least `limit` of them, at most `most`: counted, since sorting takes longer. */
export function boundOf(known: Int32Array, { limit, most }: NearestLimits): number {
  const counts = new Int32Array(most + 1)
  for (const distance of known) if (distance <= most) counts[distance] = (counts[distance] ?? 0) + 1
  let bound = -1
  for (let within = 0; bound < most && within < limit;) within += counts[++bound] ?? 0
  return bound
}
