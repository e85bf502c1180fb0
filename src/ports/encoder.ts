/** Text to vectors; every vector float32[384], unit length. A model that is away throws: try again. */
export interface Encoder {
  /** First 12 hex digits of the model file's SHA-256 (or the endpoint's model name): in every event it touched. */
  readonly model: string
  readonly dim: number
  /** Each text encoded alone, cut to 126 word pieces. */
  sentences(texts: readonly string[]): Promise<readonly Float32Array[]>
  /** Title (its first 60 pieces) and then the body, cut to 126 pieces together: one window, one vector. */
  leads(articles: readonly { readonly title: string; readonly body: string }[]): Promise<readonly Float32Array[]>
  close(): Promise<void>
}
