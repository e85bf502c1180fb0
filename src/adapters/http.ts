import { parsedUrl } from '../events/canonical-url.ts'
import type { Http, HttpRequest } from '../ports/http.ts'

export interface HttpOptions {
  /** Timeout of a whole response. */
  readonly timeoutMs: number
  /** Maximum size of a decompressed body. */
  readonly maxBytes: number
}

const DEFAULTS: HttpOptions = { timeoutMs: 20_000, maxBytes: 8 * 1024 * 1024 }

/** Errors contain the failure and the URL without its query. Headers and query may contain credentials. */
export const fetchHttp =
  (options: Partial<HttpOptions> = {}): Http =>
  async (request, signal) => {
    const { timeoutMs, maxBytes } = { ...DEFAULTS, ...options }
    const address = checked(request.url)
    try {
      return await inTime(timeoutMs, signal, async (ending) => {
        const response = await fetch(address, { ...sent(request), signal: ending })
        const body = response.body === null ? '' : (await bytesOf(response.body, maxBytes)).toString('utf8')
        return { status: response.status, headers: Object.fromEntries(response.headers), body }
      })
    } catch (cause) {
      throw noAnswer(request.method, address, cause)
    }
  }

/**
 * Runs work with a timeout and an optional abort signal, and throws the reason if it is aborted. Each request gets its
 * own signal: a signal that lives as long as the process would accumulate the listeners of all requests.
 */
export async function inTime<Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (ending: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const abort = (): void => ending.abort(new DOMException('ended', 'AbortError'))
  const late = setTimeout(() => ending.abort(new DOMException('too slow', 'TimeoutError')), timeoutMs)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted === true) abort()
  try {
    return await work(ending.signal)
  } catch (cause) {
    throw ending.signal.aborted ? ending.signal.reason : cause
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', abort)
  }
}

const sent = ({ method, headers, body }: HttpRequest) => ({
  method,
  headers: { 'user-agent': 'story-intelligence-service', ...headers },
  body,
  redirect: 'manual' as const,
})

/** Whether credentials may be sent to a URL: over TLS, or to this machine (a test server). */
export function isSafeAddress(url: string): boolean {
  const parsed = parsedUrl(url)
  if (parsed === null) return false
  const { protocol, hostname } = parsed
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

function checked(url: string): URL {
  if (!isSafeAddress(url))
    throw new Error(`${originOf(url)} is not requested: only https and this machine are supported`)
  return new URL(url)
}

const originOf = (url: string): string => parsedUrl(url)?.origin ?? 'an invalid URL'

/** A body is larger than allowed. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Reads a body into one buffer. Throws `TooLarge` if it is larger than `maxBytes`. */
export async function bytesOf(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    const part = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk))
    bytes += part.length
    if (bytes > maxBytes) throw new TooLarge(`more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Keeps the name of the cause (`TimeoutError`, `AbortError`) and its code (`ECONNREFUSED`). */
function noAnswer(method: string, { origin, pathname }: URL, cause: unknown): Error {
  const error = new Error(`no answer to ${method} ${origin}${pathname}: ${reasonOf(cause)}`)
  if (cause instanceof DOMException) error.name = cause.name
  return error
}

/** `fetch failed` is not informative, so this uses the code of its cause. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  if (!(inner instanceof Error)) return 'unknown'
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message
}
