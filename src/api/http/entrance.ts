import { randomUUID } from 'node:crypto'
import type { AnswerHeaders } from './answer.ts'
import type { Dependencies } from './dependencies.ts'
import type { Caller } from './keys/caller.ts'
import type { Spent } from './limits.ts'

/** The client's request id, or a new one if that is missing or not safe for headers and logs. */
export const requestId = (sent: string | undefined): string =>
  sent !== undefined && /^[\w.:+/=-]{1,128}$/.test(sent) ? sent : randomUUID()

/**
 * The headers of every response, set before the handler runs. CORS: an allowed origin may read the response, without
 * credentials, because keys are sent in a header. There is no HSTS: only the proxy that terminates TLS knows whether
 * the host is served over https only.
 */
export function answerHeaders(id: string, origin: string | undefined, allowed: ReadonlySet<string>): AnswerHeaders {
  const headers: AnswerHeaders = {
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept-Encoding',
  }
  if (allowed.size > 0) allowOrigin(headers, origin, allowed)
  return headers
}

const EXPOSED = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Parameters, X-Request-Id'

function allowOrigin(headers: AnswerHeaders, origin: string | undefined, allowed: ReadonlySet<string>): void {
  headers['vary'] = 'Authorization, Accept-Encoding, Origin'
  if (origin === undefined || !allowed.has(origin)) return
  headers['access-control-allow-origin'] = origin
  headers['access-control-expose-headers'] = EXPOSED
}

/** The API key of an `Authorization` header; empty if there is none. */
export const keyIn = (authorization: string | undefined): string =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''

/** The caller of an `Authorization` header; `null` if the key is missing or not valid. */
export function callerOf(authorization: string | undefined, keys: Dependencies['keys'], now: number): Caller | null {
  const key = keyIn(authorization)
  return key === '' ? null : keys.find(key, now)
}

/** Sets the rate limit headers, which are sent with any response. */
export function setRateLimitHeaders(headers: AnswerHeaders, spent: Spent): void {
  headers['ratelimit-policy'] = spent.headers['ratelimit-policy']
  headers['ratelimit'] = spent.headers.ratelimit
}

interface RequestLog {
  readonly request_id: string
  readonly key_id: string | null
  readonly method: string
  readonly path: string
  readonly status: number
  /** The value of `performance.now()` at the start. */
  readonly started: number
  /** Why the service was unavailable. */
  readonly reason?: string | undefined
}

/**
 * Logs one line per request, with the key id but never the key. The fields are listed one by one because copying the
 * rest of an object costs more.
 */
export function logRequest(logger: Dependencies['logger'], entry: RequestLog): void {
  const { request_id, key_id, method, path, status, started, reason } = entry
  const ms = Math.round((performance.now() - started) * 10) / 10
  if (reason === undefined) logger.info({ request_id, key_id, method, path, status, ms }, 'request')
  else logger.info({ request_id, key_id, method, path, status, ms, reason }, 'request')
}
