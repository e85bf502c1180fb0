import { LRUCache } from 'lru-cache'
import { parsedUrl } from '../../events/canonical-url.ts'
import type { Clock } from '../../ports/clock.ts'
import { ForbiddenAddress, type FetchedDocument, type GetDocument } from '../../ports/http.ts'
import { responseKind } from '../feeds/response-kind.ts'
import { robotsRules, type RobotsRules } from '../feeds/robots-rules.ts'
import { hostOf } from '../../domain/feeds/documents.ts'
import { HostLimits } from './host-limits.ts'
import type { HostPace } from './host-pace.ts'

/** The answer of a server, or the constant that names the reason why there is none. */
export type WebAnswer =
  | { readonly kind: 'answer'; readonly document: FetchedDocument; readonly durationMs: number }
  | { readonly kind: 'forbidden'; readonly detail: 'robots' | 'address' }
  | { readonly kind: 'no_answer'; readonly detail: string }
  /** No request is made: the server limited an earlier one to this host, of whatever document. */
  | { readonly kind: 'held'; readonly detail: 'host_limited'; readonly waitMs: number }

export interface WebRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Polite requests to outlets: one at a time to a host, with a delay. Throws only if the signal aborts. */
export interface Web {
  /** For feeds, which are published for programs: does not read robots.txt. */
  get(request: WebRequest): Promise<WebAnswer>
  /** For pages: asks the robots.txt of the host first (RFC 9309), and of each host that a redirect leads to. */
  getAllowed(request: WebRequest): Promise<WebAnswer>
}

interface WebPorts {
  /** Makes one request: a redirect is returned, not followed. */
  readonly get: GetDocument
  readonly clock: Clock
  readonly pace: HostPace
  /** Why a request got no response, as a constant. */
  readonly reasonOf: (cause: unknown) => string
}

/** The name of this service in robots.txt and in `User-Agent`. */
export const PRODUCT = 'story-intelligence-service'
/** `User-Agent` of requests to outlets. `contact`: the operator's address. */
export const userAgentOf = (version: string, contact: string | null): string =>
  `${PRODUCT}/${version}${contact === null ? '' : ` (+${contact})`}`
const MOST_HOSTS = 5_000
/** RFC 9309 allows to keep robots.txt for a day; a host that could not be asked is asked again sooner. */
const RULES_MS = 86_400_000
const UNREACHABLE_MS = 600_000
const LONGEST_DELAY_SECONDS = 30
const MAX_REDIRECTS = 5

/** The delay before a request, milliseconds; an answer if the request must not be made. */
type Permission = (request: WebRequest) => Promise<number | WebAnswer>

/** What is known of the robots.txt of a host. */
interface KnownRobots {
  /** The reason why there are no rules, if it could not be read. */
  readonly rules: RobotsRules | WebAnswer
  /** Milliseconds since 1970. */
  readonly until: number
}

export function politeWeb(ports: WebPorts): Web {
  const { clock } = ports
  const robots = new LRUCache<string, KnownRobots>({ max: MOST_HOSTS })
  const once = oneRequest(ports)

  /** Follows redirects here, because each host on the way has its own pace and its own robots.txt. */
  const follow = async (request: WebRequest, permission: Permission): Promise<WebAnswer> => {
    const redirects: number[] = []
    let { url } = request
    while (redirects.length <= MAX_REDIRECTS) {
      const delayMs = await permission({ ...request, url })
      if (typeof delayMs !== 'number') return delayMs
      const answer = await once({ ...request, url }, delayMs)
      if (answer.kind !== 'answer') return answer
      const next = redirectIn(answer.document)
      if (next === null) return { ...answer, document: { ...answer.document, redirects } }
      redirects.push(answer.document.status)
      url = next
    }
    return { kind: 'no_answer', detail: 'too_many_redirects' }
  }

  const rulesOf = async ({ url, signal }: WebRequest): Promise<KnownRobots['rules']> => {
    const { origin } = new URL(url)
    const known = robots.get(origin)
    if (known !== undefined && known.until > clock.now()) return known.rules
    const answer = await follow({ url: `${origin}/robots.txt`, headers: {}, signal }, always)
    if (answer.kind === 'held') return answer
    const rules = rulesIn(answer)
    robots.set(origin, { rules, until: clock.now() + (isAnswer(rules) ? UNREACHABLE_MS : RULES_MS) })
    return rules
  }

  const permitted: Permission = async (request) => {
    const rules = await rulesOf(request)
    if (isAnswer(rules)) return rules
    const { pathname, search } = new URL(request.url)
    if (!rules.allows(pathname + search)) return { kind: 'forbidden', detail: 'robots' }
    return 1000 * Math.min(rules.crawlDelaySeconds ?? 0, LONGEST_DELAY_SECONDS)
  }

  return {
    get: (request) => follow(request, always),
    getAllowed: (request) => follow(request, permitted),
  }
}

/** Makes one request when it is its turn, unless its host is left alone. */
function oneRequest({ get, clock, pace, reasonOf }: WebPorts) {
  const limits = new HostLimits(clock)
  return async ({ url, headers, signal }: WebRequest, delayMs: number): Promise<WebAnswer> => {
    const host = hostOf(url)
    try {
      return await pace.inTurn(host, { delayMs, signal }, async () => {
        const waitMs = limits.waitMs(host) // in turn: the request before may have been limited
        if (waitMs > 0) return { kind: 'held', detail: 'host_limited', waitMs } as const
        const startedAt = clock.now()
        const document = await get(url, headers, signal)
        limits.observe(host, document)
        return { kind: 'answer', document, durationMs: clock.now() - startedAt } as const
      })
    } catch (cause) {
      if (signal.aborted) throw cause
      if (cause instanceof ForbiddenAddress) return { kind: 'forbidden', detail: 'address' }
      return { kind: 'no_answer', detail: reasonOf(cause) }
    }
  }
}

const always: Permission = async () => 0

const isAnswer = (rules: KnownRobots['rules']): rules is WebAnswer => 'kind' in rules

/** The rules in an answer. Without one, or if the server limits requests, nothing may be requested for now (RFC 9309, 2.3.1.4). */
function rulesIn(answer: Exclude<WebAnswer, { kind: 'held' }>): KnownRobots['rules'] {
  if (answer.kind === 'forbidden') return answer
  if (answer.kind === 'no_answer' || answer.document.status >= 500) return ROBOTS_UNREACHABLE
  if (responseKind(answer.document) === 'limited') return ROBOTS_UNREACHABLE
  const { status, body } = answer.document
  return robotsRules({ text: body.toString('utf8'), status }, PRODUCT)
}

/** The page may be allowed later, so this is no refusal. */
const ROBOTS_UNREACHABLE: WebAnswer = { kind: 'no_answer', detail: 'robots_unreachable' }

const REDIRECTS = [301, 302, 303, 307, 308]

/** Where a response redirects to; `null` if it does not, or to no URL. */
function redirectIn({ url, status, headers }: FetchedDocument): string | null {
  const { location } = headers
  return location === undefined || !REDIRECTS.includes(status) ? null : (parsedUrl(location, url)?.href ?? null)
}

/** The status, size and duration of a response. */
export const sizesOf = (answer: WebAnswer) =>
  answer.kind === 'answer'
    ? {
        status_code: answer.document.status,
        bytes: answer.document.body.length,
        duration_ms: Math.round(answer.durationMs),
      }
    : {}
