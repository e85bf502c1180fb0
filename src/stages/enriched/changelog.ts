import type { MemberEntity } from '../../events/ledger.ts'
import type { Platform, PostObserved } from '../../events/discourse.ts'
import type { Entry } from '../../state/entry.ts'
import { timesIn, topic } from '../../events/topic.ts'
import type { Vector } from '../../events/vector.ts'
import type { Stance } from '../../language/stance/stance.ts'

/** An article of a story: the editorial side that public posts are held against. */
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
}

/** A post, read once: what it names, how it feels, what stance it takes. */
export interface RememberedPost extends Pick<
  PostObserved,
  'event_id' | 'platform' | 'post_id' | 'article_url' | 'reply_to' | 'url' | 'created_at' | 'score'
> {
  /** Offset in `discourse.posts` at which it was first seen: articles are evicted in this order. */
  readonly log_order: number
  /** Null: no story was found for it, yet. */
  readonly cluster_id: string | null
  /** The story its producer names; it waits for an article of it. */
  readonly claimed_cluster_id: string | null
  /** Hash of the author's name; empty when unknown. */
  readonly author_hash: string
  /** Empty once it has been kept as long as configured: what follows from it stays. */
  readonly text: string
  /** What copies of one text have in common. */
  readonly text_hash: string
  /** uint32, little-endian: near copies are known by them; none of a short text. */
  readonly shingles: Buffer
  /** Content words in lower case, each once. */
  readonly words: readonly string[]
  /** True: nothing is kept but its place in the thread, since others answer it. */
  readonly deleted: boolean
  /** When the log took it. */
  readonly fetched_at: number
  readonly stance: Stance
  /** What the stance was decided from besides the post; empty: it was not decided yet. */
  readonly stance_of: string
  /** Each 0 to 1, together 1; null: written before there was a model. */
  readonly probabilities: Readonly<Record<Stance, number>> | null
  readonly sentiment_score: number
  readonly entities: readonly PostEntity[]
  readonly vector: Vector
}

export interface PostEntity {
  readonly entity_id: string
  readonly name: string
  /** Empty: written before it was kept. */
  readonly type: string
}

/** A story whose articles went into another one: who names it means that one. */
export interface RememberedAlias {
  readonly cluster_id: string
  readonly merged_into: string
}

/** A story that some articles of another one opened: who names that one may mean either. */
export interface RememberedSplit {
  readonly cluster_id: string
  readonly split_from: string
}

/** A record: one story on one platform. */
export interface EnrichedSubject {
  readonly cluster_id: string
  readonly platform: Platform
}

/** How far a record has been emitted. */
export interface EmissionState extends EnrichedSubject {
  /** Posts in the newest record. */
  readonly told: number
  /** Earliest event time of the emitted records; `null` when there is none. */
  readonly since: number | null
  /** Changes since the newest record. */
  readonly untold: number
  /** Earliest event time that changed since; `null` when nothing has. */
  readonly from: number | null
}

/** One entry of `enriched.memory`: exactly one of the five is there. */
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

/** The entry of one thing. */
export function entry(namespace: string, thing: Partial<Omit<EnrichedRecord, 'namespace'>>): EnrichedUpdate {
  const value = { ...NONE, ...thing, namespace }
  return { key: keyOf(value), value }
}
