/** Weighted terms of one text, made for fast cosines: 32-bit hashes in ascending order, unit length. */
export interface Terms {
  readonly hashes: Uint32Array
  readonly weights: Float32Array
}

/** In how many of how many documents a term occurs. Unknown terms occur in none. */
export interface DocumentFrequencies {
  readonly documents: number
  readonly counts: ReadonlyMap<string, number>
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

/** TF-IDF before it is brought to unit length: (1 + ln tf) * idf. */
export function weigh(counts: ReadonlyMap<string, number>, table: DocumentFrequencies): Map<string, number> {
  const weights = new Map<string, number>()
  for (const [term, tf] of counts) weights.set(term, (1 + Math.log(tf)) * idf(table, term))
  return weights
}

/** FNV-1a over UTF-16 units, stirred: two of an article's 300 terms collide once in 100,000 articles. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Terms an article has, at most: place and hash of a term make one number that sorts fast. */
const PLACES = 2 ** 20

/** Terms with their weights, each times `scale`. */
export function packed(weights: ReadonlyMap<string, number>, scale = 1): Terms {
  const values = Float64Array.from(weights.values())
  const keys = new Float64Array(values.length)
  let place = 0
  for (const term of weights.keys()) {
    keys[place] = termHash(term) * PLACES + place
    place++
  }
  keys.sort()
  return {
    hashes: Uint32Array.from(keys, (key) => Math.floor(key / PLACES)),
    weights: Float32Array.from(keys, (key) => (values[key % PLACES] ?? 0) * scale),
  }
}

/** Terms brought to unit length; none where no weight is left. */
export function unit(weights: ReadonlyMap<string, number>): Terms {
  let square = 0
  for (const weight of weights.values()) square += weight * weight
  const length = Math.sqrt(square)
  if (length === 0) return { hashes: new Uint32Array(), weights: new Float32Array() }
  return packed(weights, 1 / length)
}

/** Of two texts' terms of unit length: one walk over both. */
export function termsCosine(a: Terms, b: Terms): number {
  let sum = 0
  let i = 0
  let j = 0
  while (i < a.hashes.length && j < b.hashes.length) {
    const mine = a.hashes[i] ?? 0
    const theirs = b.hashes[j] ?? 0
    if (mine === theirs) sum += product(a.weights[i], b.weights[j])
    if (mine <= theirs) i++
    if (theirs <= mine) j++
  }
  return sum
}

const product = (a = 0, b = 0): number => a * b

/** On the wire: all hashes as little-endian uint32, then all weights as float32. */
export function termsToBytes({ hashes, weights }: Terms): Buffer {
  const bytes = Buffer.alloc(hashes.length * 8)
  hashes.forEach((hash, i) => bytes.writeUInt32LE(hash, i * 4))
  weights.forEach((weight, i) => bytes.writeFloatLE(weight, (hashes.length + i) * 4))
  return bytes
}

/** A view, no copy: `bytes` must begin at a multiple of four. */
export function termsFromBytes({ buffer, byteOffset, length }: Buffer): Terms {
  const terms = Math.floor(length / 8)
  return {
    hashes: new Uint32Array(buffer, byteOffset, terms),
    weights: new Float32Array(buffer, byteOffset + terms * 4, terms),
  }
}
