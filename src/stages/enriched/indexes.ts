import { countBefore } from '../../state/binary-search.ts'

/** Index from a value (an entity, a URL) to the keys that have it; never an empty set. */
export type KeysBy<By extends string = string> = Map<By, Set<string>>

export function addTo<By extends string>(index: KeysBy<By>, by: By, key: string): void {
  const keys = index.get(by)
  if (keys === undefined) index.set(by, new Set([key]))
  else keys.add(key)
}

export function takeFrom<By extends string>(index: KeysBy<By>, by: By, key: string): void {
  const keys = index.get(by)
  keys?.delete(key)
  if (keys?.size === 0) index.delete(by)
}

const NONE: ReadonlySet<string> = new Set()

export const keysBy = (index: ReadonlyMap<string, ReadonlySet<string>>, by: string | null): ReadonlySet<string> =>
  by === null ? NONE : (index.get(by) ?? NONE)

/** A term to the arrivals (offsets, ascending) of the posts that contain it. */
export type TermArrivals = Map<string, number[]>

export function countTerms(counts: TermArrivals, terms: readonly string[], arrival: number): void {
  for (const term of terms) {
    const arrivals = counts.get(term)
    if (arrivals === undefined) counts.set(term, [arrival])
    else if ((arrivals.at(-1) ?? 0) <= arrival) arrivals.push(arrival)
    else arrivals.splice(upTo(arrivals, arrival), 0, arrival)
  }
}

export function uncountTerms(counts: TermArrivals, terms: readonly string[], arrival: number): void {
  for (const term of terms) {
    const arrivals = counts.get(term) ?? []
    const at = upTo(arrivals, arrival) - 1
    if (arrivals[at] === arrival) arrivals.splice(at, 1)
    if (arrivals.length === 0) counts.delete(term)
  }
}

/**
 * Number of posts with the term that had arrived by then. Later posts are ignored, so the result does not depend on
 * when it is computed.
 */
export const postsWith = (counts: TermArrivals, term: string, arrival: number): number =>
  upTo(counts.get(term) ?? [], arrival)

/** The number of values up to `limit` in an ascending list. */
const upTo = (ascending: readonly number[], limit: number): number =>
  countBefore(ascending.length, (i) => (ascending[i] ?? Infinity) <= limit)
