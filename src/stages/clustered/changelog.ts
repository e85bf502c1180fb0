import { timesIn, topic } from '../../events/topic.ts'
import type { Vector } from '../../events/vector.ts'
import type { Fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import type { Features } from './features.ts'

/** One entry of `clustered.memory`: an article of a story, with all that later articles are compared by. */
export interface MemberRecord {
  readonly namespace: string
  readonly article_id: string
  readonly cluster_id: string
  /** Content hashes of all its revisions, the newest last: any of them again is nothing new. */
  readonly seen: readonly string[]
  /** Offset of the record it came from: articles are evicted in this order. */
  readonly log_order: number
  /** When the log took that record. */
  readonly logged_at: number
  /** The story id that follows from the article was given out: no other story gets it. */
  readonly founded: boolean
  readonly occurred_at: number
  readonly dated: boolean
  readonly has_body: boolean
  readonly lead_vector: Vector
  readonly title_vector: Vector
  /** All hashes (uint32, ascending), then all weights (float32), little-endian; so are the three below. */
  readonly body_terms: Buffer
  readonly title_terms: Buffer
  readonly entity_terms: Buffer
  readonly index_keys: Buffer
  /** Semantic hash of the text; empty: written before texts were remembered. */
  readonly text_hash: string
  /** Hashed word 3-shingles, uint32, ascending; then, in `text_bands`, a key for each MinHash band; little-endian. */
  readonly text_shingles: Buffer
  readonly text_bands: Buffer
  readonly syndication_group: string
  /** The article it re-prints. */
  readonly duplicate_of: string | null
  readonly evidence: Readonly<Record<string, Buffer>>
  readonly constraints: readonly Constraint[]
  /** The subject page that lists it; `null` when there is none. */
  readonly subject_id: string | null
  /** `null` in the record of an article. */
  readonly rebuilt: RebuiltDay | null
}

/** What a curator said of an article. */
export interface Constraint {
  readonly correction_id: string
  /** `together`: in one story with all that have this role in the correction; `left`, `right`: never with the other side. */
  readonly role: 'together' | 'left' | 'right'
  /** The story the correction took it from; `null` when it did not move. */
  readonly from_cluster_id: string | null
}

export interface RebuiltDay {
  /** UTC, `2018-12-31`. */
  readonly day: string
  /** Articles from this offset on have come since. */
  readonly up_to: number
}

/** The same in memory. */
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

/** Whose text it is, and what that is known again by. */
export interface ClusteredOwnText {
  readonly print: Fingerprint
  readonly group: string
}
