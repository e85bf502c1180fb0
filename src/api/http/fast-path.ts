import type { IncomingMessage, ServerResponse } from 'node:http'
import { outgoing, pathOf, type AnswerHeaders, type Outgoing } from './answer.ts'
import type { ResponseCache } from './response-cache.ts'
import type { Dependencies } from './dependencies.ts'
import { answerHeaders, callerOf, logRequest, requestId, setRateLimitHeaders } from './entrance.ts'
import { hasScope } from './keys/caller.ts'
import type { RateLimits } from './limits.ts'

/** Answers a request synchronously, or returns false without side effects. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

interface Shared {
  readonly cache: ResponseCache
  readonly spend: RateLimits
}

/**
 * The fast path for GET requests that the response cache can answer. Key, rate limit, headers and log line come from
 * the same functions as for every other request. A cached response was made for a key of the same namespace and tier
 * with exactly this URL, so tier and validation have already been checked. Only routes with the scope `read` are cached. All other requests, including those that
 * will be refused, take the normal path.
 */
export function fastPath({ keys, clock, logger, corsOrigins }: Dependencies, { cache, spend }: Shared): FastPath {
  const origins = new Set(corsOrigins)
  const outbox = new Outbox()

  return (request, response) => {
    const { method, url = '', headers: sent } = request
    if (method !== 'GET') return false
    const started = performance.now()
    const now = clock.now()
    const caller = callerOf(sent.authorization, keys, now)
    if (caller === null || !hasScope(caller, 'read')) return false
    const found = cache.find({ caller, target: url, now })
    if (found === null) return false

    const request_id = requestId(single(sent['x-request-id']))
    const headers = answerHeaders(request_id, sent.origin, origins)
    const takes = { ifNoneMatch: sent['if-none-match'], acceptEncoding: single(sent['accept-encoding']) }
    const out = outgoing(200, found, { takes, headers })
    if (out === null) return false
    const spent = spend(caller, 'request', now)
    if (!spent.allowed) return false // a refused request is not charged

    setRateLimitHeaders(headers, spent)
    writeHead(response, out, headers)
    outbox.send(response, out.body)
    logRequest(logger, { request_id, key_id: caller.key_id, method, path: pathOf(url), status: out.status, started })
    return true
  }
}

const single = (sent: string | string[] | undefined): string | undefined =>
  typeof sent === 'string' ? sent : sent?.join(', ')

function writeHead(response: ServerResponse, { status, body }: Outgoing, headers: AnswerHeaders): void {
  if (body !== null) headers['content-length'] = String(body.length)
  response.writeHead(status, headers)
}

/**
 * Collects the responses of one turn of the event loop and sends them together at its end, so that a client with many
 * requests (usually a proxy) wakes up once. Waking it for each response would double the cost of a small one.
 */
class Outbox {
  private due: { readonly response: ServerResponse; readonly body: Uint8Array | null }[] = []

  send(response: ServerResponse, body: Uint8Array | null): void {
    if (this.due.push({ response, body }) === 1) setImmediate(this.flush)
  }

  private readonly flush = (): void => {
    const due = this.due
    this.due = []
    for (const { response, body } of due) response.end(body)
  }
}
