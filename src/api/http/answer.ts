import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import { csvOf, type CsvList } from './csv.ts'
import { IGNORED_HEADER } from './unknown-fields.ts'
import { PROBLEMS, problemBody, type Problem } from './problem.ts'

export type AnswerHeaders = Record<string, string>

/** The context of a request. `headers` is sent with any response, including errors. */
export interface Env {
  Variables: {
    headers: AnswerHeaders
    request_id: string
    key_id: string | null
    now: number
  }
}

export function refuse(c: Context<Env>, refusal: Problem): Response {
  const headers = c.get('headers')
  headers['content-type'] = 'application/problem+json'
  headers['cache-control'] = 'no-store'
  if (refusal.code === 'invalid_api_key') headers['www-authenticate'] = 'Bearer'
  if (refusal.retryAfterSeconds !== null) headers['retry-after'] = String(refusal.retryAfterSeconds)
  const body = JSON.stringify(problemBody(refusal, c.req.path))
  return new Response(body, { status: PROBLEMS[refusal.code].status, headers })
}

/** A serialized response. It is the same for every caller that requests this URL. */
export interface PreparedAnswer {
  readonly body: Buffer<ArrayBuffer>
  readonly contentType: string
  /** The ETag; `null` if the response has none, because it does not represent the state of a resource. */
  readonly tag: string | null
  /** The `Link` header with the URL of the next page; `null` if there is none. */
  readonly link: string | null
  /** The value of the `X-Ignored-Parameters` header; `null` if nothing was ignored. */
  readonly ignored: string | null
  /** The gzip body, or `null` until a client first requests it. */
  zipped: Uint8Array<ArrayBuffer> | null
}

interface PrepareAnswerOptions {
  readonly tagged: boolean
  readonly ignored: string | null
  /** The response is written as CSV; `null`: as JSON. */
  readonly csv?: CsvList | null
}

/** Serializes a response. `target` is the path and query of the request. */
export function prepareAnswer(
  answer: unknown,
  target: string,
  { tagged, ignored, csv = null }: PrepareAnswerOptions,
): PreparedAnswer {
  const text = csv === null ? JSON.stringify(answer) : csvOf(answer, csv)
  const next = nextCursorOf(answer)
  return {
    body: Buffer.from(text),
    contentType: csv === null ? 'application/json' : 'text/csv; charset=utf-8; header=present',
    tag: tagged ? `"${createHash('sha1').update(taggedText(text, next)).digest('base64url')}"` : null,
    link: next === null ? null : `<${nextAddress(target, next)}>; rel="next"`,
    ignored,
    zipped: null,
  }
}

/**
 * The text that the ETag is computed from, without the cursor: it contains the request time, so it differs for the same
 * page.
 */
const taggedText = (text: string, cursor: string | null): string => (cursor === null ? text : text.replace(cursor, ''))

const compress = promisify(gzip)
/** Takes half the time of the default level, for nearly the same size. */
const LEVEL = 4

/** The conditional and encoding headers of a request. */
export interface Takes {
  readonly ifNoneMatch: string | undefined
  readonly acceptEncoding: string | undefined
}

export interface Outgoing {
  readonly status: number
  readonly body: Uint8Array<ArrayBuffer> | null
}

/**
 * The response for one client; sets its headers in `headers`. 304 if the client's ETag matches, gzip if the client
 * accepts it. A compressed body has different bytes, so its ETag is weak. `null` if the body has to be compressed
 * first.
 */
export function outgoing(
  status: number,
  answer: PreparedAnswer,
  { takes, headers }: { readonly takes: Takes; readonly headers: AnswerHeaders },
): Outgoing | null {
  const zip = wantsGzip(takes.acceptEncoding, answer.body.length)
  const unchanged = answer.tag !== null && matches(takes.ifNoneMatch, answer.tag)
  if (zip && !unchanged && answer.zipped === null) return null

  describe(headers, answer, zip)
  if (unchanged) return { status: 304, body: null }
  headers['content-type'] = answer.contentType
  if (!zip) return { status, body: answer.body }
  headers['content-encoding'] = 'gzip'
  return { status, body: answer.zipped }
}

function describe(headers: AnswerHeaders, { link, tag, ignored }: PreparedAnswer, zip: boolean): void {
  if (ignored !== null) headers[IGNORED_HEADER] = ignored
  if (link !== null) headers['link'] = link
  if (tag !== null) headers['etag'] = zip ? `W/${tag}` : tag
}

/** Sends a response. Compresses it first if necessary. */
export async function send(c: Context<Env>, status: number, answer: PreparedAnswer): Promise<Response> {
  const headers = c.get('headers')
  const takes = { ifNoneMatch: c.req.header('if-none-match'), acceptEncoding: c.req.header('accept-encoding') }
  let out = outgoing(status, answer, { takes, headers })
  if (out === null) {
    answer.zipped = new Uint8Array(await compress(answer.body, { level: LEVEL }))
    out = outgoing(status, answer, { takes, headers })
  }
  return new Response(out?.body ?? null, { status: out?.status ?? status, headers })
}

export const sendNothing = (c: Context<Env>): Response => new Response(null, { status: 204, headers: c.get('headers') })

/** The status that proxies log when the client closes the connection before the response. */
const CLIENT_LEFT = 499

/** The response for a client that has disconnected. It only appears in the log. */
export const leave = (c: Context<Env>): Response =>
  new Response(null, { status: CLIENT_LEFT, headers: c.get('headers') })

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
}

function nextCursorOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('next_cursor' in answer)) return null
  return typeof answer.next_cursor === 'string' ? answer.next_cursor : null
}

/** The URL of the next page, relative to the origin so that it works behind any proxy. */
function nextAddress(target: string, cursor: string): string {
  const path = pathOf(target)
  const parameters = new URLSearchParams(target.slice(path.length))
  parameters.set('cursor', cursor)
  return `${path}?${parameters.toString()}`
}

/** The path of a request target, without the query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

/** A smaller body is not worth compressing: it fits into one packet either way. */
const MIN_BYTES = 1_024

/** Whether a body of this size is sent as gzip to a client with this `Accept-Encoding` (RFC 9110, 12.5.3). */
export function wantsGzip(accepted: string | undefined, bytes: number): boolean {
  if (accepted === undefined || bytes < MIN_BYTES) return false
  return accepts(accepted, 'gzip', 'x-gzip', '*')
}

/** Whether an `Accept-Encoding` header accepts a coding; the first of the names that it contains decides. */
export function accepts(accepted: string, ...names: readonly string[]): boolean {
  const weights = new Map(accepted.toLowerCase().split(',').map(weighed))
  return (names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0) > 0
}

/** Parses a coding and its weight: `gzip;q=0.5`. */
function weighed(part: string): readonly [string, number] {
  const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
  const given = parameters.find((one) => one.startsWith('q='))
  return [coding, given === undefined ? 1 : Number(given.slice(2)) || 0]
}
