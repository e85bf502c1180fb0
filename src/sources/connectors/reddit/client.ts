import type { z } from 'zod'
import type { Clock } from '../../../ports/clock.ts'
import type { HttpAnswer, HttpRequest, Http } from '../../../ports/http.ts'
import { PlatformUnavailable, Limited, PlatformRefused } from '../platform.ts'
import { requestWithin, numberIn, retryAt, shaped, within } from '../request-within.ts'
import { Token } from './shapes.ts'

export interface RedditRequest<Out> {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** If set, the request is a POST. */
  readonly form?: Readonly<Record<string, string>>
  readonly shape: z.ZodType<Out>
}

const LIMITED_SECONDS = 60

/** A client of Reddit's API that respects its rate limits. */
export class RedditClient {
  private readonly ports: RedditPorts
  private readonly token: RedditToken
  /** When the next request may be made, milliseconds since 1970. */
  private limitedUntil = 0

  constructor(ports: RedditPorts) {
    this.ports = ports
    this.token = new RedditToken(ports)
  }

  async ask<Out>(request: RedditRequest<Out>, signal: AbortSignal): Promise<Out> {
    return accepted(await this.answered(request, signal), request.shape)
  }

  /** `null` if the resource is private or gone (403, 404). That does not affect other requests. */
  async askIfOpen<Out>(request: RedditRequest<Out>, signal: AbortSignal): Promise<Out | null> {
    const answer = await this.answered(request, signal)
    return answer.status === 403 || answer.status === 404 ? null : accepted(answer, request.shape)
  }

  private async answered(request: RedditRequest<unknown>, signal: AbortSignal): Promise<HttpAnswer> {
    const first = await this.send(request, signal)
    if (first.status !== 401) return first
    this.token.drop()
    return this.send(request, signal)
  }

  private async send(request: RedditRequest<unknown>, signal: AbortSignal): Promise<HttpAnswer> {
    const { http, clock } = this.ports
    if (clock.now() < this.limitedUntil) throw new Limited('rate_limit', this.limitedUntil)
    const token = await this.token.get(signal)
    const answer = await requestWithin(http, this.requestOf(request, token), signal)
    const limitedUntil = limitOf(answer, clock.now())
    if (limitedUntil !== null) this.limitedUntil = limitedUntil
    if (answer.status === 429) throw new Limited('rate_limit', this.limitedUntil)
    return answer
  }

  private requestOf({ path, query = {}, form }: RedditRequest<unknown>, token: string): HttpRequest {
    const { apiUrl, userAgent } = this.ports
    // `raw_json`: text without HTML entities such as &amp;
    const search = new URLSearchParams({ ...query, raw_json: '1' }).toString()
    const headers = { authorization: `Bearer ${token}`, 'user-agent': userAgent }
    const url = `${apiUrl.replace(/\/+$/, '')}${path}?${search}`
    if (form === undefined) return { method: 'GET', url, headers, body: null }
    const body = new URLSearchParams(form).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', url, headers: { ...headers, ...type }, body }
  }
}

function accepted<Out>(answer: HttpAnswer, shape: z.ZodType<Out>): Out {
  const { status } = answer
  if (status === 401 || status === 403) throw new PlatformRefused(`http_${status}`)
  if (status !== 200) throw new PlatformUnavailable(`http_${status}`)
  return shaped(answer, shape)
}

/** The earliest time of the next request; `null` if it may be sent now. `x-ratelimit-remaining` may be a fraction. */
function limitOf(answer: HttpAnswer, now: number): number | null {
  const reset = now + (numberIn(answer, 'x-ratelimit-reset') ?? LIMITED_SECONDS) * 1000
  if (answer.status === 429) return within(retryAt(answer, now) ?? reset, now)
  const remaining = numberIn(answer, 'x-ratelimit-remaining')
  return remaining !== null && remaining < 1 ? within(reset, now) : null
}

export interface RedditPorts {
  readonly http: Http
  readonly clock: Clock
  readonly clientId: string
  readonly clientSecret: string
  /** `platform:app:version (by /u/name)`; Reddit rejects other formats. */
  readonly userAgent: string
  /** `authUrl` issues tokens; `apiUrl` serves all other requests. */
  readonly authUrl: string
  readonly apiUrl: string
}

/** A token is renewed this long before it expires, so that it cannot expire during a request. */
const RENEW_MS = 60_000
const LIMITED_MS = 60_000

/** The OAuth token of our application (`client_credentials`), renewed before it expires. */
class RedditToken {
  private readonly ports: RedditPorts
  private current: { readonly value: string; readonly until: number } | null = null

  constructor(ports: RedditPorts) {
    this.ports = ports
  }

  async get(signal: AbortSignal): Promise<string> {
    const now = this.ports.clock.now()
    if (this.current !== null && now < this.current.until) return this.current.value
    const { access_token, expires_in } = await this.fetched(signal)
    this.current = { value: access_token, until: now + expires_in * 1000 - RENEW_MS }
    return access_token
  }

  /** Call if the token was rejected: the next request gets a new one. */
  drop(): void {
    this.current = null
  }

  private async fetched(signal: AbortSignal) {
    const { http, clock, clientId, clientSecret, userAgent, authUrl } = this.ports
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const headers = {
      authorization: `Basic ${basic}`,
      'user-agent': userAgent,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const url = `${authUrl.replace(/\/+$/, '')}/api/v1/access_token`
    const answer = await requestWithin(
      http,
      { method: 'POST', url, headers, body: 'grant_type=client_credentials' },
      signal,
    )
    const { status } = answer
    if (status === 429) {
      const now = clock.now()
      throw new Limited('rate_limit', within(retryAt(answer, now) ?? now + LIMITED_MS, now))
    }
    if (status === 400 || status === 401 || status === 403) throw new PlatformRefused(`token_http_${status}`)
    if (status !== 200) throw new PlatformUnavailable(`http_${status}`)
    return shaped(answer, Token)
  }
}
