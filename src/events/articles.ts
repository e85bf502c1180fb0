import { canonicalUrl } from './canonical-url.ts'
import type { Envelope } from './envelope.ts'
import { articleId } from './ids.ts'
import { timesIn, topic } from './topic.ts'
import { NO_VECTOR, type Vector } from './vector.ts'

/** A request with an `Idempotency-Key`. Hashes are 32 hex digits each. */
export interface IdempotentRequest {
  /** Hash of namespace and key. */
  readonly key_hash: string
  /** Hash of the request body. */
  readonly body_hash: string
}

/**
 * `articles.ingested`: an article as its producer sent it. This is the public input topic; every field except `text` is
 * optional.
 */
export interface ArticleIngested {
  /** Empty: the record's position in the log identifies the event. */
  readonly event_id: string
  readonly namespace: string
  readonly job_id: string | null
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  readonly published_date: number | null
  readonly text: string
  /** Set by the HTTP intake when the caller sent an `Idempotency-Key`. */
  readonly request: IdempotentRequest | null
  /** The producer of the record, for example `import-jsonl`. */
  readonly producer: string | null
  readonly text_source: TextSource | null
}

/**
 * What the text of an article was taken from: its page, or only the item of a feed, which is often a summary. `null`:
 * its producer sent the text.
 */
export type TextSource = 'page' | 'feed'

/** The genre of an article. `report` is also the default. */
export const GENRES = ['report', 'analysis', 'opinion', 'explainer', 'live_blog', 'roundup', 'press_digest'] as const
export type Genre = (typeof GENRES)[number]

/** Fields that every later event of an article repeats, so that stages need no look-ups. */
export interface ArticleFacts {
  readonly article_id: string
  /** Distinguishes revisions. A repeated (article_id, content_hash) is ignored by stages and views. */
  readonly content_hash: string
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  readonly published_date: number | null
  /** False if the article has no publication date. Then `occurred_at` is its arrival, and clustering ignores time. */
  readonly dated: boolean
  /** Plain text: mark-up stripped, entities decoded, trimmed. */
  readonly text: string
  /** ISO 639-1, or `und`. */
  readonly language: string
  /** 0 to 1. */
  readonly quality_score: number
  readonly genre: Genre
  /** 16 hex digits, equal for reprints. */
  readonly semantic_hash: string
  /** float32[384], unit length: the title alone (the lead if there is no title). */
  readonly title_vector: Vector
  /** float32[384], unit length: the title and the first word pieces of the body, in one window. */
  readonly lead_vector: Vector
  /**
   * int8[384], unit length, comparable between languages: the title alone (the first sentence if there is no title).
   * Empty if only English is read, and in events of before.
   */
  readonly cross_title_vector: Vector
  /** int8[384], unit length, comparable between languages: title and body in one window. Empty for English articles. */
  readonly cross_vector: Vector
}

/** The vectors by which articles of different languages are compared. */
export type CrossVectors = Pick<ArticleFacts, 'cross_title_vector' | 'cross_vector'>

export const NO_CROSS_VECTORS: CrossVectors = { cross_title_vector: NO_VECTOR, cross_vector: NO_VECTOR }

/** Scores from 0 to 1, higher is better (spam 1 means clean). */
export interface QualityParts {
  readonly rating: 'Excellent' | 'Good' | 'Medium' | 'Low' | 'Noise'
  readonly depth: number
  readonly coherence: number
  readonly credibility: number
  readonly spam: number
}

/** A content word or name from the beginning of an article, as used by token search. */
export interface Token {
  /** As written in the article. */
  readonly text: string
  /** Universal Dependencies tag (`NOUN`, `PROPN`, `VERB` ...); `X` if unknown. */
  readonly pos_tag: string
  readonly entity_type: 'PERSON' | 'ORG' | 'GPE' | 'LOC' | 'O'
  /** 0 to 1, relative to the article; the most important token has 1. */
  readonly importance: number
  /** -1 to +1: the sentiment of the token's sentence. */
  readonly context_sentiment: number
}

