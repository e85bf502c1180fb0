import type { Entry } from '../../state/entry.ts'
import { vectors, type Vector } from '../../events/vector.ts'
import type { FeatureBlocks } from './feature-blocks.ts'
import { encoderOf } from './features.ts'
import { NO_OUTLINE } from '../../language/near-duplicates/outline.ts'
import { shortBandKey } from '../../language/near-duplicates/fingerprint.ts'
import { sampleShingles, type ShingleSample } from '../../language/near-duplicates/shingle-sample.ts'
import { blockBytes, packFeatures, type LooseFeatures } from './packed-features.ts'
import {
  dayKey,
  memberKey,
  type MemberRecord,
  type ClusteredOwnText,
  type RebuiltDay,
  type RememberedMember,
} from './changelog.ts'
import { termsFromBytes, type ClusteredTerms } from './terms.ts'
import type { RememberedText } from './texts.ts'

const NO_TEXT: ClusteredOwnText = {
  print: { hash: '', sample: new Uint16Array(), bands: new Int32Array() },
  outline: NO_OUTLINE,
  group: '',
  translates: null,
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
    packed: blockBytes(features),
    lead_vector: { ...NO_VECTOR, model: `${features.encoder}:lead` },
    title_vector: NO_VECTOR,
    body_terms: NO_BYTES,
    title_terms: NO_BYTES,
    entity_terms: NO_BYTES,
    index_keys: NO_BYTES,
    text_hash: text.print.hash,
    text_shingles: NO_BYTES,
    text_sample: bytesOf(text.print.sample),
    text_bands: bandsToBytes(text.print.bands),
    text_language: text.outline.language,
    text_outline: Buffer.from(text.outline.bytes),
    text_translates: text.translates,
    syndication_group: text.group,
    duplicate_of: member.duplicateOf,
    evidence: {},
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

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** The text of a record that has one. Its hash is empty if the record was written before texts were kept. */
export const textOf = (record: MemberRecord): RememberedText => {
  const { sample, bands, outline } = textArrays(record)
  return {
    articleId: record.article_id,
    order: record.log_order,
    time: record.occurred_at,
    dated: record.dated,
    group: record.syndication_group,
    print: { hash: record.text_hash, sample, bands },
    outline: { language: sharedName(record.text_language), bytes: outline },
    translates: record.text_translates,
  }
}

interface TextArrays {
  readonly sample: ShingleSample
  readonly bands: Int32Array
  readonly outline: Uint8Array
}

/**
 * In one buffer: three of them took a fifth of a restore. They are copied, since the bytes of a decoded record would keep
 * the whole message in memory.
 */
function textArrays({ text_sample, text_bands, text_outline, text_shingles }: MemberRecord): TextArrays {
  if (text_shingles.length > 0) return ofOlderVersion({ text_bands, text_outline, text_shingles })
  const count = text_bands.length / BAND_BYTES
  const samplesAt = count * Int32Array.BYTES_PER_ELEMENT
  const block = new ArrayBuffer(samplesAt + text_sample.length + text_outline.length)
  const arrays = arraysIn(block, samplesAt, text_sample.length)
  for (let band = 0, at = 0; band < count; band++) {
    arrays.bands[band] = (text_bands[at++] ?? 0) | ((text_bands[at++] ?? 0) << 8) | ((text_bands[at++] ?? 0) << 16)
  }
  new Uint8Array(block, samplesAt).set(text_sample)
  arrays.outline.set(text_outline)
  return arrays
}

/** The arrays of a text in one buffer: the bands, the sample and the outline. Lengths in bytes. */
export const arraysIn = (block: ArrayBuffer, bands: number, sample: number): TextArrays => ({
  bands: new Int32Array(block, 0, bands / Int32Array.BYTES_PER_ELEMENT),
  sample: new Uint16Array(block, bands, sample / Uint16Array.BYTES_PER_ELEMENT),
  outline: new Uint8Array(block, bands + sample),
})

/** All shingles, and all 32 bits of a band. */
const ofOlderVersion = ({
  text_bands,
  text_outline,
  text_shingles,
}: Pick<MemberRecord, 'text_bands' | 'text_outline' | 'text_shingles'>): TextArrays => ({
  sample: sampleShingles(new Uint32Array(copied(text_shingles))),
  bands: new Int32Array(copied(text_bands)).map(shortBandKey),
  outline: Uint8Array.from(text_outline),
})

/** 24 bits each. */
function bandsToBytes(bands: Int32Array): Buffer {
  const bytes = Buffer.allocUnsafe(bands.length * BAND_BYTES)
  bands.forEach((key, band) => bytes.writeUIntLE(key, band * BAND_BYTES, BAND_BYTES))
  return bytes
}

const BAND_BYTES = 3

/** Copies into a separate buffer, like `fromRecord`. */
const copied = (bytes: Buffer): ArrayBuffer => {
  const block = new ArrayBuffer(bytes.length)
  bytes.copy(Buffer.from(block))
  return block
}

/** The features are copied into `blocks`: the bytes of a decoded record would keep the whole message in memory. */
export function fromRecord(record: MemberRecord, blocks: FeatureBlocks): RememberedMember {
  const { words, bytes, at } = blocks.add(
    isUnpacked(record) ? blockBytes(packFeatures(looseFeatures(record))) : record.packed,
  )
  return {
    articleId: record.article_id,
    clusterId: record.cluster_id,
    seen: record.seen,
    order: record.log_order,
    loggedAt: record.logged_at,
    founded: record.founded,
    duplicateOf: record.duplicate_of,
    constraints: record.constraints.length === 0 ? NO_CONSTRAINTS : record.constraints,
    subjectId: record.subject_id,
    features: {
      time: record.occurred_at,
      dated: record.dated,
      hasBody: record.has_body,
      encoder: sharedName(encoderOf(record.lead_vector)),
      words,
      bytes,
      at,
    },
  }
}

const NO_CONSTRAINTS: MemberRecord['constraints'] = []

/** One string for all articles of an encoder, or of a language. */
export function sharedName(name: string): string {
  const known = sharedNames.get(name)
  if (known !== undefined) return known
  sharedNames.set(name, name)
  return name
}

const sharedNames = new Map<string, string>()

/** Written before features were packed. */
const isUnpacked = ({ packed }: MemberRecord): boolean => packed.length === 0

const looseFeatures = (record: MemberRecord): LooseFeatures => ({
  lead: vectors(record.lead_vector)[0] ?? new Float32Array(),
  title: vectors(record.title_vector)[0] ?? new Float32Array(),
  bodyTerms: termsFrom(record.body_terms),
  titleTerms: termsFrom(record.title_terms),
  entityTerms: termsFrom(record.entity_terms),
  keys: termsFrom(record.index_keys),
  cross: null,
  evidence: Object.fromEntries(Object.entries(record.evidence).map(([kind, terms]) => [kind, termsFrom(terms)])),
})

const termsFrom = (bytes: Buffer): ClusteredTerms => termsFromBytes(Buffer.from(copied(bytes)))
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
  packed: NO_BYTES,
  lead_vector: NO_VECTOR,
  title_vector: NO_VECTOR,
  body_terms: NO_BYTES,
  title_terms: NO_BYTES,
  entity_terms: NO_BYTES,
  index_keys: NO_BYTES,
  text_hash: '',
  text_shingles: NO_BYTES,
  text_sample: NO_BYTES,
  text_bands: NO_BYTES,
  text_language: '',
  text_outline: NO_BYTES,
  text_translates: null,
  syndication_group: '',
  duplicate_of: null,
  evidence: {},
  constraints: [],
  subject_id: null,
  rebuilt: null,
}
