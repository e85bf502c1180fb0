/** Text to vectors; every vector float32[384], unit length. A model that is away throws: try again. */
export interface Encoder {
  /** First 12 hex digits of the model file's SHA-256 (or the endpoint's model name): in every event it touched. */
  readonly model: string
  readonly dim: number
  /** How `passages` makes an article's and a term's vector. It is in their names, since kinds must not be mixed. */
  readonly kinds: { readonly article: string; readonly term: string }
  /** Each text encoded alone, cut to 126 word pieces. */
  sentences(texts: readonly string[]): Promise<readonly Float32Array[]>
  /** Title (its first 60 pieces) and then the body, cut to 126 pieces together: one window, one vector. */
  leads(articles: readonly { readonly title: string; readonly body: string }[]): Promise<readonly Float32Array[]>
  /** The beginning of an article, once for everything Layer 0 needs of it. */
  passages(passages: readonly Passage[]): Promise<readonly PassageVectors[]>
  /** Name and hash of the sentiment weights that `readings` answers with: in every event they touched. */
  readonly sentiment: string
  /** Sentences as `sentences` encodes them, and the sentiment of each: one pass for both. */
  readings(sentences: readonly TargetedSentence[]): Promise<readonly SentenceReading[]>
  close(): Promise<void>
}

/** A sentence and the stretches of it that are mentions: character offsets into `text`, end exclusive. */
export interface TargetedSentence {
  readonly text: string
  readonly targets: readonly { readonly start: number; readonly end: number }[]
}

export interface SentenceReading {
  /** As `sentences` gives it, to the bit. */
  readonly vector: Float32Array
  /** Of the sentence as a whole, from -1 (negative) to 1 (positive). */
  readonly sentiment: number
  /** Towards each target, in order, -1 to 1; the sentence's where the encoder does not read that far. */
  readonly targets: readonly number[]
}

/** An article as Layer 0 reads it. */
export interface Passage {
  /** Empty: there is none. */
  readonly title: string
  /** The body's first sentences; those that do not fit the windows are left out. */
  readonly sentences: readonly string[]
  /** Whose vectors in context are wanted. */
  readonly terms: readonly Term[]
}

/** A word or phrase by its place: character offsets into one of the sentences, end exclusive. */
export interface Term {
  /** Index into `sentences`; -1 is the title. */
  readonly sentence: number
  readonly start: number
  readonly end: number
}

export interface PassageVectors {
  /** The title alone; the lead where there is none. */
  readonly title: Float32Array
  /** As `leads` gives it for the same article. */
  readonly lead: Float32Array
  /** The beginning of the article as search compares it. */
  readonly article: Float32Array
  /** One a term, in order; null: it stands outside the windows. */
  readonly terms: readonly (Float32Array | null)[]
}
