import { canonicalUrl } from './canonical-url.ts'
import type { Envelope } from './envelope.ts'
import { articleId } from './ids.ts'
import { topic } from './topic.ts'
import type { Vector } from './vector.ts'

/** A submission under an `Idempotency-Key`; 32 hex digits each. */
export interface Request {
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
  readonly request: Request | null
  /** Who wrote it to the log, e.g. `import-jsonl`. */
  readonly producer: string | null
}

/** What every later event of an article repeats, so that no stage needs a look-up. */
export interface ArticleFacts {
  readonly article_id: string
  /** Tells revisions apart: the same (article_id, content_hash) again is ignored by folds and views. */
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

export type EntityType = 'PERSON' | 'ORG' | 'GPE' | 'LOC' | 'EVENT' | 'DATE' | 'MONEY'

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

export interface MemberEntity {
  readonly entity_id: string
  readonly name: string
  readonly type: EntityType
  readonly mention_count: number
  /** ISO 3166-1 alpha-2 of a place; null: no place, or of no one country. */
  readonly country: string | null
}

/** What a cluster needs to know of a member, so that its views read one topic only. */
export interface Member {
  readonly title: string | null
  readonly url: string | null
  readonly source: string | null
  /** The outlet, one spelling for all its names: lower case; empty: nobody knows. */
  readonly publisher: string
  /** The group that owns the outlet and others, as `models/publishers` has it; null: none that is known. */
  readonly publisher_family: string | null
  readonly published_date: number | null
  readonly dated: boolean
  readonly semantic_hash: string
  readonly quality_score: number
  readonly sentiment_score: number
  readonly sentiment_label: SentimentLabel
  readonly entities: readonly MemberEntity[]
  /** Of technology, politics, finance, geopolitics and health; none of other news. */
  readonly categories: readonly string[]
  /** float32[384], unit length: the lead vector. */
  readonly vector: Vector
}

export interface Candidate {
  readonly cluster_id: string
  readonly score: number
  readonly features: Readonly<Record<string, number>>
}

/**
 * How a choice is made again from its record: `link`: the highest score above the threshold wins, else a story of its own;
 * `copy`: the story of the article it re-prints (score: containment); `linkage`: two groups were joined by the rebuild
 * because their mean link is above the threshold; `curator`: somebody with the right to said so.
 */
export type DecisionRule = 'link' | 'copy' | 'linkage' | 'curator'

/** Why: everything the choice was made from, so that it can be made again. */
export interface Decision {
  readonly rule: DecisionRule
  readonly chosen: Candidate | null
  readonly runner_up: Candidate | null
  readonly threshold: number
  /** Algorithm, weights and idf table, each with its version or hash. */
  readonly versions: Readonly<Record<string, string>>
}

/** Whose text an article is: re-prints of one text are one origin. */
export interface Origin {
  /** `syn_` and 26 characters, from the article of the group that was first to arrive. */
  readonly syndication_group: string
  /** The article it shares most of its text with (containment 0.6 and above); null: a text of its own. */
  readonly duplicate_of: string | null
  /** The article it quotes or rewrites (containment 0.25 to 0.6). */
  readonly derived_from: string | null
  /** Share of the shorter text's word 3-shingles that the two have in common, 0 to 1; 0 where no other text is near. */
  readonly containment: number
}

export type PlacingAction = 'opened' | 'joined' | 'revised'

/**
 * `merged`: all articles of a story went into another one, its id lives on as that one's; `split`: some opened a story of
 * their own; `moved`: some went to another story; `corrected`: a curator's word, done or refused; `rebuilt`: the stories of
 * an event day were looked at together, whatever it changed stands in the events before.
 */
export type ChangingAction = 'merged' | 'split' | 'moved' | 'corrected' | 'rebuilt'

export type ClusterAction = PlacingAction | ChangingAction

/** What became of a curator's request. */
export interface CorrectionDone {
  readonly correction_id: string
  /** `move`, `merge`, `split`, `keep_apart` or `undo`. */
  readonly action: string
  /** Null: applied. Else the constant that says why it could not be. */
  readonly refused: string | null
  /** The curator's own word. */
  readonly reason: string | null
  readonly key_id: string
}

/** What happened to stories other than that an article came. */
export interface StoryChange {
  /** The story the articles leave; null: none does. */
  readonly from_cluster_id: string | null
  /** Those that change their story; they go to the event's `cluster_id`. */
  readonly article_ids: readonly string[]
  /** Event day (UTC, `2018-12-31`) of the rebuild; null of corrections. */
  readonly rebuild_day: string | null
  /** Of `rebuilt`: first event day it covers. What was decided before it on these days is settled. */
  readonly rebuilt_from: string | null
  readonly correction: CorrectionDone | null
}

/**
 * One line of the ledger: what became of an article, or (`change` is there) of stories. A change has no article of its own:
 * `article_id` and `content_hash` are empty, `member` is `NO_MEMBER`; the `cluster_id` of `rebuilt` is empty too.
 */
export interface ArticleClustered extends Envelope {
  readonly action: ClusterAction
  readonly cluster_id: string
  readonly article_id: string
  readonly content_hash: string
  readonly decision: Decision
  /** Null: written before origins were looked for. */
  readonly origin: Origin | null
  readonly member: Member
  /** Null: an article was placed. */
  readonly change: StoryChange | null
}

/** In the place of a member where there is none: the schema promised one to its first readers. */
export const NO_MEMBER: Member = {
  title: null,
  url: null,
  source: null,
  publisher: '',
  publisher_family: null,
  published_date: null,
  dated: false,
  semantic_hash: '',
  quality_score: 0,
  sentiment_score: 0,
  sentiment_label: 'neutral',
  entities: [],
  categories: [],
  vector: { model: '', dim: 0, dtype: 'f32', data: Buffer.alloc(0) },
}

export const articlesIngested = topic<ArticleIngested>('articles.ingested', (e) =>
  articleId(e.namespace, e.url === null ? null : canonicalUrl(e.url), e.text),
)
export const articlesScored = topic<ArticleScored>('articles.scored', (e) => e.article_id)
export const articlesAnalyzed = topic<ArticleAnalyzed>('articles.analyzed', (e) => e.namespace)
export const articlesClustered = topic<ArticleClustered>('articles.clustered', (e) => e.namespace)
