/** A text and its language, ISO 639-1. */
export interface CrossText {
  readonly text: string
  readonly language: string
}

/**
 * Converts texts of any language to vectors of one space, so that a text is near its translations. Throws if the model
 * is unavailable, so that the caller retries.
 */
export interface CrossEncoder {
  /** First 12 hex digits of the SHA-256 over the model's files. Recorded in every event that used it. */
  readonly model: string
  readonly dim: number
  /**
   * float32[384], unit length, one per text: truncated to 64 word pieces, less the mean of its language, which would
   * otherwise bring texts of one language together.
   */
  encode(texts: readonly CrossText[]): Promise<readonly Float32Array[]>
  close(): Promise<void>
}
