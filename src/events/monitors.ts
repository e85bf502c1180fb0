import type { Envelope } from './envelope.ts'
import type { LifecycleState } from './lifecycle.ts'
import { timesIn, topic } from './topic.ts'

/**
 * What a monitor matches. The first group of conditions must hold together for one article of a story, the second for
 * the story as a whole. An empty list or `null` matches everything.
 */
export interface MonitorConditions {
  /** Words and "quoted phrases" of the title or text; `-` before one excludes it. Empty for any text. */
  readonly query: string
  /** The article names one of these, or one of `entity_names`. */
  readonly entity_ids: readonly string[]
  /** Canonical names, lower case. */
  readonly entity_names: readonly string[]
  /** The article names a place in one of these countries: ISO 3166-1 alpha-2, upper case. */
  readonly places: readonly string[]
  readonly categories: readonly string[]
  /** ISO 639-1, or `und`. */
  readonly languages: readonly string[]
  /** Outlets, hosts of articles, publishers or publisher families, lower case. */
  readonly sources: readonly string[]

  readonly lifecycle_states: readonly LifecycleState[]
  /** Independent sources of the story. */
  readonly min_origins: number | null
  /** Articles of the last 24 hours as a multiple of the usual number. */
  readonly min_velocity: number | null
  /** Mean sentiment of the story's articles, -1 to +1. */
  readonly min_sentiment: number | null
  readonly max_sentiment: number | null
}

/** Conditions that every story meets. */
export const NO_CONDITIONS: MonitorConditions = {
  query: '',
  entity_ids: [],
  entity_names: [],
  places: [],
  categories: [],
  languages: [],
  sources: [],
  lifecycle_states: [],
  min_origins: null,
  min_velocity: null,
  min_sentiment: null,
  max_sentiment: null,
}

export type ChannelType = 'slack' | 'teams' | 'email'

/** `unconfirmed`: the e-mail address was not confirmed yet. */
export type ChannelStatus = 'active' | 'unconfirmed' | 'disabled'

/** Where the matches of a monitor are sent, besides the change feed and webhooks. */
export interface MonitorChannel {
  /** `chn_` and 16 characters. */
  readonly channel_id: string
  readonly type: ChannelType
  /** The URL or e-mail address, encrypted (AES-256-GCM with SECRETS_KEY), since the URL alone allows posting. */
  readonly sealed_target: Buffer
  /** What is shown of it: the host, or the first letter and the domain of an address. */
  readonly hint: string
  readonly status: ChannelStatus
  /** A constant: `gone`, `failing`, `unsubscribed`; `null` unless disabled. */
  readonly disabled_reason: string | null
  readonly created_at: number
}

/** A daily span of local time, `HH:MM` to `HH:MM`; it may span midnight. */
export interface QuietHours {
  readonly start: string
  readonly end: string
}

export type MonitorStatus = 'active' | 'paused' | 'deleted'

/**
 * `monitors.changed`: the current state of a monitor. A deleted monitor is recorded as such and without channels; the
 * topic keeps every state, so that a replay evaluates each story with the monitors of its time.
 */
export interface MonitorChanged {
  /** `mon_` and 16 characters. */
  readonly monitor_id: string
  readonly namespace: string
  /** For `shared`: the owner of the keys that may see it. Empty in a private namespace, where all keys may. */
  readonly owner: string
  /** The key that created it, or the first of the keys that this one was rotated from: they share one quota. */
  readonly key_id: string
  readonly name: string
  readonly conditions: MonitorConditions
  /** Raised whenever the conditions change: a story may then match again. */
  readonly conditions_version: number
  /** Matches in this span are sent when it ends. */
  readonly quiet_hours: QuietHours | null
  /** Local time, `HH:MM`, at which the matches of a day are sent together; `null` to send each at once. */
  readonly digest_at: string | null
  /** IANA name, such as `Europe/Berlin`; for `quiet_hours` and `digest_at`. */
  readonly time_zone: string
  /** Messages per UTC day to each channel; further matches are sent together on the next day. */
  readonly max_per_day: number
  readonly channels: readonly MonitorChannel[]
  /** Hex SHA-256 of the token in the URL of its Atom feed; `null` if there is none. */
  readonly feed_token_hash: string | null
  readonly status: MonitorStatus
  readonly created_at: number
  readonly updated_at: number
}

/** A story when it matched. */
export interface MatchedStory {
  readonly cluster_id: string
  /** Of the newest article that meets the conditions. */
  readonly title: string | null
  readonly url: string | null
  readonly source: string | null
  /** Articles that meet the conditions, newest first, at most 10. */
  readonly article_ids: readonly string[]
  readonly article_count: number
  /** Independent sources. */
  readonly origin_count: number
  readonly lifecycle_state: LifecycleState | null
  /** As in `min_velocity`. */
  readonly velocity: number
  /** Mean sentiment, -1 to +1. */
  readonly sentiment_score: number
  /** Event time, milliseconds since 1970. */
  readonly matched_at: number
}

export const MATCH_TYPES = ['monitor.matched', 'monitor.digest'] as const
export type MatchType = (typeof MATCH_TYPES)[number]

/**
 * `stories.matched`: a story matches a monitor, once per story and version of its conditions (`monitor.matched`), or the
 * matches that were held back are sent together (`monitor.digest`).
 */
export interface StoryMatched extends Envelope {
  readonly type: MatchType
  readonly monitor_id: string
  readonly monitor_name: string
  /** Of the monitor. */
  readonly owner: string
  readonly conditions_version: number
  /** Whether the channels of the monitor receive it: not if the match is held back for a digest. */
  readonly notify: boolean
  /** One for `monitor.matched`. */
  readonly stories: readonly MatchedStory[]
}

/** Keyed by namespace, in order with the stories that the monitors are compared with. */
export const monitorsChanged = topic<MonitorChanged>(
  'monitors.changed',
  (e) => e.namespace,
  timesIn('created_at', 'updated_at'),
)
export const storiesMatched = topic<StoryMatched>('stories.matched', (e) => e.namespace, timesIn('occurred_at'))
