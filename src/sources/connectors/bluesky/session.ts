import { z } from 'zod'
import type { Clock } from '../../../ports/clock.ts'
import type { Http, HttpAnswer, HttpRequest } from '../../../ports/http.ts'
import { parsedJson } from '../../jsonl.ts'
import { requestWithin, numberIn, shaped, within } from '../request-within.ts'
import { PlatformUnavailable, Limited, PlatformRefused } from '../platform.ts'

export interface SessionBlueskyAccess {
  /** Handle or DID of the account. */
  readonly identifier: string
  /** An app password, which can be revoked and cannot read direct messages. */
  readonly password: string
  /** The account's server (PDS): `https://bsky.social`. */
  readonly url: string
}

export interface BlueskyPorts {
  readonly access: SessionBlueskyAccess
  readonly http: Http
  readonly clock: Clock
}

/** Calls one method of the API (for example `app.bsky.feed.searchPosts`) within a session that it opens and renews. */
export type SessionQuery = (call: BlueskyCall, signal: AbortSignal) => Promise<HttpAnswer>

export interface BlueskyCall {
  readonly method: string
  readonly params: readonly (readonly [name: string, value: string])[]
}

const Tokens = z.object({ accessJwt: z.string().min(1), refreshJwt: z.string().min(1) })
type Tokens = z.output<typeof Tokens>

const Wrong = z.object({ error: z.string() })

/** The error name in a response (`ExpiredToken`); `null` if it has none. */
export const errorOf = ({ body }: HttpAnswer): string | null => Wrong.safeParse(parsedJson(body)).data?.error ?? null

/**
 * Calls the API with a session. The session is opened on first use, and refreshed when its token has expired. A new one
 * is opened only if the refresh token has expired too, because an account may open only 300 sessions a day. Returns
 * responses with status 200 and 400; others throw.
 */
export function blueskyQuery({ access, http, clock }: BlueskyPorts): SessionQuery {
  let tokens: Tokens | null = null
  const answerOf = async (request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> =>
    checked(await requestWithin(http, request, signal), clock.now())

  const opened = async (signal: AbortSignal): Promise<Tokens> => {
    const { identifier, password } = access
    const body = JSON.stringify({ identifier, password })
    const headers = { 'content-type': 'application/json' }
    const url = addressOf(access.url, { method: 'com.atproto.server.createSession', params: [] })
    return tokensOf(await answerOf({ method: 'POST', url, headers, body }, signal))
  }
  const renewed = async (old: Tokens, signal: AbortSignal): Promise<Tokens> => {
    const url = addressOf(access.url, { method: 'com.atproto.server.refreshSession', params: [] })
    const headers = { authorization: `Bearer ${old.refreshJwt}` }
    const answer = await requestWithin(http, { method: 'POST', url, headers, body: null }, signal)
    return isExpired(answer) ? opened(signal) : tokensOf(checked(answer, clock.now()))
  }

  return async (call, signal) => {
    const url = addressOf(access.url, call)
    const send = ({ accessJwt }: Tokens): Promise<HttpAnswer> =>
      requestWithin(http, { method: 'GET', url, headers: { authorization: `Bearer ${accessJwt}` }, body: null }, signal)
    tokens ??= await opened(signal)
    const first = await send(tokens)
    if (!isExpired(first)) return checked(first, clock.now())
    tokens = await renewed(tokens, signal)
    return checked(await send(tokens), clock.now())
  }
}

function addressOf(base: string, { method, params }: BlueskyCall): string {
  const query = new URLSearchParams(params.map(([name, value]): [string, string] => [name, value])).toString()
  return `${base.replace(/\/+$/, '')}/xrpc/${method}${query === '' ? '' : `?${query}`}`
}

const isExpired = (answer: HttpAnswer): boolean =>
  (answer.status === 400 || answer.status === 401) && ['ExpiredToken', 'InvalidToken'].includes(errorOf(answer) ?? '')

function tokensOf(answer: HttpAnswer): Tokens {
  if (answer.status !== 200) throw new PlatformRefused(`http_${answer.status}`)
  return shaped(answer, Tokens)
}

const LIMITED_MS = 60_000

function checked(answer: HttpAnswer, now: number): HttpAnswer {
  const { status } = answer
  if (status === 200 || status === 400) return answer
  if (status === 429) throw new Limited('rate_limit', within(resetOf(answer) ?? now + LIMITED_MS, now))
  if (status === 401 || status === 403) throw new PlatformRefused(`http_${status}`)
  throw new PlatformUnavailable(`http_${status}`)
}

/** The header is in seconds since 1970. */
function resetOf(answer: HttpAnswer): number | null {
  const seconds = numberIn(answer, 'ratelimit-reset')
  return seconds === null ? null : seconds * 1000
}
