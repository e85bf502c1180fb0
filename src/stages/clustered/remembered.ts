import { topic } from '../../events/topic.ts'
import { f32, type Vector } from '../../events/vector.ts'
import type { Fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import { encoderOf, type Features } from './features.ts'
import { termsFromBytes, termsToBytes } from './terms.ts'
import type { RememberedText } from './texts.ts'

/** One entry of `clustered.memory`: an article of a story, with all that later articles are compared by. */
export interface MemberRecord {
  readonly namespace: string
  readonly article_id: string
  readonly cluster_id: string
  /** Content hashes of all its revisions, the newest last: any of them again is nothing new. */
  readonly seen: readonly string[]
  /** Offset of the record it came from: memory leaves in this order. */
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
  /** Null: the record is of an article. */
  readonly rebuilt: RebuiltDay | null
}

/** What a curator said of an article. */
export interface Constraint {
  readonly correction_id: string
  /** `together`: in one story with all that have this role in the correction; `left`, `right`: never with the other side. */
  readonly role: 'together' | 'left' | 'right'
  /** Where the correction took it from; null: it did not move. */
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
  readonly features: Features
}

export const memberKey = (namespace: string, articleId: string): string => `${namespace}:${articleId}`

const dayKey = (namespace: string, { day }: RebuiltDay): string => `${namespace}:day:${day}`

export const clusteredMemory = topic<MemberRecord>('clustered.memory', ({ namespace, article_id, rebuilt }) =>
  rebuilt === null ? memberKey(namespace, article_id) : dayKey(namespace, rebuilt),
)

/** Whose text it is, and what that is known again by. */
export interface OwnText {
  readonly print: Fingerprint
  readonly group: string
}

const NO_TEXT: OwnText = { print: { hash: '', shingles: new Uint32Array(), bands: new Int32Array() }, group: '' }

function toRecord(namespace: string, { features, ...member }: RememberedMember, known: OwnText | null): MemberRecord {
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
    rebuilt: null,
  }
}

/** A change of what is remembered, as the changelog has it. */
interface RecordEntry {
  readonly key: string
  readonly value: MemberRecord
}

export const articleEntry = (namespace: string, member: RememberedMember, text: OwnText | null): RecordEntry => ({
  key: memberKey(namespace, member.articleId),
  value: toRecord(namespace, member, text),
})

/** Articles that changed, with the texts that are remembered of them. */
export const rewritten = (
  namespace: string,
  members: readonly RememberedMember[],
  texts: { readonly byArticle: ReadonlyMap<string, OwnText> } | undefined,
): RecordEntry[] =>
  members.map((member) => articleEntry(namespace, member, texts?.byArticle.get(member.articleId) ?? null))

export const dayEntry = (namespace: string, rebuilt: RebuiltDay): RecordEntry => ({
  key: dayKey(namespace, rebuilt),
  value: { ...NO_RECORD, namespace, rebuilt },
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Int32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Of a record with a text: its hash is empty where it is older than the memory of texts. */
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

/** In a block of its own, as `fromRecord` does. */
const copied = (bytes: Buffer): ArrayBuffer => {
  const block = new ArrayBuffer(bytes.length)
  bytes.copy(Buffer.from(block))
  return block
}

/** Copies the record's bytes: those of a decoded record would keep the whole message alive. */
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

/** One block of memory for all parts, each at a multiple of four: an article's memory is small, its pieces are many. */
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

/** In the fields of an article where the record is of a day. */
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
  rebuilt: null,
}
