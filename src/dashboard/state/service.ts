import { computed, signal } from '@preact/signals'
import { storyClient, StoryError, type ClientApi, type StoryClient } from '../../../sdk/src/index.ts'
import { now } from '../clock.ts'
import { allowanceOf, type DashboardAllowance } from './read-pace.ts'
import { key } from './session.ts'

/** The rate limit from the last response; `null` until one reports it. */
export const allowance = signal<DashboardAllowance | null>(null)

/** The time until which requests must wait after a 429, in milliseconds since 1970. */
export const pausedUntil = signal(0)

/** Whether the last request reached the service. */
export const reached = signal(true)

/** Whether the last response was a server error. `/health` always responds with 200 and is not counted. */
export const failing = signal(false)

/** A client with the user's API key. The page is served next to the API, behind the same path prefix. */
export const client = computed<StoryClient>(() =>
  storyClient({
    baseUrl: new URL('.', location.href).href.replace(/\/$/, ''),
    apiKey: key.value,
    retries: 0,
    fetch: async (request) => {
      const response = await fetch(request).catch((cause: unknown) => {
        if (!request.signal.aborted || isTimeout(request.signal.reason)) reached.value = false
        throw cause
      })
      reached.value = true
      if (!request.url.endsWith('/health')) failing.value = response.status >= 500
      allowance.value = allowanceOf(response.headers) ?? allowance.value
      return response
    },
  }),
)

/** A timeout, as opposed to a request that is no longer needed. */
const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

/** Only reads, so that the dashboard works with a read-only key. */
type ReadApi = Pick<ClientApi, 'GET'>

export type DashboardAsk<Answer> = (api: ReadApi, signal: AbortSignal) => Promise<Answer>

/** Why a request failed. */
export interface DashboardRefusal {
  readonly kind: 'key' | 'tier' | 'missing' | 'wrong' | 'later' | 'down'
  readonly message: string
  /** Seconds until the next attempt; `null` if a retry cannot succeed. */
  readonly againIn: number | null
}

const OFFLINE_SECONDS = 3

/** Describes a failed request for the user. */
export function refusalOf(cause: unknown): DashboardRefusal {
  if (!(cause instanceof StoryError)) {
    return { kind: 'down', message: 'The service cannot be reached', againIn: OFFLINE_SECONDS }
  }
  const { status, retryAfterSeconds } = cause
  const message = cause.message.replace(/^\d+ \w+: /, '')
  const again = Math.max(1, retryAfterSeconds ?? OFFLINE_SECONDS)
  if (status === 429) pausedUntil.value = Math.max(pausedUntil.value, now() + again * 1_000)
  return { kind: KINDS[status] ?? (status >= 500 ? 'down' : 'wrong'), message, againIn: isLater(status) ? again : null }
}

const KINDS: Readonly<Record<number, DashboardRefusal['kind']>> = {
  401: 'key',
  403: 'tier',
  404: 'missing',
  429: 'later',
}

const isLater = (status: number): boolean => status === 429 || status >= 500

/** The body of a successful response; failures have thrown before. */
export function bodyOf<Body>({ data }: { readonly data?: Body }): Body {
  if (data === undefined) throw new TypeError('the response has no body')
  return data
}
