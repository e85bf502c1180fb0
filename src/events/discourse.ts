import type { SentimentLabel } from './articles.ts'
import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

const MINUTE_MS = 60_000

/** The platforms, and how often a connector polls each, in milliseconds. */
export const PLATFORM_CADENCE_MS = {
  reddit: 15 * MINUTE_MS,
  bluesky: 30 * MINUTE_MS,
  twitter: 360 * MINUTE_MS,
} as const

export type Platform = keyof typeof PLATFORM_CADENCE_MS

export const PLATFORMS = Object.keys(PLATFORM_CADENCE_MS) as readonly Platform[]

/**
 * `discourse.posts`: a public post about the news, from a connector or another producer with lawfully obtained data.
 */
export interface PostObserved {
  /** Empty: readers derive the id from the record's position in the log. Imports derive it from the content. */
  readonly event_id: string
  readonly namespace: string
  readonly platform: Platform
  readonly post_id: string
  readonly url: string | null
  readonly author: string | null
  readonly text: string
  readonly created_at: number
  readonly reply_to: string | null
  /** The post's story, if the producer knows it; otherwise found by `article_url`, then by entities and vector. */
  readonly cluster_id: string | null
  readonly article_url: string | null
  readonly score: number | null
  readonly deleted: boolean
}

/**
 * Result of a poll. `limited`: by the platform's rate limits or our budget. `refused`: our credentials were rejected.
 * `failed`: any other failure.
 */
export type PollOutcome = 'ok' | 'limited' | 'refused' | 'failed'

/**
 * `discourse.polled`: a connector has polled a platform. Connectors resume from it after a restart, and freshness is
 * derived from it.
 */
export interface PlatformPolled {
  readonly event_id: string
  readonly namespace: string
  readonly platform: Platform
  /** The story that was searched for; `null` for the platform's stream or for looking up known posts. */
  readonly cluster_id: string | null
  /** Milliseconds since 1970, connector's clock. */
  readonly polled_at: number
  readonly outcome: PollOutcome
  /** The reason of a failure as a constant, such as `http_503`; `null` if the poll succeeded. */
  readonly detail: string | null
  /** Number of published events: new posts, changed posts and deletions. */
  readonly published: number
  /** Posts that the platform returned, known ones included. Budgets count these. */
  readonly posts_read: number
  /** Posts read in this UTC month so far, for all stories. */
  readonly posts_read_in_month: number
  /** Where the next poll of this story (or stream) resumes, in the platform's format. */
  readonly cursor: string | null
}

export interface Evidence {
  /** Novel entity to the posts that mention it. */
  readonly novel_entities: Readonly<Record<string, readonly string[]>>
  readonly counter_narrative: readonly string[]
}

export interface Sample {
  readonly posts: number
  readonly authors: number
  readonly window_start: number
  readonly window_end: number
}

/**
 * `stories.enriched`: the reception of one story on one platform. Each record is complete. For a point in time, the
 * last written record whose event time is not later applies. A record with zero posts means that none are left.
 */
export interface StoryEnriched extends Envelope {
  readonly cluster_id: string
  readonly platform: Platform
  readonly story_title: string
  readonly thread_urls: readonly string[]
  readonly fetched_at: number
  readonly comment_count_analyzed: number
  readonly sentiment_score: number
  readonly sentiment_label: SentimentLabel
  readonly controversy_score: number
  readonly dominant_themes: readonly string[]
  readonly editorial_entities: readonly string[]
  readonly public_entities: readonly string[]
  readonly novel_entities: readonly string[]
  readonly counter_narrative_detected: boolean
  readonly counter_narrative_summary: string | null
  readonly counter_narrative_confidence: number
  readonly evidence: Evidence
  readonly sample: Sample
  /** State when written: `live`. The later state is derived from `discourse.polled`. */
  readonly source_status: string
}

export const discoursePosts = topic<PostObserved>('discourse.posts', (e) => e.namespace, timesIn('created_at'))
export const storiesEnriched = topic<StoryEnriched>(
  'stories.enriched',
  (e) => `${e.cluster_id}:${e.platform}`,
  (event, bound) => ({
    ...timesIn('occurred_at', 'fetched_at')(event, bound),
    sample: { ...event.sample, ...timesIn('window_start', 'window_end')(event.sample, bound) },
  }),
)
export const discoursePolled = topic<PlatformPolled>('discourse.polled', (e) => e.namespace, timesIn('polled_at'))
