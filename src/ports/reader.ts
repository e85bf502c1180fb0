/** Words of a sentence, as `language/recogniser/words.ts` splits them. */
export interface Words {
  readonly texts: readonly string[]
  /** Character offsets into the whole text, end exclusive. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** A sentence of a text and its words; character offsets into the whole text, end exclusive. */
export interface SentenceInWords {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly words: Words
}

/** Finds names. Throws if the model is unavailable, so that the caller retries. */
export interface Tagger {
  /** Kind and hash of the weights, such as `reader:afdb6f1a0e45`. Recorded in every event that used it. */
  readonly model: string
  /**
   * Tags every word of an article's sentences. Pass the sentences in text order, so that they can serve as context for
   * each other. Returns indexes into `TAGS` of `language/recogniser/tags.ts`, a legal sequence for each sentence.
   */
  tags(sentences: readonly SentenceInWords[]): Promise<readonly Uint8Array[]>
}

/**
 * Reads the sentences of an article: names, vectors and sentiment, from one pass of a model. Throws if the model is
 * unavailable, so that the caller retries.
 */
export interface Reader {
  /** Kind and hash of the weights of each part. Recorded in every event that used them. */
  readonly models: {
    /** Of the vectors. Vectors of different models must not be compared. */
    readonly encoder: string
    readonly recogniser: string
    readonly sentiment: string
  }
  /** Components of a vector. */
  readonly dim: number
  /**
   * Pass all sentences of an article in text order, since they are context for each other. Returns one result per
   * sentence, for the first sentences, as far as the model reads.
   */
  read(sentences: readonly SentenceInWords[]): Promise<readonly SentenceReading[]>
}

export interface SentenceReading {
  /** The tag of each word, as of `Tagger.tags`. */
  readonly tags: Uint8Array
  /** float32[dim], unit length. */
  readonly vector: Float32Array
  /**
   * Sentiment of the whole sentence and towards each target, -1 (negative) to 1 (positive). Targets are spans of the
   * text; one that overlaps no word that was read gets the sentiment of the sentence.
   */
  readonly sentiment: (targets: readonly { readonly start: number; readonly end: number }[]) => SentenceSentiment
}

export interface SentenceSentiment {
  readonly sentence: number
  /** In the order of the request. */
  readonly targets: readonly number[]
}
