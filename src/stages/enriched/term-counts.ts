/** A term to the arrivals (offsets, ascending) of the posts it stands in. */
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

/** Posts with the term, of those that had arrived by then: later ones are not asked, whenever the question is put. */
export const postsWith = (counts: TermArrivals, term: string, arrival: number): number =>
  upTo(counts.get(term) ?? [], arrival)

/** How many of the ascending numbers are at most `limit`. */
function upTo(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? Infinity) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
