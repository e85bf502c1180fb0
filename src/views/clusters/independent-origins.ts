/** A member as far as it matters whose account it gives. */
export interface OfOrigin {
  readonly origin: string
  /** The origin that stands for this one; empty: none does. */
  readonly from_origin: string
}

/** Each origin, and the independent one that stands for it in the end: itself, where it is one. */
export function independent(members: readonly OfOrigin[]): ReadonlyMap<string, string> {
  const from = new Map<string, string>()
  for (const { origin, from_origin } of members) {
    const known = from.get(origin) ?? ''
    if (from_origin > known) from.set(origin, from_origin)
  }
  const root = (origin: string, hops: number): string => {
    const next = from.get(origin)
    return next === undefined || hops === 0 ? origin : root(next, hops - 1)
  }
  return new Map(members.map(({ origin }) => [origin, root(origin, from.size)]))
}
