import { timesIn, topic } from '../../events/topic.ts'
import type { Vector } from '../../events/vector.ts'
import type { Outline } from '../../language/near-duplicates/outline.ts'
import type { Fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import type { Features } from './features.ts'

/** One record of `clustered.memory`: an article of a story, with the features that later articles are compared by. */
export interface MemberRecord {
  readonly namespace: string
  readonly article_id: string
  readonly cluster_id: string
  /** Content hashes of all its revisions, newest last. A repeated one is a duplicate. */
  readonly seen: readonly string[]
  /** Offset of its source record. Articles are evicted in this order. */
  readonly log_order: number
  /** When the source record was logged. */
  readonly logged_at: number
  /** Whether the story id derived from the article is in use. No other story gets it. */
  readonly founded: boolean
  readonly occurred_at: number
  readonly dated: boolean
  readonly has_body: boolean
  /** Vectors and terms in the form in which they are in memory (`FeatureBlock`); empty in a record of an older version. */
  readonly packed: Buffer
  /** Its model names the encoder. The components are in `packed`; here only in a record of an older version. */
  readonly lead_vector: Vector
  readonly title_vector: Vector
  /**
   * Empty, except in a record of an older version: all hashes (uint32, ascending), then all weights (float32),
   * little-endian. `evidence` and the next three fields have the same layout.
   */
  readonly body_terms: Buffer
  readonly title_terms: Buffer
  readonly entity_terms: Buffer
  readonly index_keys: Buffer
  /** Semantic hash of the text; empty if the record was written before texts were kept. */
  readonly text_hash: string
  /** Hashed word 3-shingles, uint32, ascending, little-endian; empty, except in a record of an older version. */
  readonly text_shingles: Buffer
  /** `ShingleSample`, uint16. `text_bands` holds one key per MinHash band, 24 bits. Little-endian. */
  readonly text_sample: Buffer
  readonly text_bands: Buffer
  /** ISO 639-1, or `und`. */
  readonly text_language: string
  /** The bytes of `Outline`. */
  readonly text_outline: Buffer
  /** The article that it translates; `null` if it was recognised as no translation. */
  readonly text_translates: string | null
  readonly syndication_group: string
  /** The article it reprints; `null` if it is not a reprint. */
  readonly duplicate_of: string | null
  readonly evidence: Readonly<Record<string, Buffer>>
  readonly constraints: readonly Constraint[]
  /** The subject page that lists it; `null` if there is none. */
  readonly subject_id: string | null
  /** `null` in the record of an article. */
  readonly rebuilt: RebuiltDay | null
}

/** A curator's constraint on an article. */
export interface Constraint {
  readonly correction_id: string
  /**
   * `together`: in one story with all articles of this role in the correction. `left`, `right`: never in a story with
   * the other side.
   */
  readonly role: 'together' | 'left' | 'right'
  /** The story from which the correction moved it; `null` if it did not move. */
  readonly from_cluster_id: string | null
}

export interface RebuiltDay {
  /** UTC, `2018-12-31`. */
  readonly day: string
  /** The rebuild covered articles before this offset. */
  readonly up_to: number
}

/** The in-memory form of a record. */
export interface RememberedMember {
  readonly articleId: string
  readonly clusterId: string
  readonly seen: readonly string[]
  readonly order: number
  readonly loggedAt: number
  readonly founded: boolean
  readonly duplicateOf: string | null
  readonly constraints: readonly Constraint[]
  readonly subjectId: string | null
  readonly features: Features
}

export const memberKey = (namespace: string, articleId: string): string => `${namespace}:${articleId}`
export const dayKey = (namespace: string, { day }: Pick<RebuiltDay, 'day'>): string => `${namespace}:day:${day}`

export const clusteredMemory = topic<MemberRecord>(
  'clustered.memory',
  ({ namespace, article_id, rebuilt }) =>
    rebuilt === null ? memberKey(namespace, article_id) : dayKey(namespace, rebuilt),
  timesIn('occurred_at', 'logged_at'),
)

/** The article's text: its origin, the hash and shingles used to find copies, and what translations have in common. */
export interface ClusteredOwnText {
  readonly print: Fingerprint
  readonly outline: Outline
  readonly group: string
  readonly translates: string | null
}
