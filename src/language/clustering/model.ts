import { z } from 'zod'
import type { Categories } from '../categories/categories.ts'
import type { Publishers } from '../publishers/publishers.ts'

const positive = z.number().int().positive()
/** One weight a feature of a pair; features that are not named count nothing. */
const pairWeights = z.record(z.string(), z.number()).readonly()

/** When two texts are one text; containment is 0 to 1 of the shorter text's word 3-shingles. */
const originWeights = z.object({
  /** From here on two texts have the same origin. */
  same: z.number(),
  /** From here on one quotes or rewrites the other. */
  derived: z.number(),
  /** Texts further apart in event time are not compared; without a date there is no limit. */
  window_days: z.number().positive(),
  /** Shorter texts are the same only word for word. */
  min_words: positive,
  /** Words of a longer text that are looked at. */
  max_words: positive,
  /** Texts compared with one article, at most. */
  compared: positive,
})

const joinWeights = z.object({
  /** A story is joined when its score is higher. */
  threshold: z.number(),
  mean_share: z.number(),
  max_share: z.number(),
  /** Taken off for each e-fold of the story's size. */
  size_weight: z.number(),
  size_cap: positive,
  /** A story is live for an article this near to one of its members, in event time. */
  window_days: z.number().positive(),
  members_compared: positive,
  /** Two stories that an article fits are merged, and articles moved, when the bond is higher; above the threshold of the rebuild. */
  merge_threshold: z.number(),
  /** Members of each that make up this bond: those nearest to the article in event time. */
  merge_sample: positive,
})

/** How the stories of some days are reclustered. */
const rebuildWeights = z.object({
  /** Event days that are reclustered together. */
  window_days: positive,
  /** Clusters are joined while the mean link of all their pairs is higher than this, */
  threshold: z.number(),
  /** less this share of the links within them above it, */
  cohesion_share: z.number().nonnegative(),
  /** where a mean link within counts at most this much; */
  cohesion_most: z.number(),
  /** and less this for each e-fold of their size, */
  size_share: z.number().nonnegative(),
  /** from this many articles */
  size_from: positive,
  /** up to this many. */
  size_most: positive,
  /** Articles that are reclustered together, at most: the newest. */
  most_articles: positive,
  /** Articles an article is compared with: those that share the rarest keys with it. */
  compared: positive,
  /** Of the articles that share a key, the nearest in time on either side: a frequent key says little. */
  posting_reach: positive,
  /** The best links of an article above the threshold that may open a cluster, at most. */
  links_kept: positive,
  /** Articles that represent a larger cluster in a mean. */
  sample: positive,
  /** What a pair counts whose vectors cannot be compared. */
  far: z.number(),
  /** A pair whose logit is lower than this is of two events, whatever others of their clusters have in common, */
  unlike_below: z.number(),
  /** and counts this much. */
  unlike: z.number(),
  /** The newest articles of a story from before these days that are compared, at most. */
  older_compared: positive,
  /** A recluster waits until nothing arrived for this long, */
  quiet_minutes: z.number().nonnegative(),
  /** but no article waits longer than this. */
  most_minutes: z.number().positive(),
})

/** When stories are on one subject page: they share what they are about, not the event. */
const subjectWeights = z.object({
  /** Stories are grouped while their mean link is higher; lower than the threshold of a recluster. */
  threshold: z.number(),
  /** A page opens with this many articles */
  min_articles: positive,
  /** of this many stories. */
  min_stories: positive,
})

/** Numbers of the algorithm: `models/clustering/weights.json`. */
export const weightsFile = z.object({
  version: z.string(),
  text: z.object({
    body_words: positive,
    lead_words: positive,
    /** Fewer words than this are no body: the article is compared by its headline. */
    min_body_words: positive,
    entity_characters: positive,
    untitled_tokens: positive,
    /** Of title and body together. */
    evidence_characters: positive,
  }),
  keys: z.object({
    tokens: positive,
    entities: positive,
    /** A key that more than this share of documents has says nothing. */
    common_share: z.number(),
  }),
  pair: z.object({
    /** Both articles have a body. */
    body: pairWeights,
    /** One of them is a headline only. */
    headline: pairWeights,
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

/** In how many of how many documents a term occurs. Unknown terms occur in none. */
export interface DocumentFrequencies {
  readonly documents: number
  readonly counts: ReadonlyMap<string, number>
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

/** How an article came to its story; `settled`: the recluster looked at it there. */
export const ASSIGNMENTS = ['opened', 'joined', 'copied', 'settled'] as const
export type AssignmentKind = (typeof ASSIGNMENTS)[number]

/** Facts under their names, and `bias`: a logit each. `models/clustering/assignment.json`. */
export const assignmentFile = z.record(z.enum(ASSIGNMENTS), pairWeights)
export type AssignmentWeights = Readonly<z.output<typeof assignmentFile>>

/** `models/clustering/mean-vector.json`. */
export const meanFile = z.object({ model: z.string(), values: z.array(z.number()).length(384) })

/** Everything learned or set beforehand. */
export interface ClusteringModel {
  readonly weights: Weights
  readonly idf: {
    /** Words of title and body. */
    readonly words: DocumentFrequencies
    readonly entities: DocumentFrequencies
    /** Words of titles alone. */
    readonly titles: DocumentFrequencies
  }
  /** Mean lead vector of a news corpus, float32[384]: what all news has in common. */
  readonly mu: Float32Array
  readonly assignment: AssignmentWeights
  readonly publishers: Publishers
  readonly categories: Categories
  /** Name or hash of each part, recorded in every decision. */
  readonly versions: Readonly<Record<string, string>>
}
