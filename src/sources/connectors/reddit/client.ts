import type { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../../ports/http.ts'
import { requestWithin, numberIn, retryAt, shaped, within } from '../request-within.ts'
import { PlatformAway, Limited, PlatformRefused } from '../platform.ts'
import { RedditToken, type RedditPorts } from './token.ts'

export interface RedditRequest<Out> {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Given: it is a POST. */
  readonly form?: Readonly<Record<string, string>>
  readonly shape: z.ZodType<Out>
}

const LIMITED_SECONDS = 60

/** Asks Reddit's API as its rates allow. */
export class RedditClient {
  private readonly ports: RedditPorts
  private readonly token: RedditToken
  /** Nothing is asked before, milliseconds since 1970. */
  private limitedUntil = 0

  constructor(ports: RedditPorts) {
    this.ports = ports
    this.token = new RedditToken(ports)
  }

  async ask<Out>(request: RedditRequest<Out>, signal: AbortSignal): Promise<Out> {
    const answer = await this.answered(request, signal)
    const { status } = answer
    if (status === 401 || status === 403) throw new PlatformRefused(`http_${status}`)
    if (status !== 200) throw new PlatformAway(`http_${status}`)
    return shaped(answer, request.shape)
  }

  /** Null: it is closed to us or gone, which says nothing of the rest. */
  async askIfOpen<Out>(request: RedditRequest<Out>, signal: AbortSignal): Promise<Out | null> {
    const answer = await this.answered(request, signal)
    const { status } = answer
    if (status === 403 || status === 404) return null
    if (status === 401) throw new PlatformRefused('http_401')
    if (status !== 200) throw new PlatformAway(`http_${status}`)
    return shaped(answer, request.shape)
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
    // `raw_json`: text as it was written, without &amp;
    const search = new URLSearchParams({ ...query, raw_json: '1' }).toString()
    const headers = { authorization: `Bearer ${token}`, 'user-agent': userAgent }
    const url = `${apiUrl.replace(/\/+$/, '')}${path}?${search}`
    if (form === undefined) return { method: 'GET', url, headers, body: null }
    const body = new URLSearchParams(form).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', url, headers: { ...headers, ...type }, body }
  }
}

/** When the next request may be made; null: now. `x-ratelimit-remaining` may be a fraction. */
function limitOf(answer: HttpAnswer, now: number): number | null {
  const reset = now + (numberIn(answer, 'x-ratelimit-reset') ?? LIMITED_SECONDS) * 1000
  if (answer.status === 429) return within(retryAt(answer, now) ?? reset, now)
  const remaining = numberIn(answer, 'x-ratelimit-remaining')
  return remaining !== null && remaining < 1 ? within(reset, now) : null
}
