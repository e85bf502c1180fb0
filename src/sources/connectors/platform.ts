import type { ConnectorSettings } from '../../config/config.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Http } from '../../ports/http.ts'
import type { BudgetRule } from './budget.ts'
import type { PostFields } from '../../domain/intake/posts.ts'
import type { Platform, PlatformPolled } from '../../events/discourse.ts'
import type { Priority, StoryTarget } from './targets.ts'

/** A published post that is looked up again to see whether it still exists. */
export interface KnownPost {
  readonly post_id: string
  readonly url: string | null
  /** Milliseconds since 1970. */
  readonly created_at: number
}

/** The result of a search. */
export interface FoundPosts {
  /** In no order, known ones included. */
  readonly posts: readonly PostFields[]
  /** Posts the platform gave, for its budget. */
  readonly read: number
  /** Where the next search for the story continues; `null` for the beginning. */
  readonly cursor: string | null
  /** Ids of deleted posts that left a gap in their thread. */
  readonly gone?: readonly string[]
  /** Ids of all posts of threads that were read completely: a known reply that is not among them is missing. */
  readonly complete?: readonly string[]
  /** Branches of threads that were too deep or too many to be read. */
  readonly unread?: number
  /** What ended the search early. The posts before it are valid; the search is repeated. */
  readonly stopped?: PlatformTrouble
}

/** What one search may read at most. */
export interface PlatformAllowance {
  /** Posts that may still be read; Infinity where the platform has no budget. */
  left(): number
}

/** What a round may do on a platform. */
export interface PlatformRounds {
  /** Published posts that one round looks up again, over all namespaces; a budget may allow fewer. */
  readonly lookUpsPerRound: number
  /** Whether a story of this priority is searched at all. */
  readonly searches: (priority: Priority) => boolean
}

/** One platform. Its methods throw `Limited`, `PlatformRefused` or `PlatformAway`, and nothing else is expected of them. */
export interface PlatformSource extends PlatformRounds {
  readonly platform: Platform
  /** Posts about a story, new since `cursor` where the platform can say so. */
  search(target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts>
  /** Ids of those that are gone at their source. */
  gone(
    posts: readonly KnownPost[],
    signal: AbortSignal,
  ): Promise<{ readonly gone: readonly string[]; readonly read: number }>
}

/** The platform's rate limit or our budget is used up until `until`, milliseconds since 1970. */
export class Limited extends Error {
  override readonly name = 'Limited'
  readonly until: number
  /** A constant: `rate_limit`, `monthly_budget`. */
  readonly detail: string

  constructor(detail: string, until: number) {
    super(detail)
    this.detail = detail
    this.until = until
  }
}

/** Our credentials or our access are refused: an operator must act, a retry would not help. */
export class PlatformRefused extends Error {
  override readonly name = 'Refused'
  readonly detail: string

  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.detail = detail
  }
}

/** No response, or an unreadable one: try again later. `detail` is a constant: `http_503`, `not_json`, `timeout`. */
export class PlatformAway extends Error {
  override readonly name = 'Away'
  readonly detail: string

  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.detail = detail
  }
}

export type PlatformTrouble = Limited | PlatformRefused | PlatformAway

export const isTrouble = (cause: unknown): cause is PlatformTrouble =>
  cause instanceof Limited || cause instanceof PlatformRefused || cause instanceof PlatformAway

type Went = Pick<PlatformPolled, 'outcome' | 'detail'>

export const OK: Went = { outcome: 'ok', detail: null }

/** A failure as `discourse.polled` records it. */
export function howItWent(trouble: PlatformTrouble): Went {
  const { detail } = trouble
  if (trouble instanceof Limited) return { outcome: 'limited', detail }
  return { outcome: trouble instanceof PlatformAway ? 'failed' : 'refused', detail }
}

/** A platform's folder as the process sees it: one entry of `platforms.ts`. */
export interface PlatformConnector {
  /** The variables that must be set. */
  readonly variables: readonly string[]
  /** `null` if its credentials are not set. */
  open(settings: ConnectorSettings, ports: PlatformPorts): OpenPlatform | null
}

interface PlatformPorts {
  readonly http: Http
  readonly clock: Clock
}

export interface OpenPlatform {
  /** Where credentials are sent, by variable: https, or this machine. */
  readonly addresses: Readonly<Record<string, string>>
  readonly budget: Omit<BudgetRule, 'cadenceMs'>
  readonly source: (allowance: PlatformAllowance) => PlatformSource
  /** A stream of all posts besides the rounds; `null` if the platform has none or none is configured. */
  readonly stream: { readonly variable: string; readonly url: string } | null
}
