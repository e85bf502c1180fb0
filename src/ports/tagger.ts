/** Words of one sentence, as `language/recogniser/words.ts` splits them. */
export type SentenceWords = readonly string[]

/** Finds names. A model that is away throws: try again. */
export interface Tagger {
  /** Kind and hash of the weights, `tagger:afdb6f1a0e45`: in every event it touched. */
  readonly model: string
  /**
   * Tags of every word of one article's sentences, which are in the order of the text, so that one may be read beside
   * the other: indexes into `TAGS` of `language/recogniser/tags.ts`, legal within each sentence.
   */
  tags(sentences: readonly SentenceWords[]): Promise<readonly Uint8Array[]>
}
