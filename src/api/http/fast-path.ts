import type { IncomingMessage, ServerResponse } from 'node:http'
import { outgoing, pathOf, type AnswerHeaders, type Outgoing } from './answer.ts'
import type { KeptAnswers } from './response-cache.ts'
import type { Dependencies } from './dependencies.ts'
import { answerHeaders, callerOf, logRequest, requestId, setRateLimitHeaders } from './entrance.ts'
import type { RateLimits } from './limits.ts'

/** Answers a request at once, or says false and has done nothing. */
export type Quick = (request: IncomingMessage, response: ServerResponse) => boolean

interface Shared {
  readonly kept: KeptAnswers
  readonly spend: RateLimits
}

/**
 * The short way of a read whose answer is kept: key, limit, headers and log line are those of every request, by the same
 * functions. What is found was asked for by a key of the same namespace and tier, with this very address: tier and
 * validation have been judged. Everything else, every refusal too, goes the long way.
 */
export function quick({ keys, clock, logger, corsOrigins }: Dependencies, { kept, spend }: Shared): Quick {
  const origins = new Set(corsOrigins)
  const outbox = new Outbox()

  return (request, response) => {
    const { method, url = '', headers: sent } = request
    if (method !== 'GET') return false
    const started = performance.now()
    const now = clock.now()
    const caller = callerOf(sent.authorization, keys, now)
    const found = caller === null ? null : kept.find({ caller, target: url, now })
    if (caller === null || found === null) return false

    const request_id = requestId(single(sent['x-request-id']))
    const headers = answerHeaders(request_id, sent.origin, origins)
    const takes = { ifNoneMatch: sent['if-none-match'], acceptEncoding: single(sent['accept-encoding']) }
    const out = outgoing(200, found, { takes, headers })
    if (out === null) return false
    const spent = spend(caller, 'request', now)
    if (!spent.allowed) return false // which costs nothing

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
 * Answers of one turn of the event loop, sent at its end one behind the other: who reads many of them (most often a proxy)
 * is woken once and not for each, which costs as much as all else about a small answer.
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
