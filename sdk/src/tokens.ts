/** A hit of token search, as far as de-duplication goes. */
export interface TokenHit {
  /** Cosine distance, 0 to 2. */
  readonly distance: number
  readonly metadata: { readonly source_id: string }
}

/** One hit an article, its nearest, in the order they came: an article can appear several times in a token search. */
export function onePerSource<Hit extends TokenHit>(hits: readonly Hit[]): Hit[] {
  const nearest = new Map<string, Hit>()
  for (const hit of hits) {
    const known = nearest.get(hit.metadata.source_id)
    if (known === undefined || hit.distance < known.distance) nearest.set(hit.metadata.source_id, hit)
  }
  return hits.filter((hit) => nearest.get(hit.metadata.source_id) === hit)
}
