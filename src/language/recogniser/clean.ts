import { TITLES } from '../names/titles.ts'
import { isDemonym } from '../places/demonyms.ts'
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
  if (start >= end) return null
  const alone = end - start === 1 ? (words[start] ?? '') : ''
  if (isNoName(alone, span.type)) return null
  return { type: span.type, start, end }
}

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

function afterTitles(words: readonly string[], from: number, end: number): number {
  let start = from
  while (start < end - 1 && (isTitle(words[start]) || !isWord(words[start]))) start++
  return start === end - 1 && isTitle(words[start]) ? end : start
}

function isNoName(word: string, type: WordSpan['type']): boolean {
  if (word === '') return false
  return (type === 'LOC' && isDemonym(word)) || /^\p{N}+$/u.test(word)
}
