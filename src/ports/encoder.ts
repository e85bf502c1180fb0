/**
 * Converts text to vectors; every vector is float32[384], unit length. Throws if the model is unavailable, so that the
 * caller retries.
 */
export interface Encoder {
  /**
   * First 12 hex digits of the model file's SHA-256 (or the endpoint's model name). Recorded in every event that used
   * it.
   */
  readonly model: string
  readonly dim: number
  /** How `passages` computes article and term vectors, as names. Vectors of different kinds must not be compared. */
  readonly kinds: { readonly article: string; readonly term: string }
  /** Each text encoded alone, truncated to 126 word pieces. */
  sentences(texts: readonly string[]): Promise<readonly Float32Array[]>
  /** Title (its first 60 pieces) followed by the body, truncated to 126 pieces together: one window, one vector. */
  leads(articles: readonly { readonly title: string; readonly body: string }[]): Promise<readonly Float32Array[]>
  /** Encodes the beginning of articles, with all vectors that Layer 0 needs. */
  passages(passages: readonly Passage[]): Promise<readonly PassageVectors[]>
  close(): Promise<void>
}

/** The part of an article that Layer 0 encodes. */
export interface Passage {
  /** Empty if there is none. */
  readonly title: string
  /** The first sentences of the body. Those that do not fit the window are ignored. */
  readonly sentences: readonly string[]
  /** Terms whose contextual vectors are requested. */
  readonly terms: readonly Term[]
}

/** A word or phrase by position: character offsets into one of the sentences, end exclusive. */
export interface Term {
  /** Index into `sentences`; -1 for the title. */
  readonly sentence: number
  readonly start: number
  readonly end: number
}

export interface PassageVectors {
  /** The title alone; the lead if there is no title. */
  readonly title: Float32Array
  /** As `leads` returns it for the same article. */
  readonly lead: Float32Array
  /** The vector of the article that search compares. */
  readonly article: Float32Array
  /** One per term, in order; `null` if the term is outside the window. */
  readonly terms: readonly (Float32Array | null)[]
}
