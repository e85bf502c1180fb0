import { InferenceClientProviderOutputError } from '@huggingface/inference'

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

/** Options of one call. The client would retry a 503 without a pause; the stage backs off. */
export const callOptions = (timeoutMs = 30_000) => ({ retry_on_error: false, signal: AbortSignal.timeout(timeoutMs) })

/** The answer of a call. Throws an error that says which endpoint did not answer, or did not return what was `expected`. */
export async function answerOf(call: Promise<unknown>, endpoint: string, expected: string): Promise<unknown> {
  try {
    return await call
  } catch (cause) {
    const answered = cause instanceof InferenceClientProviderOutputError
    throw new Error(`${endpoint} ${answered ? `returned no ${expected}` : 'did not answer'}`, { cause })
  }
}
