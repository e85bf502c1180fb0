import { countBefore } from '../../state/binary-search.ts'

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
