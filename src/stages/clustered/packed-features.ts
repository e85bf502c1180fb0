import { HASH_SHIFT, mostWeighed, packTerms, WEIGHT_BITS, type ClusteredTerms } from './terms.ts'

/** The kinds of terms of an article, in the order in which its block holds them. */
export const SECTIONS = {
  body: 0,
  title: 1,
  entities: 2,
  keys: 3,
  numbers: 4,
  places: 5,
  weekdays: 6,
  years: 7,
} as const
export type Section = (typeof SECTIONS)[keyof typeof SECTIONS]
export const EVIDENCE = ['numbers', 'places', 'weekdays', 'years'] as const

/** Features before they are packed. */
export interface LooseFeatures {
  /** Unit length. */
  readonly lead: Float32Array
  /** Unit length, as wide as `lead`. */
  readonly title: Float32Array
  readonly bodyTerms: ClusteredTerms
  readonly titleTerms: ClusteredTerms
  readonly entityTerms: ClusteredTerms
  readonly keys: ClusteredTerms
  readonly evidence: Readonly<Record<string, ClusteredTerms>>
  /** The vectors that are comparable between languages; `null` if there are none. */
  readonly cross: CrossFeatures | null
}

/** Vectors of one model, unit length, as wide as the others. */
export interface CrossFeatures {
  /** 1 to 65,535: a number for the model of the vectors. */
  readonly model: number
  readonly title: Float32Array
  /** `null` of an article in English, which has another encoder for it. */
  readonly lead: Float32Array | null
}

/**
 * Where the features of an article are in memory. Words: a header of `HEADER` (layout version and width of a vector,
 * sum of squares of the lead, of the title, number of terms of each section, number and model of the cross-language
 * vectors), the lead and the title as int8, each cross-language vector as its sum of squares and int8, and the terms of
 * each section as uint32.
 */
export interface FeatureBlock {
  /** A buffer of many blocks. `bytes` is the same memory. */
  readonly words: Uint32Array
  readonly bytes: Int8Array
  /** Index of the block's first word. */
  readonly at: number
}

const LAYOUT = 1
const HEADER = 8
const COUNTS = 3
const SECTION_COUNT = 8
/** Number of cross-language vectors (title, lead), and their model in the upper half. */
const CROSS = 7
/** Body terms kept, those with the largest weights. They hold some 96 % of the squared length of a long text. */
const MOST_BODY_TERMS = 192

/** An article has the same block on arrival and after a restore, so both make the same decisions. */
export function packFeatures(loose: LooseFeatures): FeatureBlock {
  const sections = sectionsOf(loose).map(packTerms)
  const width = wordsOf(loose.lead.length)
  const cross = crossVectors(loose.cross)
  const vectors = HEADER + 2 * width + cross.length * (1 + width)
  const total = vectors + sections.reduce((sum, { length }) => sum + length, 0)
  const block = inOwnBuffer(new ArrayBuffer(total * 4))
  const { words } = block
  words[0] = LAYOUT | (loose.lead.length << 16)
  words[1] = quantise(loose.lead, block, HEADER * 4)
  words[2] = quantise(loose.title, block, (HEADER + width) * 4)
  words[CROSS] = cross.length | ((loose.cross?.model ?? 0) << 16)
  for (const [i, vector] of cross.entries()) {
    const start = HEADER + 2 * width + i * (1 + width)
    words[start] = quantise(vector, block, (start + 1) * 4)
  }
  let end = vectors
  for (const [section, terms] of sections.entries()) {
    words[COUNTS + (section >> 1)] = (words[COUNTS + (section >> 1)] ?? 0) | (terms.length << (16 * (section & 1)))
    words.set(terms, end)
    end += terms.length
  }
  return block
}

const crossVectors = (cross: CrossFeatures | null): Float32Array[] =>
  cross === null ? [] : [cross.title, ...(cross.lead === null ? [] : [cross.lead])]

const sectionsOf = ({ bodyTerms, titleTerms, entityTerms, keys, evidence }: LooseFeatures): ClusteredTerms[] => [
  mostWeighed(bodyTerms, MOST_BODY_TERMS),
  titleTerms,
  entityTerms,
  keys,
  ...EVIDENCE.map((kind) => evidence[kind] ?? NO_TERMS),
]

