/** Words of one sentence, as `language/recogniser/words.ts` splits them. */
export type SentenceWords = readonly string[]

/** Finds names. Throws if the model is unavailable, so that the caller retries. */
export interface Tagger {
  /** Kind and hash of the weights, such as `tagger:afdb6f1a0e45`. Recorded in every event that used it. */
  readonly model: string
  /**
   * Tags every word of an article's sentences. Pass the sentences in text order, so that they can serve as context for
   * each other. Returns indexes into `TAGS` of `language/recogniser/tags.ts`, a legal sequence for each sentence.
   */
  tags(sentences: readonly SentenceWords[]): Promise<readonly Uint8Array[]>
}
