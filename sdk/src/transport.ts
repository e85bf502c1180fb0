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

const LONGEST_WAIT_S = 60

/**
 * Retries after 429 or 503, at most `retries` times, and waits for Retry-After (1 s by default) before each retry. Only
 * requests that are safe to repeat are retried: GET, and requests with an Idempotency-Key.
 */
export const patient =
  (fetch: Fetch, retries: number): Fetch =>
  async (request) => {
    for (let left = mayRepeat(request) ? retries : 0; ; left--) {
      const response = await fetch(left > 0 ? request.clone() : request)
      if (left === 0 || !isLater(response)) return response
      await response.body?.cancel()
      await wait(Math.min(retryAfter(response) ?? 1, LONGEST_WAIT_S) * 1_000, request.signal)
    }
  }

const isLater = ({ status }: Response): boolean => status === 429 || status === 503

const mayRepeat = ({ method, headers }: Request): boolean => method === 'GET' || headers.has('idempotency-key')
