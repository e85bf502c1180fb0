import { InferenceClientProviderOutputError } from '@huggingface/inference'

export interface EndpointOptions {
  /** Required: without it the client would call the public hub. For text-embeddings-inference, its `/embed`. */
  readonly url: string
  readonly token: string | undefined
  /** The model behind the endpoint, recorded in every event. */
  readonly model: string
  /** Timeout of a call. A call that times out is retried. */
  readonly timeoutMs?: number
}

/** Options of `p-map`: concurrent calls to an endpoint. The endpoint batches them itself. */
export const CONCURRENT_CALLS = { concurrency: 4 }

/** Options of one call. The client would retry a 503 without back-off; the stage retries with back-off instead. */
export const callOptions = (timeoutMs = 30_000) => ({ retry_on_error: false, signal: AbortSignal.timeout(timeoutMs) })

/** The response of a call. Throws an error that names the endpoint if it fails or the response is not `expected`. */
export async function answerOf(call: Promise<unknown>, endpoint: string, expected: string): Promise<unknown> {
  try {
    return await call
  } catch (cause) {
    const answered = cause instanceof InferenceClientProviderOutputError
    throw new Error(`${endpoint} ${answered ? `returned no ${expected}` : 'did not answer'}`, { cause })
  }
}
