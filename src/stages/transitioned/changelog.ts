import type { LifecycleState } from '../../events/lifecycle.ts'
import { timesIn, topic, type TimeBound } from '../../events/topic.ts'
import { articleOrStoryKey, type ArticleOrStory, type Entry } from '../../state/entry.ts'

/** An article of a story: its arrival, event time and origin. */
export interface TransitionedArticleRecord {
  readonly cluster_id: string
  readonly article_id: string
  /** Offset in `articles.clustered` at which it was first seen: articles are evicted in this order. */
  readonly log_order: number
  /** Event time. */
  readonly occurred_at: number
  readonly syndication_group: string
  readonly publisher_family: string | null
  /** The article it quotes or rewrites; `null` if none is known. */
  readonly derived_from: string | null
}

/** The latest reception of a story on one platform. */
export interface RememberedReception {
  readonly controversy_score: number
  readonly counter_narrative_confidence: number
  readonly posts: number
  readonly newest_post: number
  /** When the record was logged. */
  readonly updated: number
}

/** What is kept of a story's evicted articles. */
export interface Departed {
  readonly first_published: number
  readonly last_published: number
  /** Number of articles by UTC day (`2018-12-31`). */
  readonly articles_by_day: Readonly<Record<string, number>>
}

export interface TransitionedStoryRecord {
  readonly cluster_id: string
  /** The state with the latest `evaluated_at`; `null` before the first. */
  readonly lifecycle_state: LifecycleState | null
  readonly evaluated_at: number | null
  /** By platform; only receptions that count. */
  readonly receptions: Readonly<Record<string, RememberedReception>>
  readonly departed: Departed | null
}

/** One record of `transitioned.memory`: an article, or what is known of a story besides its articles. */
export type TransitionedRecord = ArticleOrStory<TransitionedArticleRecord, TransitionedStoryRecord>
export type TransitionedUpdate = Entry<TransitionedRecord>

const boundStory = (story: TransitionedStoryRecord, bound: TimeBound): TransitionedStoryRecord => ({
  ...story,
  ...timesIn('evaluated_at')(story, bound),
  receptions: Object.fromEntries(
    Object.entries(story.receptions).map(([platform, row]) => [
      platform,
      { ...row, ...timesIn('newest_post', 'updated')(row, bound) },
    ]),
  ),
})

export const transitionedMemory = topic<TransitionedRecord>('transitioned.memory', articleOrStoryKey, (value, bound) =>
  value.article === null
    ? { story: boundStory(value.story, bound) }
    : { article: { ...value.article, ...timesIn('occurred_at')(value.article, bound) } },
)

export const blankStory = (clusterId: string): TransitionedStoryRecord => ({
  cluster_id: clusterId,
  lifecycle_state: null,
  evaluated_at: null,
  receptions: {},
  departed: null,
})
