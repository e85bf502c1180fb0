import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { PROBLEMS, problemBody, type Problem } from './problem.ts'

/** What travels with a request through the checks. `headers` goes out with whatever answer it becomes. */
export interface Env {
  Variables: {
    headers: Record<string, string>
    request_id: string
    key_id: string | null
    now: number
  }
}

export const answerHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-cache',
  vary: 'Authorization',
})

const OWN_HEADERS = {
  invalid_api_key: { 'www-authenticate': 'Bearer' },
} as const

export function refuse(c: Context<Env>, refusal: Problem): Response {
  const headers = c.get('headers')
  headers['content-type'] = 'application/problem+json'
  headers['cache-control'] = 'no-store'
  if (refusal.code === 'invalid_api_key') Object.assign(headers, OWN_HEADERS.invalid_api_key)
  if (refusal.retryAfterSeconds !== null) headers['retry-after'] = String(refusal.retryAfterSeconds)
  const body = JSON.stringify(problemBody(refusal, c.req.path))
  return new Response(body, { status: PROBLEMS[refusal.code].status, headers })
}

export function succeed(c: Context<Env>, status: number, answer: unknown): Response {
  const headers = c.get('headers')
  if (status === 204) return new Response(null, { status, headers })
  const body = JSON.stringify(answer)
  headers['content-type'] = 'application/json'
  const next = nextCursorOf(answer)
  if (next !== null) headers['link'] = `<${nextAddress(c.req.url, next)}>; rel="next"`
  if (!isRead(c) || status !== 200) return new Response(body, { status, headers })

  const tag = `"${createHash('sha1').update(taggedBody(body, next)).digest('base64url')}"`
  headers['etag'] = tag
  if (!matches(c.req.header('if-none-match'), tag)) return new Response(body, { status, headers })
  delete headers['content-type']
  return new Response(null, { status: 304, headers })
}

/** A cursor holds the moment of asking: the same page with a newer cursor is the same page. */
const taggedBody = (body: string, cursor: string | null): string => (cursor === null ? body : body.replace(cursor, ''))

const isRead = (c: Context<Env>): boolean => c.req.method === 'GET' || c.req.method === 'HEAD'

function matches(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
}

function nextCursorOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('next_cursor' in answer)) return null
  return typeof answer.next_cursor === 'string' ? answer.next_cursor : null
}

/** Relative to the origin, so that it holds behind any proxy. */
function nextAddress(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url)
  searchParams.set('cursor', cursor)
  return `${pathname}?${searchParams.toString()}`
}
