import { IN_WORD, kindAt, PUNCTUATION } from '../characters.ts'
import type { Scan } from './counts.ts'

const CODE = new Set('{}=<>\\|_~^#;')

/** Adds a character that is neither blank nor part of a word to the counts. */
export function countMark(found: Scan, text: string, at: number): void {
  const mark = text.charAt(at)
  found.visible++
  if (CODE.has(mark)) found.code++
  if ((kindAt(text, at) & PUNCTUATION) === 0) countOdd(found, text, at)
  else if (mark !== ',') countPunctuation(found, text, at)
}

/** Neither letter, digit, blank nor ordinary punctuation. */
function countOdd(found: Scan, text: string, at: number): void {
  const mark = text.charAt(at)
  found.odd++
  if ((mark === '#' || mark === '@') && isInWord(text, at + 1)) found.tags++
  if (isGarbled(text, at, mark)) found.broken++
}

/** The replacement character; what no writer puts between two letters; text read in the wrong encoding: `Ã©`, `â€œ`. */
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

/** `example.com`, `worker.run`: two letters at each side, so that `U.S.` and `3.5` are none. */
const DOTTED = /^\p{Ll}{2}\.\p{L}{2}$/u

const isLoud = (mark: string): boolean => mark === '!' || mark === '?'

/** A run of `!` and `?` is one odd character, counted at its second. */
function countLoud(found: Scan, text: string, at: number): void {
  if (isLoud(text.charAt(at - 1)) && !isLoud(text.charAt(at - 2))) found.odd++
}
