import { KINDS, LETTER, LOWER, MARK, NUMBER, UPPER } from '../characters.ts'
import {
  clash,
  COMMAND,
  entryOf,
  isPaired,
  PLACEHOLDER,
  SELDOM,
  SMALL,
  valenceOf,
  type QualityLexicon,
} from './lexicon.ts'
import type { Scan } from './counts.ts'

interface CountWord {
  readonly word: string
  /** The lexicon's entry of the word before. */
  readonly before: number
  readonly lexicon: QualityLexicon
}

/** Adds a word to the counts; returns its entry in the lexicon. */
export function countWord(found: Scan, { word: given, before, lexicon }: CountWord): number {
  const first = looksOf(given)
  const word = first.marks > 0 ? given.normalize('NFC') : given // a letter and its accent are one, however written
  const looks = first.marks > 0 ? looksOf(word) : first
  const folded = isFolded(word, looks) ? word : word.toLowerCase()
  const entry = entryOf(lexicon, folded)
  countLooks(found, word, looks)
  countMeaning(found, folded, entry)
  if (isNotice(found, folded, { before, entry })) found.notices++
  if (isBroken(looks, entry) || isMixed(word, looks)) found.broken++
  if (clash(before, entry)) found.breaks++
  found.words.push(folded)
  return entry
}

/** Nothing to fold: small letters and digits only. */
const isFolded = (word: string, { upper, letters, digits }: CountWordLooks): boolean =>
  upper === 0 && letters + digits === word.length

/** A word of offers or of pages' notices: by itself, with the word before, or as a command to the reader. */
function isNotice(
  { words }: Scan,
  word: string,
  { before, entry }: { readonly before: number; readonly entry: number },
): boolean {
  const last = words.at(-1)
  if ((entry & SELDOM) !== 0 || ((entry & COMMAND) !== 0 && (last === undefined || last === 'please'))) return true
  return isPaired(before, entry, () => `${last ?? ''} ${word}`)
}

interface CountWordLooks {
  upper: number
  lower: number
  letters: number
  digits: number
  marks: number
}

function looksOf(word: string): CountWordLooks {
  const found: CountWordLooks = { upper: 0, lower: 0, letters: 0, digits: 0, marks: 0 }
  for (let at = 0; at < word.length; at++) {
    const kind = KINDS[word.charCodeAt(at)] ?? 0
    if ((kind & LOWER) !== 0) found.lower++
    else if ((kind & UPPER) !== 0) found.upper++
    if ((kind & MARK) !== 0) found.marks++
    if ((kind & (LETTER | MARK)) !== 0) found.letters++
    else if ((kind & NUMBER) !== 0) found.digits++
  }
  return found
}

function countLooks(found: Scan, word: string, { upper, lower, letters }: CountWordLooks): void {
  found.upper += upper
  found.lower += lower
  found.letters += letters
  found.visible += word.length
  found.shouted += isShouted(word, upper) ? 1 : 0
  found.length += isUnspaced(word.charCodeAt(0)) ? 0.6 : 1
}

const has = (entry: number, bit: number): number => ((entry & bit) === 0 ? 0 : 1)

function countMeaning(found: Scan, word: string, entry: number): void {
  found.small += has(entry, SMALL)
  found.placeholders += has(entry, PLACEHOLDER)
  found.valence += valenceOf(entry)
  if ((entry & SMALL) === 0) found.carrying.push(word)
}

/** A single small letter that is no word of the language. */
const isBroken = ({ lower, letters, digits, upper }: CountWordLooks, entry: number): boolean =>
  lower === 1 && letters === 1 && digits + upper === 0 && (entry & SMALL) === 0

/** Digits between letters. */
const isMixed = (word: string, { digits }: CountWordLooks): boolean => digits > 0 && LETTERS_AROUND_DIGITS.test(word)
const LETTERS_AROUND_DIGITS = /\p{L}\p{N}+\p{L}/u

/** `NATO’s` too: an ending after an apostrophe is not asked. */
function isShouted(word: string, upper: number): boolean {
  if (upper < 4) return false
  const apostrophe = word.search(/['’]/u)
  return upper >= (apostrophe < 0 ? word.length : apostrophe)
}

/** U+0E00 to U+0EFF Thai and Lao, U+1780 Khmer, U+3040 and above kana and Han. */
const isUnspaced = (code: number): boolean =>
  code >= 0x0e00 && UNSPACED_RANGES.some(([first, last]) => code >= first && code <= last)
const UNSPACED_RANGES = [
  [0x0e00, 0x0eff],
  [0x1780, 0x17ff],
  [0x3040, 0x30ff],
  [0x3400, 0x9fff],
] as const
