import type { Span } from '../sentences.ts'
import {
  IN_WORD,
  kindAt,
  PUNCTUATION,
  KINDS,
  LETTER,
  LOWER,
  MARK,
  NUMBER,
  UPPER,
  BLANK,
  unitsAt,
  wordEnd,
} from '../word-tokens.ts'
import {
  isUngrammaticalPair,
  COMMAND,
  entryOf,
  isPaired,
  PLACEHOLDER,
  NOTICE_WORD,
  FUNCTION_WORD,
  valenceOf,
  type QualityLexicon,
  isNeverLast,
} from './lexicon.ts'

const CODE = new Set('{}=<>\\|_~^#;')

/** Counts a character that is neither white space nor part of a word. */
function countMark(found: Scan, text: string, at: number): void {
  const mark = text.charAt(at)
  found.visible++
  if (CODE.has(mark)) found.code++
  if ((kindAt(text, at) & PUNCTUATION) === 0) countOdd(found, text, at)
  else if (mark !== ',') countPunctuation(found, text, at)
}

/** Counts a character that is not a letter, digit, white space or ordinary punctuation. */
function countOdd(found: Scan, text: string, at: number): void {
  const mark = text.charAt(at)
  found.odd++
  if ((mark === '#' || mark === '@') && isInWord(text, at + 1)) found.tags++
  if (isGarbled(text, at, mark)) found.broken++
}

/**
 * The replacement character, a mark that no writer puts between two letters, or text in the wrong encoding: `Ã©`,
 * `â€œ`.
 */
const isGarbled = (text: string, at: number, mark: string): boolean =>
  mark === '\ufffd' ||
  isAccented(text.charCodeAt(at - 1)) ||
  (mark !== '@' && isInWord(text, at - 1) && isInWord(text, at + 1))

const isAccented = (code: number): boolean => code >= 0xc2 && code <= 0xe2 && code !== 0xdf

const isInWord = (text: string, at: number): boolean =>
  at >= 0 && at < text.length && (kindAt(text, at) & IN_WORD) !== 0

function countPunctuation(found: Scan, text: string, at: number): void {
  const mark = text.charAt(at)
  if (mark === '.') {
    found.addresses += WWW.test(text.slice(Math.max(0, at - 3), at)) ? 1 : 0
    found.broken += DOTTED.test(text.slice(Math.max(0, at - 2), at + 3)) ? 1 : 0
  } else if (mark === ':') {
    found.addresses += text.startsWith('//', at + 1) && HTTP.test(text.slice(Math.max(0, at - 5), at)) ? 1 : 0
  } else if (isLoud(mark)) countLoud(found, text, at)
}

const WWW = /^www$/iu
const HTTP = /https?$/iu
/** `example.com`, `worker.run`: two letters on each side, which excludes `U.S.` and `3.5`. */
const DOTTED = /^\p{Ll}{2}\.\p{L}{2}$/u

const isLoud = (mark: string): boolean => mark === '!' || mark === '?'

/** A run of `!` and `?` counts as one odd character, at its second mark. */
function countLoud(found: Scan, text: string, at: number): void {
  if (isLoud(text.charAt(at - 1)) && !isLoud(text.charAt(at - 2))) found.odd++
}

interface WordContext {
  /** The lexicon entry of the previous word. */
  readonly before: number
  readonly lexicon: QualityLexicon
}

/** Counts a word and returns its lexicon entry. */
function countWord(found: Scan, given: string, { before, lexicon }: WordContext): number {
  const first = lettersOf(given)
  const word = first.marks > 0 ? given.normalize('NFC') : given // one form for a letter and its accent
  const counts = first.marks > 0 ? lettersOf(word) : first
  const lower = isLowerCase(word, counts) ? word : word.toLowerCase()
  const entry = entryOf(lexicon, lower)
  countLetters(found, word, counts)
  countMeaning(found, lower, entry)
  if (isNotice(found, lower, { before, entry })) found.notices++
  if (isBroken(counts, entry) || isMixed(word, counts)) found.broken++
  if (isUngrammaticalPair(before, entry)) found.breaks++
  found.words.push(lower)
  return entry
}

type LetterCounts = ReturnType<typeof lettersOf>

/** Whether the word has only small letters and digits. */
const isLowerCase = (word: string, { upper, letters, digits }: LetterCounts): boolean =>
  upper === 0 && letters + digits === word.length

