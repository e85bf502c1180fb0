import type { DocumentFrequencies } from '../../language/clustering/model.ts'

/** Weighted terms of one text, stored for fast cosines: 32-bit hashes in ascending order, unit length. */
export interface ClusteredTerms {
  readonly hashes: Uint32Array
  readonly weights: Float32Array
}

export const idf = ({ documents, counts }: DocumentFrequencies, term: string): number =>
  Math.log((documents + 1) / ((counts.get(term) ?? 0) + 1))

/** Share of the documents that hold the term, 0 to 1. */
export const share = ({ documents, counts }: DocumentFrequencies, term: string): number =>
  (counts.get(term) ?? 0) / documents

export function count(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** TF-IDF before normalisation to unit length: (1 + ln tf) * idf. */
export function weigh(counts: ReadonlyMap<string, number>, table: DocumentFrequencies): Map<string, number> {
  const weights = new Map<string, number>()
  for (const [term, tf] of counts) weights.set(term, (1 + Math.log(tf)) * idf(table, term))
  return weights
}

/**
 * FNV-1a over UTF-16 units with a final mix. Among 100,000 articles of 300 terms, about one has two terms that collide.
 */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Maximum terms per article. The position and hash of a term are packed into one number that sorts fast. */
const MOST_TERMS = 2 ** 20

/** Terms with their weights, each multiplied by `scale`. */
export function packed(weights: ReadonlyMap<string, number>, scale = 1): ClusteredTerms {
  const values = new Float64Array(weights.size)
  const keys = new Float64Array(weights.size)
  let index = 0
  for (const [term, weight] of weights) {
    values[index] = weight * scale
    keys[index] = termHash(term) * MOST_TERMS + index
    index++
  }
  keys.sort()
  const terms = { hashes: new Uint32Array(index), weights: new Float32Array(index) }
  for (let i = 0; i < index; i++) {
    const key = keys[i] ?? 0
    terms.hashes[i] = Math.floor(key / MOST_TERMS)
    terms.weights[i] = values[key % MOST_TERMS] ?? 0
  }
  return terms
}

/** Terms normalised to unit length; empty if all weights are 0. */
export function unit(weights: ReadonlyMap<string, number>): ClusteredTerms {
  let square = 0
  for (const weight of weights.values()) square += weight * weight
  const length = Math.sqrt(square)
  if (length === 0) return { hashes: new Uint32Array(), weights: new Float32Array() }
  return packed(weights, 1 / length)
}

/**
 * The cosine of two texts' terms, both of unit length. The first text is a lookup table, the second is iterated. The
 * table is cached, so it is cheap to compare one text with many.
 */
export function termsCosine(a: ClusteredTerms, b: ClusteredTerms): number {
  const table = tableOf(a)
  let sum = 0
  for (let j = 0; j < b.hashes.length; j++) {
    const weight = weightIn(table, b.hashes[j] ?? 0)
    if (weight !== 0) sum += weight * (b.weights[j] ?? 0)
  }
  return sum
}

function weightIn({ terms, slots, mask }: Table, hash: number): number {
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const place = slots[at] ?? 0
    if (place === 0) return 0
    if (terms.hashes[place - 1] === hash) return terms.weights[place - 1] ?? 0
  }
}

/** Open addressing: 0, or the index of a term plus one. */
interface Table {
  readonly terms: ClusteredTerms
  readonly slots: Uint16Array
  readonly mask: number
}

/** Tables of the last texts compared: words, names and title of one article, and one more. */
const tables: (Table | undefined)[] = [undefined, undefined, undefined, undefined]
let oldest = 0

function tableOf(terms: ClusteredTerms): Table {
  for (const known of tables) if (known?.terms === terms) return known
  const table = newTable(terms)
  tables[oldest] = table
  oldest = (oldest + 1) % tables.length
  return table
}

function newTable(terms: ClusteredTerms): Table {
  const size = 2 ** Math.ceil(Math.log2(2 * terms.hashes.length + 2))
  const [slots, mask] = [new Uint16Array(size), size - 1]
  for (let i = 0; i < terms.hashes.length; i++) {
    let at = (terms.hashes[i] ?? 0) & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = i + 1
  }
  return { terms, slots, mask }
}

/** Wire format: all hashes as little-endian uint32, then all weights as float32. */
export function termsToBytes({ hashes, weights }: ClusteredTerms): Buffer {
  const bytes = Buffer.alloc(hashes.length * 8)
  hashes.forEach((hash, i) => bytes.writeUInt32LE(hash, i * 4))
  weights.forEach((weight, i) => bytes.writeFloatLE(weight, (hashes.length + i) * 4))
  return bytes
}

/** A view, not a copy: `bytes` must start at a multiple of four. */
export function termsFromBytes({ buffer, byteOffset, length }: Buffer): ClusteredTerms {
  const terms = Math.floor(length / 8)
  return {
    hashes: new Uint32Array(buffer, byteOffset, terms),
    weights: new Float32Array(buffer, byteOffset + terms * 4, terms),
  }
}
