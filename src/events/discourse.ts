import type { SentimentLabel } from './articles.ts'
import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

/** The platforms that posts come from. */
export const PLATFORMS = ['reddit', 'bluesky', 'twitter'] as const
export type Platform = (typeof PLATFORMS)[number]

/** `discourse.posts`: a public post about the news, from a connector or any producer with lawful data. */
export interface PostObserved {
  /** Empty: derived by its readers from the record's place in the log. Imports derive it from the content. */
  readonly event_id: string
  readonly namespace: string
  readonly platform: Platform
  readonly post_id: string
  readonly url: string | null
  readonly author: string | null
  readonly text: string
  readonly created_at: number
  readonly reply_to: string | null
  /** The story it is about, when the producer knows; else found by `article_url`, then by entities and vector. */
  readonly cluster_id: string | null
  readonly article_url: string | null
  readonly score: number | null
  readonly deleted: boolean
}

/** How looking at a platform went: `limited` by its rates or our budget, `refused` for our credentials, `failed` for the rest. */
export type PollOutcome = 'ok' | 'limited' | 'refused' | 'failed'

/** `discourse.polled`: a connector has looked at a platform. What it goes on from after a restart, and what freshness follows from. */
export interface PlatformPolled {
  readonly event_id: string
  readonly namespace: string
  readonly platform: Platform
  /** The story it looked for; null: the platform's stream, or posts looked at again. */
  readonly cluster_id: string | null
  /** Milliseconds since 1970, by the connector's clock. */
  readonly polled_at: number
  readonly outcome: PollOutcome
  /** A constant that says why not, `http_503`; null when it went well. */
  readonly detail: string | null
  /** Posts that were published: new or changed ones, and deletions. */
  readonly published: number
  /** Posts the platform gave, known ones included: what a budget is counted in. */
  readonly posts_read: number
  /** Posts read in this UTC month so far, over all stories. */
  readonly posts_read_in_month: number
  /** Where the next look at this story (or stream) goes on, in the platform's own terms. */
  readonly cursor: string | null
}

export interface Evidence {
  /** Novel entity to the posts that name it. */
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
 * `stories.enriched`: how one platform received one story. The whole record each time; at a moment that one holds which was
 * written last of those whose event time is not after it. One of no posts says that none is left.
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
  /** As it was written: `live`. What it is later follows from `discourse.polled`. */
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
