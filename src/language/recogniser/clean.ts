import { TITLE_PARTS, TITLES } from '../names/titles.ts'
import { isDemonym } from '../places/demonyms.ts'
import { isNeverName } from './no-names.ts'
import type { WordSpan } from './tags.ts'

const isWord = (word: string | undefined): boolean => word !== undefined && /^[\p{L}\p{M}\p{N}]/u.test(word)
const isTitle = (word: string | undefined): boolean => word !== undefined && TITLES.has(word.toLowerCase())
const ABBREVIATION = /^(?:\p{L}|inc|corp|co|ltd|jr|sr|bros|st|dept|assn)$/iu

/**
 * One notion of where a name ends, for training labels and for answers: no signs at its edges (but the stop of an
 * abbreviation), no possessive, no title before a person, no adjective of a people as a place. Null: not a name.
 */
export function cleanSpan(words: readonly string[], span: WordSpan): WordSpan | null {
  let { start, end } = span
  while (start < end && !isWord(words[start])) start++
  end = trimmedEnd(words, start, end)
  if (span.type === 'PER') start = afterTitles(words, start, end)
  const named = { type: span.type, start, end }
  return start >= end || isNoName(words, named) ? null : named
}

/** An account: "@nytimes". */
const isHandle = (words: readonly string[], start: number): boolean => words[start - 1] === '@'

/** Party and state of a member of parliament: "R-Wis.". */
const isSeat = (words: readonly string[], start: number): boolean =>
  /^[RDI]$/.test(words[start] ?? '') && /^[-–—]$/.test(words[start + 1] ?? '')

function trimmedEnd(words: readonly string[], start: number, from: number): number {
  let end = from
  while (end > start && !endsName(words, start, end)) end--
  const possessive = /^['’]$/.test(words[end - 2] ?? '') && words[end - 1]?.toLowerCase() === 's'
  return possessive && end - 2 > start ? trimmedEnd(words, start, end - 2) : end
}

function endsName(words: readonly string[], start: number, end: number): boolean {
  if (isWord(words[end - 1])) return true
  return words[end - 1] === '.' && end - 1 > start && ABBREVIATION.test(words[end - 2] ?? '')
}

/** Past the last title that only titles and parts of titles stand before; a name that is all title is none. */
function afterTitles(words: readonly string[], from: number, end: number): number {
  let start = from
  for (let i = from; i < end && isOfTitle(words[i]); i++) if (isTitle(words[i])) start = i + 1
  while (start < end && !isWord(words[start])) start++
  return start
}

const isOfTitle = (word = ''): boolean => isTitle(word) || TITLE_PARTS.has(word.toLowerCase())

function isNoName(words: readonly string[], { type, start, end }: WordSpan): boolean {
  if (isHandle(words, start) || isSeat(words, start)) return true
  const last = words[end - 1] ?? ''
  if (type === 'EVENT') return /^campaigns?$/i.test(last)
  if (isNeverName(words.slice(start, end), type === 'PER')) return true
  return end - start === 1 && type === 'LOC' && isDemonym(last)
}
