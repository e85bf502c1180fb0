import type { LifecycleState } from '../../events/lifecycle.ts'
import { timesIn, topic, type TimeBound } from '../../events/topic.ts'
import { articleOrStoryKey, type ArticleOrStory, type Entry } from '../../state/entry.ts'

/** The facts about an article that determine the sources and the title of its story. */
export interface ChangedMember {
  /** Offset in `articles.clustered` at which it was first seen. */
  readonly log_order: number
  /** At most 300 characters of it. */
  readonly title: string | null
  readonly syndication_group: string
  readonly publisher_family: string | null
  /** The article it quotes, rewrites or translates; `null` if none is known. */
  readonly derived_from: string | null
}

/** An article: which revisions were published, its story and its entities. */
export interface ChangedArticleRecord {
  readonly article_id: string
  /** Position within its namespace: articles are evicted in this order. */
  readonly arrival: number
  /** Content hashes of the published revisions, newest last. Empty if the article is known only from the ledger. */
  readonly told: readonly string[]
  /** `null` if it is in no story. */
  readonly cluster_id: string | null
  readonly entity_ids: readonly string[]
  /** Canonical names of `entity_ids`, in their order; empty in older entries. */
  readonly entity_names: readonly string[]
  /** `null` if it came to no story, and in older entries. */
  readonly member: ChangedMember | null
  /** Whether its story has settled since the article was assigned. */
  readonly settled: boolean
  /** The assignment confidence, 0 to 1; `null` if not known. */
  readonly assignment_confidence: number | null
}

/** The last published state of a story. */
export interface ChangedStoryRecord {
  readonly cluster_id: string
  readonly lifecycle_state: LifecycleState | null
  /** The point in time for which that state was evaluated, milliseconds since 1970. */
  readonly evaluated_at: number | null
  /** Platform to the event time of the newest published record. */
  readonly enriched_at: Readonly<Record<string, number>>
}

/** One record of `changed.memory`: an article, or the last published state of a story. */
export type ChangedRecord = ArticleOrStory<ChangedArticleRecord, ChangedStoryRecord>
export type ChangedUpdate = Entry<ChangedRecord>

const boundStory = (story: ChangedStoryRecord, bound: TimeBound): ChangedStoryRecord => ({
  ...story,
  ...timesIn('evaluated_at')(story, bound),
  enriched_at: Object.fromEntries(Object.entries(story.enriched_at).map(([platform, time]) => [platform, bound(time)])),
})

export const changedMemory = topic<ChangedRecord>('changed.memory', articleOrStoryKey, (value, bound) =>
  value.article === null ? { story: boundStory(value.story, bound) } : {},
)

export const unpublished = (clusterId: string): ChangedStoryRecord => ({
  cluster_id: clusterId,
  lifecycle_state: null,
  evaluated_at: null,
  enriched_at: {},
})
