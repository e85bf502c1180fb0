import type { Categories } from '../../language/categories/categories.ts'
import type { Publishers } from '../../language/publishers/publishers.ts'
import type { AssignmentWeights } from './assignment.ts'
import type { DocumentFrequencies } from './terms.ts'

/** Numbers of the algorithm, as `models/clustering/weights.json` has them. */
export interface Weights {
  readonly version: string
  readonly text: {
    readonly body_words: number
    readonly lead_words: number
    /** Fewer words than this are no body: the article is compared by its headline. */
    readonly min_body_words: number
    readonly entity_characters: number
    readonly untitled_tokens: number
    /** Of title and body together. */
    readonly evidence_characters: number
  }
  readonly keys: {
    readonly tokens: number
    readonly entities: number
    /** A key that more than this share of documents has says nothing. */
    readonly common_share: number
  }
  readonly pair: {
    /** Both articles have a body. */
    readonly body: PairWeights
    /** One of them is a headline only. */
    readonly headline: PairWeights
  }
  readonly join: JoinWeights
  readonly rebuild: RebuildWeights
  readonly subject: SubjectWeights
  readonly candidates: { readonly by_sketch: number; readonly by_keys: number }
  readonly origins: OriginWeights
}

/** When two texts are one text; containment is 0 to 1 of the shorter text's word 3-shingles. */
export interface OriginWeights {
  /** From here on two texts have the same origin. */
  readonly same: number
  /** From here on one quotes or rewrites the other. */
  readonly derived: number
  /** Texts further apart in event time are not compared; without a date there is no limit. */
  readonly window_days: number
  /** Shorter texts are the same only word for word. */
  readonly min_words: number
  /** Words of a longer text that are looked at. */
  readonly max_words: number
  /** Texts compared with one article, at most. */
  readonly compared: number
}

/** One weight a feature of a pair; features that are not named count nothing. */
export type PairWeights = Readonly<Record<string, number>>

export interface JoinWeights {
  /** A story is joined when its score is higher. */
  readonly threshold: number
  readonly mean_share: number
  readonly max_share: number
  /** Taken off for each e-fold of the story's size. */
  readonly size_weight: number
  readonly size_cap: number
  /** A story is live for an article this near to one of its members, in event time. */
  readonly window_days: number
  readonly members_compared: number
  /** Two stories that an article fits are merged, and articles moved, when the bond is higher; above the threshold of the rebuild. */
  readonly merge_threshold: number
  /** Members of each that make up this bond: those nearest to the article in event time. */
  readonly merge_sample: number
}

/** How the stories of some days are reclustered. */
export interface RebuildWeights {
  /** Event days that are looked at together. */
  readonly window_days: number
  /** Groups are joined while their bond is higher: the mean link of all their pairs, */
  readonly threshold: number
  /** less this share of what they have more within themselves, */
  readonly cohesion_share: number
  /** where a mean link within counts at most so much; */
  readonly cohesion_most: number
  /** and less this for each e-fold of their size, */
  readonly size_share: number
  /** from so many articles */
  readonly size_from: number
  /** up to so many. */
  readonly size_most: number
  /** Articles that are looked at together, at most: the newest. */
  readonly most_articles: number
  /** Articles an article is compared with: those that share the rarest keys with it. */
  readonly compared: number
  /** Of those that share a key, so many on either side in time are looked at: a key that many have says little. */
  readonly posting_reach: number
  /** Of an article's links above the threshold, so many may begin a group: the best. */
  readonly links_kept: number
  /** Of a larger group, so many articles stand for all in a mean. */
  readonly sample: number
  /** What a pair counts whose vectors cannot be compared. */
  readonly far: number
  /** A pair whose logit is lower than this is of two events, whatever others of their groups have in common, */
  readonly unlike_below: number
  /** and counts so much. */
  readonly unlike: number
  /** Of what a story has from before these days, the newest so many articles are compared. */
  readonly older_compared: number
  /** A rebuild waits until nothing came for so long, */
  readonly quiet_minutes: number
  /** but no article waits longer than this. */
  readonly most_minutes: number
}

/** When stories are on one subject page: they share what they are about, not the event. */
export interface SubjectWeights {
  /** Stories are grouped while their mean link is higher; lower than the threshold of a rebuild. */
  readonly threshold: number
  /** A page opens with so many articles */
  readonly min_articles: number
  /** of so many stories. */
  readonly min_stories: number
}

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
  /** Name or hash of each part: stands in every decision. */
  readonly versions: Readonly<Record<string, string>>
}
