import type { MemberEntity } from '../../events/ledger.ts'
import type { Platform } from '../../events/discourse.ts'
import { topic } from '../../events/topic.ts'
import type { Vector } from '../../events/vector.ts'
import type { Stance } from './stance.ts'

/** An article of a story: the editorial side that public posts are held against. */
export interface RememberedMember {
  readonly cluster_id: string
  readonly article_id: string
  /** Offset in `articles.clustered` at which it was first seen: memory leaves in this order. */
  readonly log_order: number
  readonly title: string | null
  readonly url: string | null
  readonly occurred_at: number
  readonly entities: readonly Omit<MemberEntity, 'sentiment_score'>[]
  readonly vector: Vector
}

/** A post, read once: what it names, how it feels, what stance it takes. */
export interface RememberedPost {
  /** Of its newest observation: the same again is nothing new. */
  readonly event_id: string
  readonly platform: Platform
  readonly post_id: string
  /** Offset in `discourse.posts` at which it was first seen: memory leaves in this order. */
  readonly log_order: number
  /** Null: no story was found for it, yet. */
  readonly cluster_id: string | null
  /** The story its producer names; it waits for an article of it. */
  readonly claimed_cluster_id: string | null
  readonly article_url: string | null
  readonly url: string | null
  /** Hash of the author's name; empty when unknown. */
  readonly author_hash: string
  readonly text: string
  readonly created_at: number
  /** When the log took it. */
  readonly fetched_at: number
  readonly score: number | null
  readonly stance: Stance
  readonly sentiment_score: number
  readonly entities: readonly PostEntity[]
  readonly vector: Vector
}

export interface PostEntity {
  readonly entity_id: string
  readonly name: string
}

/** A story that went into another one: who names it means that one. */
export interface RememberedAlias {
  readonly cluster_id: string
  readonly merged_into: string
}

/** One entry of `enriched.memory`: an article of a story, a post, or where a story went. */
export type Remembered =
  | { readonly namespace: string; readonly member: RememberedMember; readonly post: null; readonly alias: null }
  | { readonly namespace: string; readonly member: null; readonly post: RememberedPost; readonly alias: null }
  | { readonly namespace: string; readonly member: null; readonly post: null; readonly alias: RememberedAlias }

export const memberKey = (namespace: string, articleId: string): string => `${namespace}:member:${articleId}`

export const postKey = (namespace: string, post: Pick<RememberedPost, 'platform' | 'post_id'>): string =>
  `${namespace}:post:${post.platform}:${post.post_id}`

export const aliasKey = (namespace: string, clusterId: string): string => `${namespace}:alias:${clusterId}`

export const enrichedMemory = topic<Remembered>('enriched.memory', ({ namespace, member, post, alias }) => {
  if (member !== null) return memberKey(namespace, member.article_id)
  return post === null ? aliasKey(namespace, alias.cluster_id) : postKey(namespace, post)
})
