import { foldedBody, hashOf } from '../semantic-hash.ts'
import { bandKeys } from './min-hash.ts'
import { shingles, wordHashes } from './shingles.ts'

/** What a text is known again by. */
export interface Fingerprint {
  /** Its semantic hash: 16 hex digits. */
  readonly hash: string
  /** Hashed word 3-shingles, ascending; none of a text too short for them. */
  readonly shingles: Uint32Array
  /** A key for each MinHash band: follows from the shingles; none where there are none. */
  readonly bands: Int32Array
}

export interface Length {
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
