import { z } from 'zod'
import type { Categories } from '../categories/categories.ts'
import type { Publishers } from '../publishers/publishers.ts'

const positive = z.number().int().positive()
/** Weight of each feature of a pair; features without a weight are ignored. */
const pairWeights = z.record(z.string(), z.number()).readonly()

/** When two texts count as one. Containment is the share of the shorter text's word 3-shingles, 0 to 1. */
const originWeights = z.object({
  /** Minimum containment for the same origin. */
  same: z.number(),
  /** Minimum containment for a text that quotes or rewrites the other. */
  derived: z.number(),
  /** Texts further apart in event time are not compared. Texts without a date have no limit. */
  window_days: z.number().positive(),
  /** Shorter texts are the same only if they are identical word for word. */
  min_words: positive,
  /** Maximum number of words read of a text. */
  max_words: positive,
  /** Maximum number of texts compared with one article. */
  compared: positive,
})

const joinWeights = z.object({
  /** A story is joined if its score is higher than this. */
  threshold: z.number(),
  mean_share: z.number(),
  max_share: z.number(),
  /** Subtracted from the score for each e-fold of the story's size. */
  size_weight: z.number(),
  size_cap: positive,
  /** Keys that an article must share with a member of a story to join it, unless one of the two is a headline. */
  shared_keys: positive,
  /** A story is a candidate if one of its members is this close to the article in event time. */
  window_days: z.number().positive(),
  members_compared: positive,
  /**
   * Two stories that an article fits are merged, and articles reassigned, if their bond is higher than this, which is
   * above the threshold of the recluster.
   */
  merge_threshold: z.number(),
  /** Number of members of each story that the bond is computed from: those nearest to the article in event time. */
  merge_sample: positive,
})

/** Parameters of the recluster. */
const rebuildWeights = z.object({
  /** Articles are reclustered together if their event days are fewer days apart than this. */
  window_days: positive,
  /**
   * Clusters are joined while their bond is higher than this. The bond is the mean link of all their pairs, minus two
   * penalties: for cohesion and for size.
   */
  threshold: z.number(),
  /**
   * Cohesion penalty: this share of the amount by which the links within both clusters exceed the links between them.
   */
  cohesion_share: z.number().nonnegative(),
  /** Upper limit of a mean inner link in the cohesion penalty. */
  cohesion_most: z.number(),
  /** Size penalty for each e-fold of the clusters' size. */
  size_share: z.number().nonnegative(),
  /** Number of articles from which the size penalty applies. */
  size_from: positive,
  /** Number of articles up to which the size penalty grows. */
  size_most: positive,
  /** Articles of one event day that are reclustered at one tick, the first to arrive; the others wait for the next tick. */
  changed_at_once: positive,
  /** Maximum number of articles reclustered together; the newest are used. */
  most_articles: positive,
  /** Number of articles that an article is compared with: those that share the rarest keys with it. */
  compared: positive,
  /**
   * Of the articles that share a key, only the nearest in time are considered, this many before and after.
   */
  posting_reach: positive,
  /** Maximum number of an article's best links above the threshold that may open a cluster. */
  links_kept: positive,
  /** Number of articles that represent a larger cluster in a mean. */
  sample: positive,
  /** Score of a pair whose vectors cannot be compared. */
  far: z.number(),
  /** A pair with a lower logit reports different events and scores `unlike`. */
  unlike_below: z.number(),
  /** Score of such a pair. */
  unlike: z.number(),
  /** Maximum number of a story's articles outside those days that are compared; the newest are used. */
  older_compared: positive,
  /** A recluster waits until no article arrived for this long. */
  quiet_minutes: z.number().nonnegative(),
  /** No article waits longer than this. */
  most_minutes: z.number().positive(),
})

/** When stories share a subject page: they have the subject in common, not the event. */
const subjectWeights = z.object({
  /**
   * Stories are grouped while their mean link is higher than this, which is lower than the threshold of a recluster.
   */
  threshold: z.number(),
  /** Minimum number of articles of a page. */
  min_articles: positive,
  /** Minimum number of stories of a page. */
  min_stories: positive,
})

/** Parameters of the algorithm: `models/clustering/weights.json`. */
export const weightsFile = z.object({
  version: z.string(),
  text: z.object({
    body_words: positive,
    lead_words: positive,
    /** A shorter body is ignored: the article is compared by its headline. */
    min_body_words: positive,
    entity_characters: positive,
    untitled_tokens: positive,
    /** Title and body together. */
    evidence_characters: positive,
  }),
  keys: z.object({
    tokens: positive,
    entities: positive,
    /** Keys in more than this share of documents are ignored. */
    common_share: z.number(),
  }),
  pair: z.object({
    /** Used if both articles have a body. */
    body: pairWeights,
    /** Used if one article is only a headline. */
    headline: pairWeights,
    /** Used if one article is not in English. */
    cross: pairWeights,
  }),
  join: joinWeights,
  rebuild: rebuildWeights,
  subject: subjectWeights,
  candidates: z.object({ by_sketch: positive, by_keys: positive }),
  origins: originWeights,
})

export type Weights = Readonly<z.output<typeof weightsFile>>
export type PairWeights = z.output<typeof pairWeights>
export type OriginWeights = Readonly<z.output<typeof originWeights>>
export type RebuildWeights = Readonly<z.output<typeof rebuildWeights>>
export type SubjectWeights = Readonly<z.output<typeof subjectWeights>>

/** Number of documents that contain each term, out of all `documents`; 0 for unknown terms. */
export interface DocumentFrequencies {
  readonly documents: number
  readonly counts: Pick<ReadonlyMap<string, number>, 'get'>
}

const counts = z.record(z.string(), positive).transform((terms) => new Map(Object.entries(terms)))

/** `models/clustering/document-frequencies.json.gz`. */
export const frequenciesFile = z
  .object({ documents: positive, words: counts, entities: counts, titles: counts })
  .transform(({ documents, words, entities, titles }) => ({
    words: { documents, counts: words },
    entities: { documents, counts: entities },
    titles: { documents, counts: titles },
  }))

/** How an article was assigned to its story; `settled`: the recluster evaluated it there. */
export const ASSIGNMENTS = ['opened', 'joined', 'copied', 'settled'] as const
export type AssignmentKind = (typeof ASSIGNMENTS)[number]

/** For each kind of assignment, the weight of each feature and `bias`: `models/clustering/assignment.json`. */
export const assignmentFile = z.record(z.enum(ASSIGNMENTS), pairWeights)
export type AssignmentWeights = Readonly<z.output<typeof assignmentFile>>

/** `models/clustering/mean-vector.json`. */
export const meanFile = z.object({ model: z.string(), values: z.array(z.number()).length(384) })

/** All learned and configured parts of the clusterer. */
export interface ClusteringModel {
  readonly weights: Weights
  readonly idf: {
    /** Words of title and body. */
    readonly words: DocumentFrequencies
    readonly entities: DocumentFrequencies
    /** Words of titles alone. */
    readonly titles: DocumentFrequencies
  }
  /** Mean lead vector of a news corpus, float32[384]. */
  readonly mu: Float32Array
  readonly assignment: AssignmentWeights
  readonly publishers: Publishers
  readonly categories: Categories
  /** Name or hash of each part, recorded in every decision. */
  readonly versions: Readonly<Record<string, string>>
}