const NO_TERMS: ClusteredTerms = { hashes: new Uint32Array(), weights: new Float32Array() }
const wordsOf = (bytes: number): number => Math.ceil(bytes / 4)
const inOwnBuffer = (buffer: ArrayBuffer): FeatureBlock => ({
  words: new Uint32Array(buffer),
  bytes: new Int8Array(buffer),
  at: 0,
})

/** Writes a vector in steps of its largest component / 127. Returns the sum of the squared steps. */
function quantise(vector: Float32Array, { bytes }: FeatureBlock, at: number): number {
  let most = 0
  for (const value of vector) most = Math.max(most, Math.abs(value))
  const scale = most === 0 ? 0 : 127 / most
  let squares = 0
  for (let i = 0; i < vector.length; i++) {
    const step = Math.round((vector[i] ?? 0) * scale)
    bytes[at + i] = step
    squares += step * step
  }
  return squares
}

/** The block of a record, in a buffer of its own. */
export function blockOf(packed: Uint8Array): FeatureBlock {
  const buffer = new ArrayBuffer(packed.length)
  new Uint8Array(buffer).set(packed)
  return inOwnBuffer(buffer)
}

/** The number of words of a block. */
export const blockLength = (block: FeatureBlock): number => sectionStart(block, SECTION_COUNT) - block.at

/** A copy, since the block's memory is used again once the article is evicted. */
export const blockBytes = (block: FeatureBlock): Buffer =>
  Buffer.from(new Uint8Array(block.words.buffer, block.words.byteOffset + block.at * 4, blockLength(block) * 4))

/** Index of the section's first word. */
export function sectionStart(block: FeatureBlock, section: number): number {
  const width = wordsOf(dimension(block))
  let start = block.at + HEADER + 2 * width + crossCount(block) * (1 + width)
  for (let before = 0; before < section; before++) start += sectionLength(block, before)
  return start
}

export const sectionLength = ({ words, at }: FeatureBlock, section: number): number =>
  ((words[at + COUNTS + (section >> 1)] ?? 0) >>> (16 * (section & 1))) & 0xffff

/** The terms of a section: a hash of 24 bits and a weight of 8 bits each, ascending. A view, valid until an eviction. */
export function termsIn(block: FeatureBlock, section: Section): Uint32Array {
  const start = sectionStart(block, section)
  return block.words.subarray(start, start + sectionLength(block, section))
}

/** The width of the two vectors. */
export const dimension = ({ words, at }: FeatureBlock): number => (words[at] ?? 0) >>> 16

const crossCount = ({ words, at }: FeatureBlock): number => (words[at + CROSS] ?? 0) & 0xffff
/** A number for the model of the cross-language vectors; 0 if there are none. */
export const crossModel = ({ words, at }: FeatureBlock): number => (words[at + CROSS] ?? 0) >>> 16

/** Whether the article is in another language than English, and has vectors to compare it with all languages. */
export const isForeign = (block: FeatureBlock): boolean => crossCount(block) === 2

/** Whether two articles are compared by their cross-language vectors: one of them is not in English. */
export const areCross = (a: FeatureBlock, b: FeatureBlock): boolean =>
  (isForeign(a) || isForeign(b)) && crossModel(a) === crossModel(b)

/** Cosine of the cross-language title vectors. */
export const crossTitleCosine = (a: FeatureBlock, b: FeatureBlock): number => crossCosine(a, b, 0)

/** Cosine of the cross-language lead vectors, for two articles that are not in English. */
export const crossLeadCosine = (a: FeatureBlock, b: FeatureBlock): number => crossCosine(a, b, 1)

function crossCosine(a: FeatureBlock, b: FeatureBlock, vector: number): number {
  const offset = crossOffset(a, vector)
  const squares = (a.words[a.at + offset] ?? 0) * (b.words[b.at + offset] ?? 0)
  return squares === 0 ? 0 : dot(a, b, offset + 1) / Math.sqrt(squares)
}

/** The word of a block that holds the sum of squares of a cross-language vector; its components follow. */
function crossOffset(block: FeatureBlock, vector: number): number {
  const width = wordsOf(dimension(block))
  return HEADER + 2 * width + vector * (1 + width)
}

