export interface EndpointOptions {
  /** Required: without it the client would call the public hub. For text-embeddings-inference its `/embed`. */
  readonly url: string
  readonly token: string | undefined
  /** The model behind the endpoint, as every event will name it. */
  readonly model: string
  /** Timeout of a call, which is then retried. */
  readonly timeoutMs?: number
}

/** Options of `p-map`: calls of an endpoint under way at once. The endpoint batches them by itself. */
export const CONCURRENT_CALLS = { concurrency: 4 }
