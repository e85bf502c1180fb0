import type { ArticleAnalyzed, EntityType } from './articles.ts'
import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'
import { NO_VECTOR, type Vector } from './vector.ts'

export interface MemberEntity {
  readonly entity_id: string
  readonly name: string
  readonly type: EntityType
  readonly mention_count: number
  /** Country of a place, ISO 3166-1 alpha-2; `null` if it is not a place, or belongs to no single country. */
  readonly country: string | null
  /** -1 to +1: mean over its mentions; `null` in older records. */
  readonly sentiment_score: number | null
}

/** The data of a member article that clusters need, so that cluster views read one topic only. */
export interface Member extends Pick<
  ArticleAnalyzed,
  | 'title'
  | 'url'
  | 'source'
  | 'published_date'
  | 'dated'
  | 'semantic_hash'
  | 'quality_score'
  | 'genre'
  | 'language'
  | 'sentiment_score'
  | 'sentiment_label'
> {
  /** Normalised name of the publisher, lower case; empty if unknown. */
  readonly publisher: string
  /** The group that owns the publisher (`models/publishers`); `null` if unknown. */
  readonly publisher_family: string | null
  readonly entities: readonly MemberEntity[]
  /** Any of technology, politics, finance, geopolitics and health; empty for other news. */
  readonly categories: readonly string[]
  /** int8[384], unit length: the lead vector. */
  readonly vector: Vector
  /** int8[384], unit length, comparable between languages: the title; empty if only English is read, and in older records. */
  readonly cross_title_vector: Vector
}

export interface Candidate {
  readonly cluster_id: string
  readonly score: number
  readonly features: Readonly<Record<string, number>>
}

/**
 * The rule of a decision. `link`: the highest score above the threshold wins, otherwise the article opens a story.
 * `copy`: the article joins the story of the article that it reprints (score: containment). `linkage`: the recluster
 * joined two groups because their mean score is above the threshold. `curator`: a curator's correction. `reprocessed`:
 * the assignment of a new stage version (`versions.reprocessed`) that replaced the old one. `kept`: a revision of an
 * article that is no longer in memory; it stays in its story and is compared with nothing.
 */
export type DecisionRule = 'link' | 'copy' | 'linkage' | 'curator' | 'reprocessed' | 'kept'

/** Whether a revision concerns an article that neither the clusterer nor the stage (`known`) has in memory any more. */
export const isOfEvictedStory = (
  { decision }: Pick<ArticleClustered, 'decision'>,
  known: object | null | undefined,
): boolean => decision.rule === 'kept' && known == null

/** The reason of an assignment: all inputs of the decision, so that it can be reproduced. */
export interface Decision {
  readonly rule: DecisionRule
  readonly chosen: Candidate | null
  readonly runner_up: Candidate | null
  readonly threshold: number
  /** Version or hash of the algorithm, the weights and the idf table. */
  readonly versions: Readonly<Record<string, string>>
}

/** How far two texts in different languages agree in form. */
export interface Translation {
  /** Of the sentence lengths, as shares of the text: 0 (the same, one after the other) to 2. */
  readonly length_distance: number
  /** Sentences of the text with fewer. */
  readonly sentences: number
  /** Numerals that both texts have in the same order. */
  readonly shared_numerals: number
  /** Numerals of the text with more. */
  readonly numerals: number
}

/** Where an article's text comes from. Reprints and translations of one text count as one independent source. */
export interface Origin {
  /** `syn_` and 26 characters, derived from the first article of the group to arrive. */
  readonly syndication_group: string
  /** The article that it shares most of its text with (containment 0.6 or more); `null` if there is none. */
  readonly duplicate_of: string | null
  /** The article that it quotes or rewrites (containment 0.25 to 0.6), or translates; `null` if there is none. */
  readonly derived_from: string | null
  /** Why it counts as a translation of `derived_from`; `null` if it does not. */
  readonly translation: Translation | null
  /** Share of the shorter text's word 3-shingles that both texts contain, 0 to 1; 0 if no similar text was found. */
  readonly containment: number
}

export type AssignmentAction = 'opened' | 'joined' | 'revised'

/**
 * `merged`: all articles of a story joined another story, and its id now refers to that one. `split`: some articles
 * opened a new story. `moved`: some articles joined another story. `corrected`: a curator's correction, applied or not.
 * `rebuilt`: an event day was reclustered; its changes are in the preceding events. `settled`: all articles of a story
 * have been reclustered with those of their days, and none are pending.
 */
export type StoryChangeAction = 'merged' | 'split' | 'moved' | 'corrected' | 'rebuilt' | 'settled'

export type ClusterAction = AssignmentAction | StoryChangeAction

/** The outcome of a correction request. */
export interface CorrectionDone {
  readonly correction_id: string
  /** `move`, `merge`, `split`, `keep_apart` or `undo`. */
  readonly action: string
  /** `null` if it was applied; otherwise the reason why not, as a constant. */
  readonly refused: string | null
  /** The curator's reason, free text. */
  readonly reason: string | null
  readonly key_id: string
}

/** Articles that are listed on this subject page from now on, and on no other. */
export interface SubjectListing {
  readonly subject_id: string
  readonly article_ids: readonly string[]
}

/** A change of stories other than the arrival of an article. */
export interface StoryChange {
  /** The story that the articles leave; `null` if there is none. */
  readonly from_cluster_id: string | null
  /** The articles that join the event's `cluster_id`. For `settled`: all articles of the story. */
  readonly article_ids: readonly string[]
  /** Event day (UTC, `2018-12-31`) of the recluster; `null` for corrections. */
  readonly rebuild_day: string | null
  /** For `rebuilt`: the first event day covered. Earlier decisions about these days are settled. */
  readonly rebuilt_from: string | null
  /** For `rebuilt`: articles that were added to a subject page or moved to another one. Their stories do not change. */
  readonly subjects: readonly SubjectListing[]
  readonly correction: CorrectionDone | null
}

/**
 * An event of the ledger: the assignment of an article, or (if `change` is set) a change of stories. For a change,
 * `article_id` and `content_hash` are empty and `member` is `NO_MEMBER`. For `rebuilt`, `cluster_id` is empty too.
 */
export interface ArticleClustered extends Envelope {
  readonly action: ClusterAction
  readonly cluster_id: string
  readonly article_id: string
  readonly content_hash: string
  readonly decision: Decision
  /** `null` in older records. */
  readonly origin: Origin | null
  readonly member: Member
  /** `null` if an article was assigned. */
  readonly change: StoryChange | null
  /**
   * Calibrated probability, 0 to 1, that the recluster keeps the article in this story. For a change, it applies
   * to each of its articles. `null` if it does not apply, or in older records.
   */
  readonly assignment_confidence: number | null
  /**
   * The subject page that lists the article, in addition to its story; `null` if there is none yet, or for a change.
   */
  readonly subject_id: string | null
}

/** Placeholder for events without a member: the schema requires one for compatibility. */
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
  genre: 'report',
  language: 'und',
  sentiment_score: 0,
  sentiment_label: 'neutral',
  entities: [],
  categories: [],
  vector: { model: '', dim: 0, dtype: 'f32', data: Buffer.alloc(0) },
  cross_title_vector: NO_VECTOR,
}

export const articlesClustered = topic<ArticleClustered>(
  'articles.clustered',
  (e) => e.namespace,
  timesIn('occurred_at'),
)
