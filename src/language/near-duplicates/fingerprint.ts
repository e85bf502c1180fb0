import { foldedBody, hashOf } from '../semantic-hash.ts'
import { stirred, shingles, wordHashes } from './shingles.ts'

/** Bands times rows is the length of a signature. */
export const BANDS = 64
const ROWS = 2
const HASHES = BANDS * ROWS

/** One hash function: x to multiplier * x + offset, modulo 2^32. */
interface Hash {
  readonly multiplier: number
  readonly offset: number
}

/** Fixed for good: what is in memory was found by them. */
const hashes: readonly Hash[] = Array.from({ length: HASHES }, (_, i) => ({
  multiplier: stirred(2 * i + 1) | 1,
  offset: stirred(2 * i + 2),
}))

const BAND_HASHES = Array.from({ length: BANDS }, (_, band): readonly Hash[] =>
  hashes.slice(band * ROWS, (band + 1) * ROWS),
)

/**
 * One key a band of a MinHash signature (Broder 1997): of each of 128 hash functions the smallest value over all
 * shingles, two of them a band. Two texts agree in a value with the probability of their resemblance
 * s = |A ∩ B| / |A ∪ B|, so they share at least one key with probability 1 - (1 - s²)^64: 0.998 at s = 0.3, which a text
 * cut to 30 % has with the whole.
 */
export function bandKeys(shingles: Uint32Array): Int32Array {
  const signed = new Int32Array(shingles.buffer, shingles.byteOffset, shingles.length) // faster than unsigned ones
  return Int32Array.from(BAND_HASHES, ([first, second], band) => {
    if (first === undefined || second === undefined) return band
    const [one, other] = leastOf(signed, first, second)
    return stirred(Math.imul(one, 0x9e3779b1) + other + band)
  })
}

/** The smallest value of two hash functions in one walk: this loop is most of what a fingerprint costs. */
function leastOf(shingles: Int32Array, one: Hash, other: Hash): readonly [number, number] {
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

/** What a text is known again by. */
export interface Fingerprint {
  /** Its semantic hash: 16 hex digits. */
  readonly hash: string
  /** Hashed word 3-shingles, ascending; none of a text too short for them. */
  readonly shingles: Uint32Array
  /** A key for each MinHash band: follows from the shingles; none where there are none. */
  readonly bands: Int32Array
}

interface Length {
  /** Shorter texts are known by their hash alone: a few common phrases would make half of their shingles. */
  readonly min_words: number
  /** Of longer texts only so many words are looked at, which bounds memory and time. */
  readonly max_words: number
}

/** Texts with equal hashes have equal shingles: both are made of the same folded words. */
export function fingerprint(text: string, { min_words, max_words }: Length): Fingerprint {
  const folded = foldedBody(text)
  const words = wordHashes(folded)
  const known = shingles(words.subarray(0, words.length < min_words ? 0 : max_words))
  return {
    hash: hashOf(folded || text),
    shingles: known,
    bands: known.length === 0 ? new Int32Array() : bandKeys(known),
  }
}
