import type { Entry } from '../../state/entry.ts'
import { f32, type Vector } from '../../events/vector.ts'
import { encoderOf } from './features.ts'
import {
  dayKey,
  memberKey,
  type MemberRecord,
  type ClusteredOwnText,
  type RebuiltDay,
  type RememberedMember,
} from './changelog.ts'
import { termsFromBytes, termsToBytes } from './terms.ts'
import type { RememberedText } from './texts.ts'

const NO_TEXT: ClusteredOwnText = {
  print: { hash: '', shingles: new Uint32Array(), bands: new Int32Array() },
  group: '',
}

function toRecord(
  namespace: string,
  { features, ...member }: RememberedMember,
  known: ClusteredOwnText | null,
): MemberRecord {
  const text = known ?? NO_TEXT
  return {
    namespace,
    article_id: member.articleId,
    cluster_id: member.clusterId,
    seen: member.seen,
    log_order: member.order,
    logged_at: member.loggedAt,
    founded: member.founded,
    occurred_at: features.time,
    dated: features.dated,
    has_body: features.hasBody,
    lead_vector: f32(`${features.encoder}:lead`, features.lead),
    title_vector: f32(`${features.encoder}:title`, features.title),
    body_terms: termsToBytes(features.bodyTerms),
    title_terms: termsToBytes(features.titleTerms),
    entity_terms: termsToBytes(features.entityTerms),
    index_keys: termsToBytes(features.keys),
    text_hash: text.print.hash,
    text_shingles: bytesOf(text.print.shingles),
    text_bands: bytesOf(text.print.bands),
    syndication_group: text.group,
    duplicate_of: member.duplicateOf,
    evidence: Object.fromEntries(Object.entries(features.evidence).map(([kind, terms]) => [kind, termsToBytes(terms)])),
    constraints: member.constraints,
    subject_id: member.subjectId,
    rebuilt: null,
  }
}

export const articleEntry = (
  namespace: string,
  member: RememberedMember,
  text: ClusteredOwnText | null,
): Entry<MemberRecord> => ({
  key: memberKey(namespace, member.articleId),
  value: toRecord(namespace, member, text),
})

/** State updates of changed articles, with their remembered texts. */
export const rewritten = (
  namespace: string,
  members: readonly RememberedMember[],
  texts: { readonly byArticle: ReadonlyMap<string, ClusteredOwnText> } | undefined,
): Entry<MemberRecord>[] =>
  members.map((member) => articleEntry(namespace, member, texts?.byArticle.get(member.articleId) ?? null))

export const dayEntry = (namespace: string, rebuilt: RebuiltDay): Entry<MemberRecord> => ({
  key: dayKey(namespace, rebuilt),
  value: { ...NO_RECORD, namespace, rebuilt },
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Int32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** The text of a record that has one. Its hash is empty if the record was written before texts were kept. */
export const textOf = (record: MemberRecord): RememberedText => ({
  articleId: record.article_id,
  order: record.log_order,
  time: record.occurred_at,
  dated: record.dated,
  group: record.syndication_group,
  print: {
    hash: record.text_hash,
    shingles: new Uint32Array(copied(record.text_shingles)),
    bands: new Int32Array(copied(record.text_bands)),
  },
})

/** Copies into a separate buffer, like `fromRecord`. */
const copied = (bytes: Buffer): ArrayBuffer => {
  const block = new ArrayBuffer(bytes.length)
  bytes.copy(Buffer.from(block))
  return block
}

/** Copies the record's bytes, since the bytes of a decoded record would keep the whole message in memory. */
export function fromRecord(record: MemberRecord): RememberedMember {
  const kinds = Object.keys(record.evidence).sort()
  const parts = [
    record.lead_vector.data,
    record.title_vector.data,
    record.body_terms,
    record.title_terms,
    record.entity_terms,
    record.index_keys,
    ...kinds.map((kind) => record.evidence[kind] ?? Buffer.alloc(0)),
  ]
  const [lead, title, bodyTerms, titleTerms, entityTerms, keys, ...evidence] = together(parts)
  return {
    articleId: record.article_id,
    clusterId: record.cluster_id,
    seen: record.seen,
    order: record.log_order,
    loggedAt: record.logged_at,
    founded: record.founded,
    duplicateOf: record.duplicate_of,
    constraints: record.constraints,
    subjectId: record.subject_id,
    features: {
      time: record.occurred_at,
      dated: record.dated,
      hasBody: record.has_body,
      encoder: encoderOf(record.lead_vector),
      lead: components(lead),
      title: components(title),
      bodyTerms: termsFrom(bodyTerms),
      titleTerms: termsFrom(titleTerms),
      entityTerms: termsFrom(entityTerms),
      keys: termsFrom(keys),
      evidence: Object.fromEntries(kinds.map((kind, i) => [kind, termsFrom(evidence[i])])),
    },
  }
}

const components = ({ buffer, byteOffset, length }: Buffer = NO_BYTES): Float32Array =>
  new Float32Array(buffer, byteOffset, Math.floor(length / 4))

const termsFrom = (bytes: Buffer = NO_BYTES) => termsFromBytes(bytes)

/** Allocates one buffer for all parts, each aligned to four bytes, since an article consists of many small parts. */
function together(parts: readonly Buffer[]): readonly Buffer[] {
  const block = Buffer.from(new ArrayBuffer(parts.reduce((sum, { length }) => sum + aligned(length), 0)))
  let end = 0
  return parts.map((part) => {
    const start = end
    end += aligned(part.length)
    part.copy(block, start)
    return block.subarray(start, start + part.length)
  })
}

const aligned = (length: number): number => Math.ceil(length / 4) * 4
const NO_BYTES = Buffer.alloc(0)
const NO_VECTOR: Vector = { model: '', dim: 0, dtype: 'f32', data: NO_BYTES }

/** The article fields of a record that holds a day. */
const NO_RECORD: MemberRecord = {
  namespace: '',
  article_id: '',
  cluster_id: '',
  seen: [],
  log_order: 0,
  logged_at: 0,
  founded: false,
  occurred_at: 0,
  dated: false,
  has_body: false,
  lead_vector: NO_VECTOR,
  title_vector: NO_VECTOR,
  body_terms: NO_BYTES,
  title_terms: NO_BYTES,
  entity_terms: NO_BYTES,
  index_keys: NO_BYTES,
  text_hash: '',
  text_shingles: NO_BYTES,
  text_bands: NO_BYTES,
  syndication_group: '',
  duplicate_of: null,
  evidence: {},
  constraints: [],
  subject_id: null,
  rebuilt: null,
}
