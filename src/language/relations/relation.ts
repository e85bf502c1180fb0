import type { Entity, Sentence } from '../../events/articles.ts'

/** What a sentence says of two entities beside naming both. */
export type AssertedType = 'collaborative' | 'adversarial' | 'causal'

/** The type that a word list names; anything else is an error of the list. */
export function assertedType(name: string): AssertedType {
  if (name === 'collaborative' || name === 'adversarial' || name === 'causal') return name
  throw new Error(`No type of relation: ${name}`)
}

/** A pair of entities that one sentence names. */
export interface SentenceRelation {
  /** Index of the sentence. */
  readonly sentence: number
  /** Who acts; of co_mention the smaller id. */
  readonly source_id: string
  readonly target_id: string
  readonly type: AssertedType | 'co_mention'
  /** The verb or noun that asserts it, as written; empty of co_mention. */
  readonly evidence: string
  /** -1 to +1, of the sentence. */
  readonly sentiment_score: number
}

export interface RelatingArticle {
  readonly text: string
  readonly sentences: readonly Sentence[]
  readonly entities: readonly Pick<Entity, 'entity_id' | 'type' | 'mentions'>[]
}

/** A relation as a sentence asserts it: places of its two parties and of the asserting word among the sentence's words. */
export interface WordRelation {
  readonly source: number
  readonly target: number
  readonly type: AssertedType
  readonly by: number
  /** It counts only where the sentence does not feel otherwise. */
  readonly weak: boolean
}

/** Places of the names that act together, or are acted on; empty where no name is. */
export type Parties = readonly number[]
