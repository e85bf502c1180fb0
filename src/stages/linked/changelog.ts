import type { MemberEntity } from '../../events/ledger.ts'
import { timesIn, topic } from '../../events/topic.ts'
import { articleOrStoryKey, type ArticleOrStory, type Entry } from '../../state/entry.ts'
import type { Founding } from '../../domain/graph/story.ts'

/** An entity of an article, and the number of its mentions. */
export type RememberedEntity = Pick<MemberEntity, 'entity_id' | 'type' | 'mention_count'>

/** An article of a story: its arrival, event time, entities and vector. */
export interface LinkedArticleRecord {
  readonly cluster_id: string
  readonly article_id: string
  /** Offset in `articles.clustered` at which it was first seen: articles are evicted in this order. */
  readonly log_order: number
  /** Event time of its newest revision. */
  readonly occurred_at: number
  /** Each entity once. */
  readonly entities: readonly RememberedEntity[]
  /** int8[384]: the lead vector in steps of 1/127. Empty if the vector has another dimension. */
  readonly vector: Buffer
  /** `null` if it has none or was stored before titles were kept. */
  readonly title: string | null
}

/** What is known of a story besides its articles. Kept after it lost its last article. */
export interface LinkedStoryRecord {
  readonly cluster_id: string
  /** Offset in `articles.clustered` of the first entry that assigned an article to it. */
  readonly opened: number
  /** The story it was split from; `null` if it was not. */
  readonly split_from: string | null
  /** The story it was merged into; `null` if its articles left in another way. */
  readonly merged_into: string | null
  /** The founder of its thread, if another story of the thread was evicted: the thread keeps its name. */
  readonly thread: Founding | null
}

/** One record of `linked.memory`. */
export type LinkedRecord = ArticleOrStory<LinkedArticleRecord, LinkedStoryRecord>
export type LinkedUpdate = Entry<LinkedRecord>

export const linkedMemory = topic<LinkedRecord>('linked.memory', articleOrStoryKey, ({ article }, bound) =>
  article === null ? {} : { article: { ...article, ...timesIn('occurred_at')(article, bound) } },
)
