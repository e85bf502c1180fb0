import type { ConnectorSettings } from '../../config/config.ts'
import type { TargetFacts } from '../../views/echo/targets.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Http, OpenSocket } from '../../ports/http.ts'
import type { PostFields } from '../../domain/intake/posts.ts'
import type { Platform } from '../../events/discourse.ts'
import type { BudgetRule } from './budget.ts'
import type { KnownPost, PollResult } from './published-posts.ts'
import type { PostPublishing } from './publishing.ts'

export type Priority = 'high' | 'medium' | 'low'

/** A story to search for, and its search terms. */
export interface StoryTarget extends TargetFacts {
  readonly namespace: string
  readonly priority: Priority
  /** What identifies it in a search: names first, then words of the title. */
  readonly terms: readonly string[]
}

/** The result of a search. */
export interface FoundPosts {
  /** In no particular order, including posts that were published before. */
  readonly posts: readonly PostFields[]
  /** Number of posts that the platform returned, for the budget. */
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

/** Limits what one search reads. */
export interface PlatformAllowance {
  /** Posts that may still be read; `Infinity` if the platform has no budget. */
  left(): number
}

/** What a round may do on a platform. */
export interface PlatformRounds {
  /** Published posts that one round looks up again, over all namespaces; a budget may allow fewer. */
  readonly lookUpsPerRound: number
  /** Whether a story of this priority is searched at all. */
  readonly searches: (priority: Priority) => boolean
}

/** One platform. Its methods throw `Limited`, `PlatformRefused` or `PlatformUnavailable`; any other error is a bug. */
export interface PlatformSource extends PlatformRounds {
  readonly platform: Platform
  /** Posts about a story; only new ones since `cursor` if the platform supports that. */
  search(target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts>
  /** Returns which of these posts no longer exist. */
  gone(
    posts: readonly KnownPost[],
    signal: AbortSignal,
  ): Promise<{ readonly gone: readonly string[]; readonly read: number }>
}

abstract class Trouble extends Error {
  /** A constant, such as `rate_limit`, `http_503`, `not_json`. */
  readonly detail: string

  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.detail = detail
  }
}

/** The platform's rate limit or our budget is used up until `until`, milliseconds since 1970. */
export class Limited extends Trouble {
  override readonly name = 'Limited'
  readonly until: number

  constructor(detail: string, until: number) {
    super(detail)
    this.until = until
  }
}

/** The platform rejected our credentials or access. An operator must act; a retry does not help. */
export class PlatformRefused extends Trouble {
  override readonly name = 'Refused'
}

/** No response, or an unreadable one. A later retry may help. */
export class PlatformUnavailable extends Trouble {
  override readonly name = 'Unavailable'
}

export type PlatformTrouble = Limited | PlatformRefused | PlatformUnavailable
export const isTrouble = (cause: unknown): cause is PlatformTrouble => cause instanceof Trouble

export const OK: PollResult = { outcome: 'ok', detail: null }

/** Converts a failure to an outcome for `discourse.polled`. */
export function pollResultOf(trouble: PlatformTrouble): PollResult {
  const { detail } = trouble
  if (trouble instanceof Limited) return { outcome: 'limited', detail }
  return { outcome: trouble instanceof PlatformUnavailable ? 'failed' : 'refused', detail }
}

/** What the process uses of a platform's folder: one entry of `platforms.ts`. */
export interface PlatformConnector {
  /** Environment variables that must be set. */
  readonly variables: readonly string[]
  /** `null` if its credentials are not set. */
  open(settings: ConnectorSettings, ports: PlatformPorts): OpenPlatform | null
}

export interface PlatformPorts {
  readonly http: Http
  readonly clock: Clock
  /** Opens WebSockets that offer these subprotocols. */
  readonly openSocket: (options: { readonly protocols: readonly string[] }) => OpenSocket
}

export interface OpenPlatform {
  /** URLs that credentials are sent to, by variable. They must be https or on this machine. */
  readonly addresses: Readonly<Record<string, string>>
  readonly budget: Omit<BudgetRule, 'cadenceMs'>
  readonly source: (allowance: PlatformAllowance) => PlatformSource
  /** A stream of all posts, in addition to the rounds; `null` if the platform has none or none is configured. */
  readonly stream: PlatformStream | null
}

export interface PlatformStream {
  /** The variable of the URL, which must be wss or on this machine. */
  readonly variable: string
  readonly url: string
  /** Reads the stream until the signal. Throws if our own engines fail. */
  readonly listen: (ports: StreamPorts, signal: AbortSignal) => Promise<void>
}

/** What a connector's rounds and stream share: both need the same published posts. */
export interface SharedPorts {
  readonly publishing: PostPublishing
  readonly clock: Clock
  readonly namespaces: readonly string[]
  /** The stories of a namespace to search for. */
  readonly targets: (namespace: string) => Promise<readonly StoryTarget[]>
}

export interface StreamPorts extends SharedPorts {
  /** Called once a minute. */
  readonly onMinute: (counts: Readonly<StreamCounts>) => void
  /** Called if the connection failed or ended. It is retried. */
  readonly onTrouble: (cause: unknown) => void
}

/** Counts since the last report. */
export interface StreamCounts {
  /** Posts and deletions in the stream. */
  read: number
  /** Frames that could not be read. */
  unreadable: number
  published: number
  deleted: number
}
