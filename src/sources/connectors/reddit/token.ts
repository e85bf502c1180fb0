import type { Clock } from '../../../ports/clock.ts'
import type { Http } from '../../../ports/http.ts'
import { requestWithin, retryAt, shaped, within } from '../request-within.ts'
import { PlatformAway, Limited, PlatformRefused } from '../platform.ts'
import { Token } from './shapes.ts'

export interface RedditPorts {
  readonly http: Http
  readonly clock: Clock
  readonly clientId: string
  readonly clientSecret: string
  /** `platform:app:version (by /u/name)`: Reddit refuses others. */
  readonly userAgent: string
  /** Where tokens are given, and where everything else is asked. */
  readonly authUrl: string
  readonly apiUrl: string
}

/** Before it ends: an answer must not be lost to it. */
const RENEW_MS = 60_000
const LIMITED_MS = 60_000

/** The token of our application (`client_credentials`), renewed before it ends. */
export class RedditToken {
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

  /** It was not taken: the next one is fetched. */
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
    if (status !== 200) throw new PlatformAway(`http_${status}`)
    return shaped(answer, Token)
  }
}
