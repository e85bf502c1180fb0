import type { MemberEntity } from '../../events/ledger.ts'
import { timesIn, topic } from '../../events/topic.ts'
import { articleOrStoryKey, type ArticleOrStory, type Entry } from '../../state/entry.ts'
import type { Founding } from '../../domain/graph/story.ts'

/** An entity of an article, and how often the article names it. */
export type RememberedEntity = Pick<MemberEntity, 'entity_id' | 'type' | 'mention_count'>

/** An article of a story: when it came, its entities, where its text lies. */
export interface LinkedArticleRecord {
  readonly cluster_id: string
  readonly article_id: string
  /** Offset in `articles.clustered` at which it was first seen: articles are evicted in this order. */
  readonly log_order: number
  /** Event time of its newest revision. */
  readonly occurred_at: number
  /** No dates, no sums; each once. */
  readonly entities: readonly RememberedEntity[]
  /** int8[384]: the lead vector in steps of 1/127; empty where the vector has another size. */
  readonly vector: Buffer
  /** `null` when it has none or was stored before titles were kept. */
  readonly title: string | null
}

/** What is known of a story besides its articles, also after it lost its last one. */
export interface LinkedStoryRecord {
  readonly cluster_id: string
  /** Offset in `articles.clustered` of the first word that put an article there. */
  readonly opened: number
  /** The story that was left when a split opened this one. */
  readonly split_from: string | null
  /** The story its articles went to, if those that left it last did so by a merge. */
  readonly merged_into: string | null
  /** Who founded the thread it was in when another story of it left memory: the thread keeps its name. */
  readonly thread: Founding | null
}

/** One entry of `linked.memory`. */
export type LinkedRecord = ArticleOrStory<LinkedArticleRecord, LinkedStoryRecord>
export type LinkedUpdate = Entry<LinkedRecord>

export const linkedMemory = topic<LinkedRecord>('linked.memory', articleOrStoryKey, ({ article }, bound) =>
  article === null ? {} : { article: { ...article, ...timesIn('occurred_at')(article, bound) } },
)
