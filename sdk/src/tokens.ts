/** The fields of a token search hit that de-duplication needs. */
export interface TokenHit {
  /** Cosine distance, 0 to 2. */
  readonly distance: number
  readonly metadata: { readonly source_id: string }
}

/** Keeps the nearest hit of each article, in the original order. A token search can return several hits per article. */
export function onePerSource<Hit extends TokenHit>(hits: readonly Hit[]): Hit[] {
  const nearest = new Map<string, Hit>()
  for (const hit of hits) {
    const known = nearest.get(hit.metadata.source_id)
    if (known === undefined || hit.distance < known.distance) nearest.set(hit.metadata.source_id, hit)
  }
  return hits.filter((hit) => nearest.get(hit.metadata.source_id) === hit)
}
