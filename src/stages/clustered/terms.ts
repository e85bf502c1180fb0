import type { DocumentFrequencies } from '../../language/clustering/model.ts'

/** Weighted terms of one text: 32-bit hashes in ascending order. */
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

/** A packed term: the first 24 bits of its hash, and its weight in steps of the largest weight / 255. */
export const HASH_SHIFT = 8
export const WEIGHT_BITS = 0xff

/** Terms in ascending order, each at least at one step. Terms whose first 24 bits are equal become one. */
export function packTerms({ hashes, weights }: ClusteredTerms): Uint32Array {
  let most = 0
  for (const weight of weights) most = Math.max(most, weight)
  const packed = new Uint32Array(hashes.length)
  let kept = 0
  for (let i = 0; i < hashes.length; i++) {
    const hash = (hashes[i] ?? 0) >>> HASH_SHIFT
    if (kept > 0 && (packed[kept - 1] ?? 0) >>> HASH_SHIFT === hash) continue
    packed[kept++] = (hash << HASH_SHIFT) | stepsOf(weights[i] ?? 0, most)
  }
  return packed.subarray(0, kept)
}

const stepsOf = (weight: number, most: number): number =>
  most === 0 ? 1 : Math.max(1, Math.round((weight * WEIGHT_BITS) / most))

/** The least of the `limit` largest weights, and how many of these are equal to it. */
function leastKept(weights: Float32Array, limit: number): { readonly least: number; readonly ties: number } {
  const ascending = weights.toSorted()
  const least = ascending[weights.length - limit] ?? 0
  let larger = 0
  while ((ascending[weights.length - 1 - larger] ?? least) > least) larger++
  return { least, ties: limit - larger }
}

/** The terms with the largest weights; ties by smaller hash. */
export function mostWeighed(terms: ClusteredTerms, limit: number): ClusteredTerms {
  const { hashes, weights } = terms
  if (hashes.length <= limit) return terms
  const { least, ties } = leastKept(weights, limit)
  let free = ties
  const kept = { hashes: new Uint32Array(limit), weights: new Float32Array(limit) }
  let end = 0
  for (let i = 0; i < hashes.length; i++) {
    const weight = weights[i] ?? 0
    if (weight < least || (weight === least && free-- <= 0)) continue
    kept.hashes[end] = hashes[i] ?? 0
    kept.weights[end++] = weight
  }
  return kept
}

/**
 * Terms of a record of an older version: all hashes as little-endian uint32, then all weights as float32. A view, not a
 * copy: `bytes` must start at a multiple of four.
 */
export function termsFromBytes({ buffer, byteOffset, length }: Buffer): ClusteredTerms {
  const terms = Math.floor(length / 8)
  return {
    hashes: new Uint32Array(buffer, byteOffset, terms),
    weights: new Float32Array(buffer, byteOffset + terms * 4, terms),
  }
}
