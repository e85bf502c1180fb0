import type { MemberEntity } from '../../events/ledger.ts'
import type { Platform, PostObserved } from '../../events/discourse.ts'
import type { Entry } from '../../state/entry.ts'
import { timesIn, topic } from '../../events/topic.ts'
import type { Vector } from '../../events/vector.ts'
import type { Stance } from '../../language/stance/stance.ts'

/** An article of a story: the editorial side that public posts are compared with. */
export interface EnrichedMemberRecord {
  readonly cluster_id: string
  readonly article_id: string
  /** Offset in `articles.clustered` at which it was first seen: articles are evicted in this order. */
  readonly log_order: number
  readonly title: string | null
  readonly url: string | null
  readonly occurred_at: number
  readonly entities: readonly Omit<MemberEntity, 'sentiment_score'>[]
  readonly vector: Vector
  /** Of the title, comparable between languages; empty if there is none. */
  readonly cross_title_vector: Vector
}

/** A post and what the models found in it: entities, sentiment and stance. */
export interface RememberedPost extends Pick<
  PostObserved,
  'event_id' | 'platform' | 'post_id' | 'article_url' | 'reply_to' | 'url' | 'created_at' | 'score'
> {
  /** Offset in `discourse.posts` at which it was first seen: posts are evicted in this order. */
  readonly log_order: number
  /** `null` if no story was found yet. */
  readonly cluster_id: string | null
  /** The story named by its producer. The post waits until that story has an article. */
  readonly claimed_cluster_id: string | null
  /** Hash of the author's name; empty when unknown. */
  readonly author_hash: string
  /** Emptied after its retention. Values derived from it stay. */
  readonly text: string
  /** Equal for copies of one text. */
  readonly text_hash: string
  /** uint32, little-endian; used to find near copies. Empty for a short text. */
  readonly shingles: Buffer
  /** Content words in lower case, each once. */
  readonly words: readonly string[]
  /** `true`: only its position in the thread is kept, because it has replies. */
  readonly deleted: boolean
  /** When it was logged. */
  readonly fetched_at: number
  readonly stance: Stance
  /** The input, besides the post, from which the stance was decided; empty if it is not decided yet. */
  readonly stance_of: string
  /** Each 0 to 1, sum 1; `null` if written before the stance model existed. */
  readonly probabilities: Readonly<Record<Stance, number>> | null
  readonly sentiment_score: number
  readonly entities: readonly PostEntity[]
  readonly vector: Vector
  /** Comparable between languages; empty if the post is in English. */
  readonly cross_vector: Vector
}

export interface PostEntity {
  readonly entity_id: string
  readonly name: string
  /** Empty if written before the type was stored. */
  readonly type: string
}

/** A story that was merged into another one. Posts that name it refer to that one. */
export interface RememberedAlias {
  readonly cluster_id: string
  readonly merged_into: string
}

/** A story that opened with articles of another one. Posts that name the other one may refer to either. */
export interface RememberedSplit {
  readonly cluster_id: string
  readonly split_from: string
}

/** The subject of a record: one story on one platform. */
export interface EnrichedSubject {
  readonly cluster_id: string
  readonly platform: Platform
}

/** The emission state of a record. */
export interface EmissionState extends EnrichedSubject {
  /** Posts in the newest emitted record. */
  readonly told: number
  /** Earliest event time of the emitted records; `null` if none was emitted. */
  readonly since: number | null
  /** Changes since the newest emitted record. */
  readonly untold: number
  /** Earliest event time of these changes; `null` if there are none. */
  readonly from: number | null
}

/** One record of `enriched.memory`: exactly one of the five values is set. */
export interface EnrichedRecord {
  readonly namespace: string
  readonly member: EnrichedMemberRecord | null
  readonly post: RememberedPost | null
  readonly alias: RememberedAlias | null
  readonly telling: EmissionState | null
  readonly split: RememberedSplit | null
}

export type EnrichedUpdate = Entry<EnrichedRecord>
export const memberKey = (namespace: string, articleId: string): string => `${namespace}:member:${articleId}`

export const postKey = (namespace: string, post: Pick<RememberedPost, 'platform' | 'post_id'>): string =>
  `${namespace}:post:${post.platform}:${post.post_id}`

export const aliasKey = (namespace: string, clusterId: string): string => `${namespace}:alias:${clusterId}`
export const splitKey = (namespace: string, clusterId: string): string => `${namespace}:split:${clusterId}`

export const emissionKey = (namespace: string, { cluster_id, platform }: EnrichedSubject): string =>
  `${namespace}:telling:${platform}:${cluster_id}`

export const enrichedMemory = topic<EnrichedRecord>(
  'enriched.memory',
  (value) => keyOf(value),
  ({ member, post }, bound) => ({
    member: member && { ...member, ...timesIn('occurred_at')(member, bound) },
    post: post && { ...post, ...timesIn('created_at', 'fetched_at')(post, bound) },
  }),
)

function keyOf({ namespace, member, post, alias, telling, split }: EnrichedRecord): string {
  if (member !== null) return memberKey(namespace, member.article_id)
  if (post !== null) return postKey(namespace, post)
  if (alias !== null) return aliasKey(namespace, alias.cluster_id)
  if (split !== null) return splitKey(namespace, split.cluster_id)
  return telling === null ? namespace : emissionKey(namespace, telling)
}

export const NONE = { member: null, post: null, alias: null, telling: null, split: null } as const

/** The entry of one value. */
export function entry(namespace: string, thing: Partial<Omit<EnrichedRecord, 'namespace'>>): EnrichedUpdate {
  const value = { ...NONE, ...thing, namespace }
  return { key: keyOf(value), value }
}