/** Adds a cross-language vector, of unit length, to a sum: the title's (0) or the lead's (1). */
export function addCross(block: FeatureBlock, sum: VectorSum, vector: 0 | 1): void {
  if (crossCount(block) <= vector) return
  const offset = crossOffset(block, vector)
  addVector(block, sum, { squares: block.words[block.at + offset] ?? 0, offset: (offset + 1) * 4 })
}

/** Cosine of the lead vectors. */
export const leadCosine = (a: FeatureBlock, b: FeatureBlock): number => {
  const squares = (a.words[a.at + 1] ?? 0) * (b.words[b.at + 1] ?? 0)
  return squares === 0 ? 0 : dot(a, b, HEADER) / Math.sqrt(squares)
}

/** Cosine of the title vectors. */
export const titleCosine = (a: FeatureBlock, b: FeatureBlock): number => {
  const squares = (a.words[a.at + 2] ?? 0) * (b.words[b.at + 2] ?? 0)
  return squares === 0 ? 0 : dot(a, b, HEADER + wordsOf(dimension(a))) / Math.sqrt(squares)
}

/**
 * The sum of the products of two vectors of int8, four to a word: a read of a word and shifts take half the time of four
 * reads. Two sums, since each addition waits for the previous one.
 */
function dot(a: FeatureBlock, b: FeatureBlock, offset: number): number {
  const [x, y] = [a.words, b.words]
  const [p, q] = [a.at + offset, b.at + offset]
  const width = wordsOf(dimension(a))
  let one = 0
  let two = 0
  for (let i = 0; i < width; i++) {
    const [mine, theirs] = [x[p + i] ?? 0, y[q + i] ?? 0]
    one += Math.imul((mine << 24) >> 24, (theirs << 24) >> 24) + Math.imul((mine << 16) >> 24, (theirs << 16) >> 24)
    two += Math.imul((mine << 8) >> 24, (theirs << 8) >> 24) + Math.imul(mine >> 24, theirs >> 24)
  }
  return one + two
}

type VectorSum = Float32Array | Float64Array

/** Adds the lead vector, of unit length, to a sum. */
export const addLead = (block: FeatureBlock, sum: VectorSum): void =>
  addVector(block, sum, { squares: block.words[block.at + 1] ?? 0, offset: HEADER * 4 })

/** Adds the title vector, of unit length, to a sum. */
export const addTitle = (block: FeatureBlock, sum: VectorSum): void =>
  addVector(block, sum, {
    squares: block.words[block.at + 2] ?? 0,
    offset: (HEADER + wordsOf(dimension(block))) * 4,
  })

function addVector(
  { bytes, at }: FeatureBlock,
  sum: VectorSum,
  { squares, offset }: { readonly squares: number; readonly offset: number },
): void {
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  const from = at * 4 + offset
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (bytes[from + i] ?? 0) * scale
}

/** The features that a block was packed from, as exact as the block holds them. */
export function unpackFeatures(block: FeatureBlock): LooseFeatures {
  const width = dimension(block)
  const vector = (squares: number, offset: number): Float32Array =>
    Float32Array.from({ length: width }, (_, i) => (block.bytes[offset + i] ?? 0) / (Math.sqrt(squares) || 1))
  const lead = (block.at + HEADER) * 4
  const cross = (i: number): Float32Array => {
    const start = block.at + crossOffset(block, i)
    return vector(block.words[start] ?? 0, (start + 1) * 4)
  }
  const terms = (section: Section): ClusteredTerms => {
    const packed = termsIn(block, section)
    return {
      hashes: packed.map((term) => (term >>> HASH_SHIFT) << HASH_SHIFT),
      weights: Float32Array.from(packed, (term) => term & WEIGHT_BITS),
    }
  }
  return {
    lead: vector(block.words[block.at + 1] ?? 0, lead),
    title: vector(block.words[block.at + 2] ?? 0, lead + wordsOf(width) * 4),
    cross:
      crossCount(block) === 0
        ? null
        : { model: crossModel(block), title: cross(0), lead: isForeign(block) ? cross(1) : null },
    bodyTerms: terms(SECTIONS.body),
    titleTerms: terms(SECTIONS.title),
    entityTerms: terms(SECTIONS.entities),
    keys: terms(SECTIONS.keys),
    evidence: Object.fromEntries(
      EVIDENCE.filter((kind) => sectionLength(block, SECTIONS[kind]) > 0).map((kind) => [kind, terms(SECTIONS[kind])]),
    ),
  }
}
