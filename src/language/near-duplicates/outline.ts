import anyAscii from 'any-ascii'
import type { Translation } from '../../events/ledger.ts'
import type { Span } from '../sentences.ts'
import { stirred } from './fingerprint.ts'

/** What a translation keeps of a text: how long its sentences are, and its numerals, both in their order. */
export interface Outline {
  /** ISO 639-1, or `und`. */
  readonly language: string
  /** One per sentence, in 255ths: the square root of its share of the text. */
  readonly lengths: Uint8Array
  /** One hash per numeral. */
  readonly numerals: Uint16Array
}

/** Of a text whose sentences are not known. */
export const NO_OUTLINE: Outline = { language: 'und', lengths: new Uint8Array(), numerals: new Uint16Array() }

/** Sentences and numerals that are read of a text. */
const MOST_SENTENCES = 64
const MOST_NUMERALS = 48
/** Shorter ones are list marks and initials. */
const LEAST_CHARS = 4

/** With a separator of thousands, whichever the language writes: 150,000, 150.000 and 150 000 are one numeral. */
const NUMERAL = /\p{Nd}+(?:[.,\u00a0\u202f ’']\p{Nd}{3}(?!\p{Nd}))*/gu

/** The outline of a text. `sentences`: character offsets. */
export function outlineOf(text: string, sentences: readonly Span[], language: string): Outline {
  const lengths = sentences
    .map(({ start, end }) => end - start)
    .filter((length) => length >= LEAST_CHARS)
    .slice(0, MOST_SENTENCES)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const numerals = Array.from(text.matchAll(NUMERAL), ([numeral]) => numeralHash(numeral))
  return {
    language,
    lengths: Uint8Array.from(lengths, (length) => Math.round(255 * Math.sqrt(length / total))),
    numerals: Uint16Array.from(numerals.slice(0, MOST_NUMERALS)),
  }
}

/** Of its digits, in any script, modulo 2^16. */
const numeralHash = (numeral: string): number => stirred(Number(anyAscii(numeral).replace(/\D/g, '')))

/** In fewer sentences, the lengths of two independent texts are often alike. */
const LEAST_SENTENCES = 5
/** Texts whose numbers of sentences differ by more than this factor are no translations of each other. */
const MOST_RATIO = 1.6
/** The distance below which two texts of six sentences are alike, what each sentence adds to it, and its maximum. */
const NEAR = { six: 0.07, each: 0.009, most: 0.2 }
/** Added for two texts that share at least two numerals in their order, and this share of them. */
const WITH_NUMERALS = { added: 0.06, least: 2, share: 0.6 }

/**
 * How far two texts in different languages agree, if one is a translation of the other or both are of a third; `null`
 * if they are not. Independent reports of one event rarely have sentences of the same lengths in the same order: of 842
 * pairs one is taken for a translation, and of 4,210 pairs of beginnings 5 (AllSides). Of translations 79 % are recognised
 * by the English text, 89 % by any of 24 others (NTREX).
 */
export function translation(one: Outline, other: Outline): Translation | null {
  if (one.language === other.language) return null
  const sentences = Math.min(one.lengths.length, other.lengths.length)
  const more = Math.max(one.lengths.length, other.lengths.length)
  if (sentences < LEAST_SENTENCES || more > MOST_RATIO * sentences) return null

  const length_distance = rounded(lengthDistance(sharesOf(one), sharesOf(other)))
  const near = Math.min(NEAR.most, NEAR.six + NEAR.each * (sentences - 6))
  if (length_distance > near + WITH_NUMERALS.added) return null

  const shared_numerals = commonInOrder(one.numerals, other.numerals)
  const numerals = Math.max(one.numerals.length, other.numerals.length)
  const isSameNumerals = shared_numerals >= WITH_NUMERALS.least && shared_numerals >= WITH_NUMERALS.share * numerals
  return length_distance <= near || isSameNumerals ? { length_distance, sentences, shared_numerals, numerals } : null
}

/** The share of each sentence in the text, 0 to 1, after `EDGE + 1` zeros. */
function sharesOf({ lengths }: Outline): Float64Array {
  const shares = new Float64Array(EDGE + 1 + lengths.length)
  let total = 0
  for (const length of lengths) total += length * length
  for (const [i, length] of lengths.entries()) shares[EDGE + 1 + i] = (length * length) / total
  return shares
}

const EDGE = 2

/** A sentence may be left out, and two may become one, at this cost. */
const TWO_IN_ONE = 0.01

/**
 * The smallest sum of differences of lengths over all alignments of the sentences of two texts, in which one sentence
 * stands against one, two or none (Gale and Church 1993, "A program for aligning sentences in bilingual corpora", with
 * differences for probabilities).
 */
function lengthDistance(one: Float64Array, other: Float64Array): number {
  const width = other.length
  // of the sentences before and at i and j; the first rows and columns stand for sentences that there are not
  const best = new Float64Array(one.length * width).fill(Infinity)
  best[EDGE * width + EDGE] = 0
  for (let i = EDGE; i < one.length; i++) {
    const [a, before] = [at(one, i), at(one, i - 1)]
    for (let j = EDGE; j < width; j++) {
      const cell = i * width + j
      const above = cell - width
      const b = at(other, j)
      best[cell] = Math.min(
        at(best, cell),
        at(best, above - 1) + Math.abs(a - b),
        at(best, above - width - 1) + Math.abs(a + before - b) + TWO_IN_ONE,
        at(best, above - 2) + Math.abs(a - b - at(other, j - 1)) + TWO_IN_ONE,
        at(best, above) + a,
        at(best, cell - 1) + b,
      )
    }
  }
  return best.at(-1) ?? Infinity
}

const at = (values: Float64Array, i: number): number => values[i] ?? 0

/** The length of the longest common subsequence. */
function commonInOrder(one: Uint16Array, other: Uint16Array): number {
  let above = new Uint16Array(other.length + 1)
  for (const value of one) {
    const row = new Uint16Array(other.length + 1)
    for (const [j, theirs] of other.entries()) {
      row[j + 1] = value === theirs ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0)
    }
    above = row
  }
  return above.at(-1) ?? 0
}

const rounded = (distance: number): number => Math.round(distance * 1e4) / 1e4

/** The number of lengths, the lengths, then the numerals, little-endian. */
export const outlineBytes = ({ lengths, numerals }: Outline): Buffer =>
  lengths.length === 0
    ? Buffer.alloc(0)
    : Buffer.concat([[lengths.length], lengths, bytesOf(numerals)].map((part) => Uint8Array.from(part)))

const bytesOf = (numerals: Uint16Array): Uint8Array =>
  new Uint8Array(numerals.buffer, numerals.byteOffset, numerals.byteLength)

/** Empty bytes are of a text whose outline is not known. */
export function outlineFromBytes(bytes: Buffer, language: string): Outline {
  const count = bytes[0] ?? 0
  const numerals = Uint8Array.from(bytes.subarray(1 + count))
  return {
    language,
    lengths: Uint8Array.from(bytes.subarray(1, 1 + count)),
    numerals: new Uint16Array(numerals.buffer),
  }
}
