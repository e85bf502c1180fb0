import { canonicalUrl } from './canonical-url.ts'
import type { Envelope } from './envelope.ts'
import { articleId } from './ids.ts'
import { timesIn, topic } from './topic.ts'
import type { Vector } from './vector.ts'

/** A submission under an `Idempotency-Key`; 32 hex digits each. */
export interface IdempotentRequest {
  /** Namespace and key. */
  readonly key_hash: string
  /** What was asked under it. */
  readonly body_hash: string
}

/** `articles.ingested`: an article as its producer gave it. The one public entrance; every field but `text` may be left out. */
export interface ArticleIngested {
  /** Empty: the place in the log is its identity. */
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
  /** Who wrote it to the log, e.g. `import-jsonl`. */
  readonly producer: string | null
}

/** How an article is written; `report` also of what no other genre was found for. */
export const GENRES = ['report', 'analysis', 'opinion', 'explainer', 'live_blog', 'roundup', 'press_digest'] as const
export type Genre = (typeof GENRES)[number]

/** What every later event of an article repeats, so that no stage needs a look-up. */
export interface ArticleFacts {
  readonly article_id: string
  /** Distinguishes revisions: the same (article_id, content_hash) again is ignored by folds and views. */
  readonly content_hash: string
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  readonly published_date: number | null
  /** False: no publication date was given, `occurred_at` is the arrival and clustering leaves time out. */
  readonly dated: boolean
  /** Plain text: mark-up stripped, entities decoded, trimmed. */
  readonly text: string
  /** ISO 639-1, or `und`. */
  readonly language: string
  /** 0 to 1. */
  readonly quality_score: number
  readonly genre: Genre
  /** 16 hex digits: equal for re-prints. */
  readonly semantic_hash: string
  /** float32[384], unit length: the title alone (the lead where there is no title). */
  readonly title_vector: Vector
  /** float32[384], unit length: title and the body's first word pieces in one window. */
  readonly lead_vector: Vector
}

/** Each 0 to 1, higher is better (spam 1 is clean). */
export interface QualityParts {
  readonly rating: 'Excellent' | 'Good' | 'Medium' | 'Low' | 'Noise'
  readonly depth: number
  readonly coherence: number
  readonly credibility: number
  readonly spam: number
}

/** A content word or a name from the beginning of an article, as token search finds it. */
export interface Token {
  /** As it stands in the article. */
  readonly text: string
  /** A tag of Universal Dependencies (`NOUN`, `PROPN`, `VERB` ...); `X` where it is not known. */
  readonly pos_tag: string
  readonly entity_type: 'PERSON' | 'ORG' | 'GPE' | 'LOC' | 'O'
  /** 0 to 1 within the article; the most important token has 1. */
  readonly importance: number
  /** -1 to +1: of the sentence it stands in. */
  readonly context_sentiment: number
}

export interface ArticleScored extends Envelope, ArticleFacts {
  readonly job_id: string | null
  readonly quality: QualityParts
  /** Word tokens of the body. */
  readonly token_count: number
  readonly embedding_id: string
  /** float32[384], unit length: the article's own vector, which search compares. */
  readonly embedding: Vector
  /** At most 24, the most important first. */
  readonly tokens: readonly Token[]
  /** bfloat16[n][384], unit length: one vector a token, the mean of its pieces' states in context. */
  readonly token_vectors: Vector
  readonly forwarded: boolean
  /** `passed`, `below_gate` or `private_bypass`. */
  readonly gate_reason: string
}

export const ENTITY_TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT', 'DATE', 'MONEY'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Who, where and what: a date or a sum is no entity that stories share or people talk about. */
export const isNamed = ({ type }: { readonly type: EntityType }): boolean => type !== 'DATE' && type !== 'MONEY'

export interface Mention {
  readonly surface: string
  /** Character offsets into `text`, end exclusive. */
  readonly start: number
  readonly end: number
  /** Index of the sentence it stands in. */
  readonly sentence: number
  /** -1 to +1. */
  readonly sentiment_score: number
}

/** Where a place is; of GPE and LOC entities that the gazetteer knows. */
export interface EntityPlace {
  /** ISO 3166-1 alpha-2; null of what belongs to no one country: a sea, a continent. */
  readonly country: string | null
  /** Degrees; null where the gazetteer has none. */
  readonly latitude: number | null
  readonly longitude: number | null
  /** Canonical names of what it lies in, the nearest first: `["Texas", "United States", "North America"]`. */
  readonly within: readonly string[]
}

/** When a DATE is: UTC days `YYYY-MM-DD`, both inclusive. */
export interface EntityTime {
  readonly start: string
  readonly end: string
}

/** What a MONEY entity comes to. */
export interface EntityMoney {
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
}

export interface Entity {
  readonly entity_id: string
  readonly name: string
  readonly type: EntityType
  /** `Q30`; null where the shipped data does not know it. */
  readonly wikidata_id: string | null
  readonly place: EntityPlace | null
  /** Null: no date, or one that cannot be resolved, such as "Friday" in an undated article. */
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
  /** True: asked for through Layer 1 alone; feeds entity views, is never clustered. */
  readonly direct: boolean
  readonly sentences: readonly Sentence[]
  /** bfloat16[n][384]: one vector a sentence, each encoded alone, for the first sentences (published cap). */
  readonly sentence_vectors: Vector
  readonly entities: readonly Entity[]
  readonly locations: readonly string[]
  readonly sentiment_score: number
  readonly sentiment_label: SentimentLabel
  /** float32[384], unit length: length-weighted mean of the sentence vectors. */
  readonly article_embedding: Vector
  readonly truncated: boolean
  readonly analyzed_chars: number
  /** Name of each model that took part, with its file's hash. */
  readonly models: Readonly<Record<string, string>>
}

export const articlesIngested = topic<ArticleIngested>('articles.ingested', (e) =>
  articleId(e.namespace, e.url === null ? null : canonicalUrl(e.url), e.text),
)
export const articlesScored = topic<ArticleScored>('articles.scored', (e) => e.article_id, timesIn('occurred_at'))
export const articlesAnalyzed = topic<ArticleAnalyzed>('articles.analyzed', (e) => e.namespace, timesIn('occurred_at'))
