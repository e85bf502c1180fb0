import type { OriginWeights } from '../clustering/model.ts'
import { foldedBody, hashOf } from '../body-text.ts'
import { wordTokens } from '../word-tokens.ts'
import { sampleShingles, type ShingleSample } from './shingle-sample.ts'

/** Number of words in a shingle: the k of k-shingling. */
const SHINGLE_WORDS = 3
/** Thai and later code points: Latin, Greek, Cyrillic, Hebrew, Arabic and Indic scripts, which use spaces, precede. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/

/** One hash for each word of a folded text. In scripts without spaces each character counts as a word. */
export function wordHashes(folded: string): Int32Array {
  const text = MAY_BE_UNSPACED.test(folded) ? wordTokens(folded).join(' ') : folded
  const hashes = new Int32Array(Math.ceil(text.length / 2))
  let words = 0
  let hash = SEED
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit !== SPACE) hash = Math.imul(hash ^ unit, PRIME)
    else {
      hashes[words++] = stirred(hash)
      hash = SEED
    }
  }
  if (text !== '') hashes[words++] = stirred(hash)
  return hashes.subarray(0, words)
}

/** FNV-1a over UTF-16 units. */
const SEED = 0x811c9dc5
const PRIME = 0x01000193
const SPACE = 0x20

/**
 * The hashed word 3-shingles of a text (Broder 1997, "On the resemblance and containment of documents"): distinct,
 * ascending, 32 bits each. Stop words are kept, since wording also distinguishes texts.
 */
export function shingles(words: Int32Array): Uint32Array {
  const found = new Uint32Array(Math.max(words.length - SHINGLE_WORDS + 1, 0))
  for (let i = 0; i < found.length; i++) {
    const [first = 0, second = 0, third = 0] = [words[i], words[i + 1], words[i + 2]]
    found[i] = stirred(Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca77) + third)
  }
  return distinct(found.sort())
}

function distinct(sorted: Uint32Array): Uint32Array {
  let kept = 0
  for (const hash of sorted) if (kept === 0 || sorted[kept - 1] !== hash) sorted[kept++] = hash
  return sorted.slice(0, kept)
}

/** The finaliser of MurmurHash3: each bit of the input changes half of the output bits on average. */
export function stirred(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/**
 * |A ∩ B| / min(|A|, |B|), 0 to 1: the share of the shorter text that the longer one contains (Broder 1997). Both sets
 * must be ascending and distinct. The result is 0 if a set is empty.
 */
export function containment(a: Uint32Array, b: Uint32Array): number {
  const smaller = Math.min(a.length, b.length)
  return smaller === 0 ? 0 : common(a, b) / smaller
}

function common(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const mine = a[i] ?? 0
    const theirs = b[j] ?? 0
    if (mine === theirs) shared++
    if (mine <= theirs) i++
    if (theirs <= mine) j++
  }
  return shared
}

/** Number of bands of a signature, and of hash values in each band. */
export const BANDS = 64
const ROWS = 2
const HASHES = BANDS * ROWS

/** One hash function: x to multiplier * x + offset, modulo 2^32. */
interface Hash {
  readonly multiplier: number
  readonly offset: number
}

/** These must not change: the band keys in the state depend on them. */
const hashes: readonly Hash[] = Array.from({ length: HASHES }, (_, i) => ({
  multiplier: stirred(2 * i + 1) | 1,
  offset: stirred(2 * i + 2),
}))

const BAND_HASHES = Array.from({ length: BANDS }, (_, band): readonly Hash[] =>
  hashes.slice(band * ROWS, (band + 1) * ROWS),
)

/**
 * One key for each band of a MinHash signature (Broder 1997): the smallest value over all shingles for each of 128 hash
 * functions, two per band. Two texts agree in a value with the probability of their resemblance s = |A ∩ B| / |A ∪ B|,
 * so they share at least one key with probability 1 - (1 - s²)^64: 0.998 at s = 0.3, the resemblance of a text and a
 * copy cut to 30 %.
 */
export function bandKeys(shingles: Uint32Array): Int32Array {
  const signed = new Int32Array(shingles.buffer, shingles.byteOffset, shingles.length) // faster than unsigned ones
  return Int32Array.from(BAND_HASHES, ([first, second], band) => {
    if (first === undefined || second === undefined) return band
    const [one, other] = minimaOf(signed, first, second)
    return stirred(Math.imul(one, 0x9e3779b1) + other + band)
  })
}

/** The smallest values of two hash functions in one pass: this loop is most of the cost of a fingerprint. */
function minimaOf(shingles: Int32Array, one: Hash, other: Hash): readonly [number, number] {
  const { multiplier, offset } = one
  const { multiplier: times, offset: plus } = other
  let least = 0x7fffffff
  let smallest = 0x7fffffff
  const count = shingles.length // by index: an iterator takes more than twice the time
  for (let i = 0; i < count; i++) {
    const shingle = shingles[i] ?? 0
    const a = (Math.imul(shingle, multiplier) + offset) | 0
    const b = (Math.imul(shingle, times) + plus) | 0
    least = a < least ? a : least
    smallest = b < smallest ? b : smallest
  }
  return [least, smallest]
}

/** The part of a band key that is kept: 24 bits. */
export const shortBandKey = (key: number): number => key >>> 8

/** What identifies a text and its near-duplicates. */
export interface Fingerprint {
  /** Its semantic hash: 16 hex digits. */
  readonly hash: string
  /** Of its hashed word 3-shingles; empty if the text is too short. */
  readonly sample: ShingleSample
  /** 24 bits of one key for each MinHash band, computed from the shingles; empty if there are none. */
  readonly bands: Int32Array
}

/**
 * Texts with equal hashes have equal shingles, since both are computed from the same folded words. Texts with fewer
 * than `min_words` words are identified by their hash alone: a few common phrases would be half of their shingles. Only
 * the first `max_words` words of longer texts are read, which bounds memory and time.
 */
export function fingerprint(
  text: string,
  { min_words, max_words }: Pick<OriginWeights, 'min_words' | 'max_words'>,
): Fingerprint {
  const folded = foldedBody(text)
  const words = wordHashes(folded)
  const hashed = shingles(words.subarray(0, words.length < min_words ? 0 : max_words))
  return {
    hash: hashOf(folded || text),
    sample: sampleShingles(hashed),
    bands: hashed.length === 0 ? new Int32Array() : bandKeys(hashed).map(shortBandKey),
  }
}