export interface ArticleScored extends Envelope, ArticleFacts {
  readonly job_id: string | null
  readonly text_source: TextSource | null
  readonly quality: QualityParts
  /** Word tokens of the body. */
  readonly token_count: number
  readonly embedding_id: string
  /** float32[384], unit length: the vector of the article, which search compares. */
  readonly embedding: Vector
  /** At most 24, most important first. */
  readonly tokens: readonly Token[]
  /** int8[n][384], unit length: one vector per token, the mean of its word pieces' states in context. */
  readonly token_vectors: Vector
  readonly forwarded: boolean
  /** `passed`, `below_gate` or `private_bypass`. */
  readonly gate_reason: string
}

export const ENTITY_TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT', 'DATE', 'MONEY'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/**
 * Whether an entity is a person, organisation, place or event. Dates and amounts are not subjects that stories share.
 */
export const isNamed = ({ type }: { readonly type: EntityType }): boolean => type !== 'DATE' && type !== 'MONEY'

export interface Mention {
  readonly surface: string
  /** Character offsets into `text`, end exclusive. */
  readonly start: number
  readonly end: number
  /** Index of the mention's sentence. */
  readonly sentence: number
  /** -1 to +1. */
  readonly sentiment_score: number
}

/** Location of a GPE or LOC entity that is in the gazetteer. */
export interface EntityPlace {
  /** ISO 3166-1 alpha-2; `null` if it belongs to no single country, such as a sea or a continent. */
  readonly country: string | null
  /** Degrees; `null` if the gazetteer has no coordinates. */
  readonly latitude: number | null
  readonly longitude: number | null
  /** Canonical names of the places that contain it, innermost first: `["Texas", "United States", "North America"]`. */
  readonly within: readonly string[]
}

/** The resolved time of a DATE: UTC days `YYYY-MM-DD`, both inclusive. */
export interface EntityTime {
  readonly start: string
  readonly end: string
}

/** The value of a MONEY entity. */
export interface EntityMoney {
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
}

export interface Entity {
  readonly entity_id: string
  readonly name: string
  readonly type: EntityType
  /** `Q30`; `null` if the bundled data does not contain it. */
  readonly wikidata_id: string | null
  readonly place: EntityPlace | null
  /** `null` if the entity is not a date or cannot be resolved, such as "Friday" in an undated article. */
  readonly time: EntityTime | null
  readonly money: EntityMoney | null
  readonly mentions: readonly Mention[]
}

export interface Sentence {
  readonly start: number
  readonly end: number
  readonly sentiment_score: number
}

export type SentimentLabel = 'positive' | 'neutral' | 'negative'

export interface ArticleAnalyzed extends Envelope, ArticleFacts {
  /** True if the article was sent directly to Layer 1. It feeds entity views but is never clustered. */
  readonly direct: boolean
  readonly sentences: readonly Sentence[]
  /** Empty since version 5 of `analyzed`. Before: one vector of 384 for each of the first sentences, encoded alone. */
  readonly sentence_vectors: Vector
  readonly entities: readonly Entity[]
  readonly locations: readonly string[]
  readonly sentiment_score: number
  readonly sentiment_label: SentimentLabel
  /** float32[384], unit length: mean of the sentence vectors, weighted by length. */
  readonly article_embedding: Vector
  readonly truncated: boolean
  readonly analyzed_chars: number
  /** Each model that was used, with the hash of its file. */
  readonly models: Readonly<Record<string, string>>
}

export const articlesIngested = topic<ArticleIngested>('articles.ingested', (e) =>
  articleId(e.namespace, e.url === null ? null : canonicalUrl(e.url), e.text),
)
export const articlesScored = topic<ArticleScored>('articles.scored', (e) => e.article_id, timesIn('occurred_at'))
export const articlesAnalyzed = topic<ArticleAnalyzed>('articles.analyzed', (e) => e.namespace, timesIn('occurred_at'))
