import type { MemberEntity } from '../../events/articles.ts'
import type { Platform } from '../../events/discourse.ts'
import { topic } from '../../events/topic.ts'
import type { Vector } from '../../events/vector.ts'
import type { Stance } from './stance.ts'

/** An article of a story: the editorial side that public posts are held against. */
export interface RememberedMember {
  readonly cluster_id: string
  readonly article_id: string
  readonly title: string | null
  readonly url: string | null
  readonly occurred_at: number
  readonly entities: readonly MemberEntity[]
  readonly vector: Vector
}

/** A post, read once: what it names, how it feels, what stance it takes. */
export interface RememberedPost {
  readonly platform: Platform
  readonly post_id: string
  /** Null: no story was found for it, yet. */
  readonly cluster_id: string | null
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

/** One entry of `enriched.memory`: exactly one of the two is there. */
export interface Remembered {
  readonly member: RememberedMember | null
  readonly post: RememberedPost | null
}

export const enrichedMemory = topic<Remembered>('enriched.memory', () => '')
