import { retryAfter } from './errors.ts'

export type Fetch = (request: Request) => Promise<Response>

/** Waits for some milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException('ended', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const MAX_WAIT_S = 60

/**
 * Retries after 429 or 503, at most `retries` times, and waits for Retry-After (1 s by default) before each retry. Only
 * requests that are safe to repeat are retried: GET, and requests with an Idempotency-Key.
 */
export const withRetries =
  (fetch: Fetch, retries: number): Fetch =>
  async (request) => {
    for (let left = isRepeatable(request) ? retries : 0; ; left--) {
      const response = await fetch(left > 0 ? request.clone() : request)
      if (left === 0 || !isRetryable(response)) return response
      await response.body?.cancel()
      await wait(Math.min(retryAfter(response) ?? 1, MAX_WAIT_S) * 1_000, request.signal)
    }
  }

const isRetryable = ({ status }: Response): boolean => status === 429 || status === 503

const isRepeatable = ({ method, headers }: Request): boolean => method === 'GET' || headers.has('idempotency-key')
