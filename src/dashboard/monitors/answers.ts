/** The conditions of a monitor, as the API returns them. */
export interface ShownConditions {
  readonly query: string
  readonly entity_ids: readonly string[]
  readonly entity_names: readonly string[]
  readonly places: readonly string[]
  readonly categories: readonly string[]
  readonly languages: readonly string[]
  readonly sources: readonly string[]
  readonly lifecycle_states: readonly string[]
  readonly min_origins: number | null
  readonly min_velocity: number | null
  readonly min_sentiment: number | null
  readonly max_sentiment: number | null
}

export type ShownChannelType = 'slack' | 'teams' | 'email'

/** A channel, without its target. */
export interface ShownChannel {
  readonly id: string
  readonly type: ShownChannelType
  readonly hint: string
  readonly status: 'active' | 'unconfirmed' | 'disabled'
  readonly disabled_reason: string | null
}

/** When the matches of a monitor are sent. */
export interface SendingTimes {
  readonly quiet_hours: { readonly start: string; readonly end: string } | null
  readonly digest_at: string | null
  readonly time_zone: string
  readonly max_per_day: number
}

export interface ShownMonitor extends SendingTimes {
  readonly id: string
  readonly name: string
  readonly conditions: ShownConditions
  readonly channels: readonly ShownChannel[]
  readonly has_feed: boolean
  readonly status: 'active' | 'paused'
}

/** A story that matched, or that would have. */
export interface StoryLineFacts {
  readonly title: string | null
  readonly source: string | null
  readonly article_count: number
  readonly origin_count: number
  readonly lifecycle_state: string | null
  readonly matched_at: string
}

export interface ShownMatch extends StoryLineFacts {
  readonly id: string
  readonly story_id: string
}

export interface MatchPage {
  readonly matches: readonly ShownMatch[]
  readonly next_cursor: string | null
}

/** The stories of the last days that meet conditions. */
export interface ConditionsPreview {
  /** Newest first, at most 50. */
  readonly stories: readonly (StoryLineFacts & { readonly cluster_id: string })[]
  readonly total: number
  /** Whether there are more stories than were counted. */
  readonly truncated: boolean
  /** Each UTC day of the window, oldest first. */
  readonly days: readonly PreviewDay[]
}

export interface PreviewDay {
  readonly day: string
  readonly stories: number
}
