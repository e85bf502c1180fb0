import { computed, signal } from '@preact/signals'
import { storyClient, StoryError, type ClientApi, type StoryClient } from '../../../sdk/src/index.ts'
import { now } from '../clock.ts'
import { allowanceOf, type DashboardAllowance } from './allowance.ts'
import { key } from './session.ts'

/** What is left of the reader's requests, as the last answer said; null: nothing was said yet. */
export const allowance = signal<DashboardAllowance | null>(null)

/** Milliseconds since 1970: until then the service has asked us to wait. */
export const pausedUntil = signal(0)

/** Whether the service could be reached when it was last asked. */
export const reached = signal(true)

/** Whether the last answer was a failure of the service. `/health` answers 200 whatever it says, so it does not count. */
export const failing = signal(false)

/** The service with the reader's key; the page lies beside its addresses, whatever prefix stands before them. */
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

/** Nobody has turned away from it: it was given up. */
const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

export type DashboardAsk<Answer> = (api: ClientApi, signal: AbortSignal) => Promise<Answer>

/** Why there is no answer. */
export interface DashboardRefusal {
  readonly kind: 'key' | 'tier' | 'missing' | 'wrong' | 'later' | 'away'
  readonly message: string
  /** Seconds until it is asked again; null: asking again would not help. */
  readonly againIn: number | null
}

const OFFLINE_SECONDS = 3

/** What a failed request means to a reader. */
export function refusalOf(cause: unknown): DashboardRefusal {
  if (!(cause instanceof StoryError)) {
    return { kind: 'away', message: 'The service cannot be reached', againIn: OFFLINE_SECONDS }
  }
  const { status, retryAfterSeconds } = cause
  const message = cause.message.replace(/^\d+ \w+: /, '')
  const again = Math.max(1, retryAfterSeconds ?? OFFLINE_SECONDS)
  if (status === 429) pausedUntil.value = Math.max(pausedUntil.value, now() + again * 1_000)
  return { kind: KINDS[status] ?? (status >= 500 ? 'away' : 'wrong'), message, againIn: isLater(status) ? again : null }
}

const KINDS: Readonly<Record<number, DashboardRefusal['kind']>> = {
  401: 'key',
  403: 'tier',
  404: 'missing',
  429: 'later',
}

const isLater = (status: number): boolean => status === 429 || status >= 500

/** The body of an answer; what is none has thrown before. */
export function bodyOf<Body>({ data }: { readonly data?: Body }): Body {
  if (data === undefined) throw new TypeError('the service answered without a body')
  return data
}
