import type { ArticleAnalyzed, EntityType } from './articles.ts'
import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'
import type { Vector } from './vector.ts'

export interface MemberEntity {
  readonly entity_id: string
  readonly name: string
  readonly type: EntityType
  readonly mention_count: number
  /** ISO 3166-1 alpha-2 of a place; null: no place, or of no one country. */
  readonly country: string | null
  /** -1 to +1: mean of its mentions; null: written before it was kept. */
  readonly sentiment_score: number | null
}

/** What a cluster needs to know of a member, so that its views read one topic only. */
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
  | 'sentiment_score'
  | 'sentiment_label'
> {
  /** The outlet, one spelling for all its names: lower case; empty: nobody knows. */
  readonly publisher: string
  /** The group that owns the outlet and others, as `models/publishers` has it; null: none that is known. */
  readonly publisher_family: string | null
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
 * because their mean link is above the threshold; `curator`: somebody with the right to said so; `reprocessed`: a new
 * version of the stage (`versions.reprocessed`) puts them there, and took the old one's place.
 */
export type DecisionRule = 'link' | 'copy' | 'linkage' | 'curator' | 'reprocessed'

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
 * an event day were looked at together, whatever it changed stands in the events before; `settled`: all articles of a story
 * have been looked at together with those of their days, and nothing of it waits.
 */
export type ChangingAction = 'merged' | 'split' | 'moved' | 'corrected' | 'rebuilt' | 'settled'

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

/** Articles that are on a subject page from now on, and on no other. */
export interface SubjectListing {
  readonly subject_id: string
  readonly article_ids: readonly string[]
}

/** What happened to stories other than that an article came. */
export interface StoryChange {
  /** The story the articles leave; null: none does. */
  readonly from_cluster_id: string | null
  /** Those that change their story; they go to the event's `cluster_id`. Of `settled`: all articles of the story. */
  readonly article_ids: readonly string[]
  /** Event day (UTC, `2018-12-31`) of the rebuild; null of corrections. */
  readonly rebuild_day: string | null
  /** Of `rebuilt`: first event day it covers. What was decided before it on these days is settled. */
  readonly rebuilt_from: string | null
  /** Of `rebuilt`: articles that came to a subject page, or changed it. Their stories stay as they are. */
  readonly subjects: readonly SubjectListing[]
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
  /**
   * The calibrated probability, 0 to 1, that the daily recluster leaves the article here; of a change, each of its articles.
   * Null: it says nothing of an article, or was written before it was kept.
   */
  readonly assignment_confidence: number | null
  /** The subject page that lists the article, beside its story; null: none does yet, or stories changed. */
  readonly subject_id: string | null
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
  genre: 'report',
  sentiment_score: 0,
  sentiment_label: 'neutral',
  entities: [],
  categories: [],
  vector: { model: '', dim: 0, dtype: 'f32', data: Buffer.alloc(0) },
}

export const articlesClustered = topic<ArticleClustered>(
  'articles.clustered',
  (e) => e.namespace,
  timesIn('occurred_at'),
)
