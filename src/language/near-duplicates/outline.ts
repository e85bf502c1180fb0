import anyAscii from 'any-ascii'
import type { Translation } from '../../events/ledger.ts'
import type { Span } from '../sentences.ts'
import { stirred } from './fingerprint.ts'

/** What a translation keeps of a text: how long its sentences are, and its numerals, both in their order. */
export interface Outline {
  /** ISO 639-1, or `und`. */
  readonly language: string
  /**
   * The number of sentences; for each the square root of its share of the text, in 255ths; then 16 bits of a hash of each
   * numeral, little-endian. Empty if there are no sentences. In one array, since the state holds many outlines.
   */
  readonly bytes: Uint8Array
}

/** Of a text whose sentences are not known. */
export const NO_OUTLINE: Outline = { language: 'und', bytes: new Uint8Array() }

/** Sentences and numerals that are read of a text. */
const MOST_SENTENCES = 64
const MOST_NUMERALS = 48
/** Shorter ones are list marks and initials. */
const LEAST_CHARS = 4

/** With a separator of thousands, whichever the language uses: 150,000 and 150.000 are one numeral. */
const NUMERAL = /\p{Nd}{1,3}(?:[.,\u00a0\u202f ’']\p{Nd}{3}(?!\p{Nd}))+|\p{Nd}+/gu

/** The outline of a text. `sentences`: character offsets. */
export function outlineOf(text: string, sentences: readonly Span[], language: string): Outline {
  const lengths = sentences
    .map(({ start, end }) => end - start)
    .filter((length) => length >= LEAST_CHARS)
    .slice(0, MOST_SENTENCES)
  if (lengths.length === 0) return { language, bytes: NO_OUTLINE.bytes }

  const total = lengths.reduce((sum, length) => sum + length, 0)
  const numerals = Array.from(text.matchAll(NUMERAL), ([numeral]) => numeralHash(numeral)).slice(0, MOST_NUMERALS)
  const shares = lengths.map((length) => Math.round(255 * Math.sqrt(length / total)))
  return {
    language,
    bytes: Uint8Array.from([lengths.length, ...shares, ...numerals.flatMap((hash) => [hash & 0xff, hash >>> 8])]),
  }
}

/** 16 bits, of its digits in any script. */
const numeralHash = (numeral: string): number => stirred(Number(anyAscii(numeral).replace(/\D/g, ''))) & 0xffff

/** An outline as it is compared. */
export interface ReadOutline {
  readonly language: string
  readonly sentences: number
  /** The share of each sentence in the text, 0 to 1, after `EDGE + 1` zeros. */
  readonly shares: Float64Array
  /** Hashes. */
  readonly numerals: Uint16Array
}

const EDGE = 2

/** Reads an outline, once for all comparisons with it. */
export function readOutline({ language, bytes }: Outline): ReadOutline {
  const sentences = bytes[0] ?? 0
  const shares = new Float64Array(EDGE + 1 + sentences)
  let total = 0
  for (let i = 1; i <= sentences; i++) total += at(bytes, i) ** 2
  for (let i = 1; i <= sentences; i++) shares[EDGE + i] = at(bytes, i) ** 2 / total
  const numerals = new Uint16Array(Math.max(0, bytes.length - 1 - sentences) / 2)
  for (let i = 0; i < numerals.length; i++) {
    const from = 1 + sentences + 2 * i
    numerals[i] = at(bytes, from) + 256 * at(bytes, from + 1)
  }
  return { language, sentences, shares, numerals }
}

/** In fewer sentences, the lengths of two independent texts are often alike. */
const LEAST_SENTENCES = 5
/** Texts whose numbers of sentences differ by more than this factor are no translations of each other. */
const MOST_RATIO = 1.6
/** The distance below which two texts of six sentences are alike, what each sentence adds to it, and its maximum. */
const NEAR = { six: 0.07, each: 0.009, most: 0.2 }
/** Added for two texts that share at least two numerals in their order, and this share of them. */
const WITH_NUMERALS = { added: 0.06, least: 2, share: 0.6 }

/** Whether a text can be a translation of another: their languages are known and differ, and it is long enough. */
export const isComparable = ({ language }: Pick<Outline, 'language'>, other: Outline): boolean =>
  areDifferent(language, other.language) && at(other.bytes, 0) >= LEAST_SENTENCES

const areDifferent = (one: string, other: string): boolean => one !== other && one !== 'und' && other !== 'und'

/**
 * How far two texts in different languages agree, if one is a translation of the other or both are of a third; `null`
 * if they are not. Independent reports of one event rarely have sentences of the same lengths in the same order
 * (`story quality translations`).
 */
export function translation(one: ReadOutline, other: ReadOutline): Translation | null {
  const sentences = Math.min(one.sentences, other.sentences)
  const more = Math.max(one.sentences, other.sentences)
  if (!areDifferent(one.language, other.language) || sentences < LEAST_SENTENCES) return null
  if (more > MOST_RATIO * sentences) return null

  const length_distance = rounded(lengthDistance(one.shares, other.shares))
  const near = Math.min(NEAR.most, NEAR.six + NEAR.each * (sentences - 6))
  if (length_distance > near + WITH_NUMERALS.added) return null

  const shared_numerals = commonInOrder(one.numerals, other.numerals)
  const numerals = Math.max(one.numerals.length, other.numerals.length)
  const isSameNumerals = shared_numerals >= WITH_NUMERALS.least && shared_numerals >= WITH_NUMERALS.share * numerals
  return length_distance <= near || isSameNumerals ? { length_distance, sentences, shared_numerals, numerals } : null
}

/** A sentence may be left out, and two may become one, at this cost. */
const TWO_IN_ONE = 0.01

/**
 * The smallest sum of differences of lengths over all alignments of the sentences of two texts, in which one sentence
 * stands against one, two or none (Gale and Church 1993, "A program for aligning sentences in bilingual corpora", with
 * differences for probabilities).
 */
function lengthDistance(one: Float64Array, other: Float64Array): number {
  const width = other.length
  // row and column EDGE stand for no sentence yet; those before them only spare the checks of bounds
  const best = table.fill(Infinity, 0, one.length * width)
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
  return at(best, one.length * width - 1)
}

/** Working memory of `lengthDistance`. */
const table = new Float64Array((EDGE + 1 + MOST_SENTENCES) ** 2)

const at = (values: Float64Array | Uint8Array, i: number): number => values[i] ?? 0

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
