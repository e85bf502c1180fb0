import { topic } from '../../events/topic.ts'
import { f32, vectors, type Vector } from '../../events/vector.ts'
import { encoderOf, type Features } from './features.ts'
import { termsFromBytes, termsToBytes } from './terms.ts'

/** One entry of `clustered.memory`: an article of a story, with all that later articles are compared by. */
export interface MemberRecord {
  readonly namespace: string
  readonly article_id: string
  readonly cluster_id: string
  /** Content hashes of all its revisions, the newest last: any of them again is nothing new. */
  readonly seen: readonly string[]
  /** Offset of the record it came from: memory leaves in this order. */
  readonly log_order: number
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
}

/** The same in memory. */
export interface RememberedMember {
  readonly articleId: string
  readonly clusterId: string
  readonly seen: readonly string[]
  readonly order: number
  readonly features: Features
}

export const memberKey = (namespace: string, articleId: string): string => `${namespace}:${articleId}`

export const clusteredMemory = topic<MemberRecord>('clustered.memory', (record) =>
  memberKey(record.namespace, record.article_id),
)

export function toRecord(namespace: string, { features, ...member }: RememberedMember): MemberRecord {
  return {
    namespace,
    article_id: member.articleId,
    cluster_id: member.clusterId,
    seen: member.seen,
    log_order: member.order,
    occurred_at: features.time,
    dated: features.dated,
    has_body: features.hasBody,
    lead_vector: f32(`${features.encoder}:lead`, features.lead),
    title_vector: f32(`${features.encoder}:title`, features.title),
    body_terms: termsToBytes(features.bodyTerms),
    title_terms: termsToBytes(features.titleTerms),
    entity_terms: termsToBytes(features.entityTerms),
    index_keys: termsToBytes(features.keys),
  }
}

export function fromRecord(record: MemberRecord): RememberedMember {
  return {
    articleId: record.article_id,
    clusterId: record.cluster_id,
    seen: record.seen,
    order: record.log_order,
    features: {
      time: record.occurred_at,
      dated: record.dated,
      hasBody: record.has_body,
      encoder: encoderOf(record.lead_vector),
      lead: vectors(record.lead_vector)[0] ?? new Float32Array(),
      title: vectors(record.title_vector)[0] ?? new Float32Array(),
      bodyTerms: termsFromBytes(record.body_terms),
      titleTerms: termsFromBytes(record.title_terms),
      entityTerms: termsFromBytes(record.entity_terms),
      keys: termsFromBytes(record.index_keys),
    },
  }
}