/**
 * Whether the word belongs to an offer or a page notice: by itself, with the word before it, or as a command to the
 * reader.
 */
function isNotice(
  { words }: Scan,
  word: string,
  { before, entry }: { readonly before: number; readonly entry: number },
): boolean {
  const last = words.at(-1)
  if ((entry & NOTICE_WORD) !== 0 || ((entry & COMMAND) !== 0 && (last === undefined || last === 'please'))) return true
  return isPaired(before, entry, () => `${last ?? ''} ${word}`)
}

function lettersOf(word: string) {
  const found = { upper: 0, lower: 0, letters: 0, digits: 0, marks: 0 }
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

function countLetters(found: Scan, word: string, { upper, lower, letters }: LetterCounts): void {
  found.upper += upper
  found.lower += lower
  found.letters += letters
  found.visible += word.length
  found.shouted += isShouted(word, upper) ? 1 : 0
  found.length += isUnspaced(word.charCodeAt(0)) ? 0.6 : 1
}

const has = (entry: number, bit: number): number => ((entry & bit) === 0 ? 0 : 1)

function countMeaning(found: Scan, word: string, entry: number): void {
  found.functionWords += has(entry, FUNCTION_WORD)
  found.placeholders += has(entry, PLACEHOLDER)
  found.valence += valenceOf(entry)
  if ((entry & FUNCTION_WORD) === 0) found.contentWords.push(word)
}

/** A single small letter that is not a word of the language. */
const isBroken = ({ lower, letters, digits, upper }: LetterCounts, entry: number): boolean =>
  lower === 1 && letters === 1 && digits + upper === 0 && (entry & FUNCTION_WORD) === 0

/** Digits between letters. */
const isMixed = (word: string, { digits }: LetterCounts): boolean => digits > 0 && LETTERS_AROUND_DIGITS.test(word)
const LETTERS_AROUND_DIGITS = /\p{L}\p{N}+\p{L}/u

/** Includes `NATO’s`: only the letters before an apostrophe count. */
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

/** The counts of a sentence. */
const emptyScan = () => ({
  /** Lower case, in order. */
  words: [] as string[],
  /** In words of a script with spaces: a Chinese or Thai character counts as 0.6 words. */
  length: 0,
  /** Function words of the language; all other words are in `contentWords`. */
  functionWords: 0,
  contentWords: [] as string[],
  /** Words and pairs from offers and page notices. */
  notices: 0,
  /** Words of placeholder Latin. */
  placeholders: 0,
  /** Ungrammatical sequences: "the of", "by was", a sentence that ends in "and". */
  breaks: 0,
  /** Words with digits or marks between their letters: `t0wn`, `re|son`. */
  broken: 0,
  /** Words of at least four letters in capitals. */
  shouted: 0,
  /** Sum of the AFINN values, -5 to 5 each. */
  valence: 0,
  /** Letters, capitals and small letters, out of all `visible` characters. */
  letters: 0,
  upper: 0,
  lower: 0,
  visible: 0,
  /** Characters that are not letters, digits, white space or ordinary punctuation; runs of `!` and `?`. */
  odd: 0,
  /** Characters of code and mark-up. */
  code: 0,
  tags: 0,
  addresses: 0,
})
export type Scan = ReturnType<typeof emptyScan>

const FULL_STOP = 0x2e

/** Counts a sentence in one pass, which keeps the quality score cheap. */
export function scan(text: string, { start, end }: Span, lexicon: QualityLexicon): Scan {
  const found = emptyScan()
  let before = 0 // the lexicon entry of the previous word; reset by punctuation
  for (let at = start; at < end;) {
    const kind = kindAt(text, at)
    if ((kind & IN_WORD) !== 0) {
      const next = wordEnd(text, at, end) // a sentence may have been cut inside a very long word
      before = countWord(found, text.slice(at, next), { before, lexicon })
      at = next
    } else {
      if ((kind & BLANK) === 0) {
        countMark(found, text, at)
        before = text.charCodeAt(at) === FULL_STOP ? before : 0
      }
      at += unitsAt(text, at)
    }
  }
  found.breaks += endsWithOneStop(text, end) && isNeverLast(before) ? 1 : 0
  return found
}

const endsWithOneStop = (text: string, end: number): boolean =>
  text.charCodeAt(end - 1) === FULL_STOP && text.charCodeAt(end - 2) !== FULL_STOP
