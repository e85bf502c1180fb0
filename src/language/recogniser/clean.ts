import { wordList } from '../model-files.ts'
import { TITLE_PARTS, TITLES } from '../names/mentions.ts'
import { isDemonym } from '../places/places.ts'
import { caseClass, isCapitalised } from './shapes.ts'
import type { WordSpan } from './tags.ts'

/** Single words that taggers mistake for names: adjectives of parties and bodies, nicknames of laws, page furniture. */
const NO_NAMES = wordList('recogniser/no-names')
const DETERMINERS = wordList('recogniser/determiners')

/**
 * Function words: articles, pronouns, prepositions, conjunctions, question words, auxiliary verbs. Words that are also
 * names are excluded: "May", "Will", "Mine".
 */
const FUNCTION_WORDS = wordList('recogniser/function-words')
/**
 * Illnesses and their causes, as news names them; compared in lower case. "Delta" and "Alzheimer" are excluded, since
 * they are also other names.
 */
const DISEASES = wordList('recogniser/diseases')
/** Words that may follow in the name of an illness: "COVID-19", "Ebola virus", "SARS-CoV-2". */
const OF_DISEASES = /^(?:\p{N}+|[-‐‑–—]|cov|virus|viruses|disease|flu|variant)$/iu

/** Adjectives of regions: "Midwestern" is not a place. */
const REGIONAL =
  /^(?:north|south|east|west|northeast|northwest|southeast|southwest|midwest)(?:ern|erly|erner|erners)$/iu

/** The last word of a statute: "Affordable Care Act", "Second Amendment". */
const STATUTE = /^(?:act|amendment|amendments)$/iu

/** At least two letters, all capitals: "WHO" and "IT" may be names, "Who" and "It" are not. */
const isShouted = (word: string): boolean => word.length > 1 && word === word.toUpperCase()

/**
 * Whether a word is a function word. Some look like short surnames ("Mr. He", "Ms. An"), so for persons only
 * determiners count.
 */
const isFunctionWord = (word: string, isPerson: boolean): boolean => {
  const lower = word.toLowerCase()
  if (isPerson || isShouted(word)) return DETERMINERS.has(lower) && lower.length > 2
  return FUNCTION_WORDS.has(lower)
}

/** Whether a span is never a name, whatever its context: function words, an illness, a statute. */
export const isNeverName = (words: readonly string[], isPerson: boolean): boolean =>
  words.every((word) => isFunctionWord(word, isPerson)) ||
  (words.length === 1 && isNeverAlone(words[0] ?? '')) ||
  isDisease(words) ||
  (!isPerson && isStatute(words))

const isNeverAlone = (word: string): boolean =>
  NO_NAMES.has(word.toLowerCase()) || REGIONAL.test(word) || /^\p{N}+$/u.test(word)

const isDisease = ([first = '', ...more]: readonly string[]): boolean =>
  DISEASES.has(first.toLowerCase()) && more.every((word) => OF_DISEASES.test(word))

const isStatute = (words: readonly string[]): boolean => words.length > 1 && STATUTE.test(words.at(-1) ?? '')

const isWord = (word: string | undefined): boolean => word !== undefined && /^[\p{L}\p{M}\p{N}]/u.test(word)
const isTitle = (word: string | undefined): boolean => word !== undefined && TITLES.has(word.toLowerCase())
const ABBREVIATION = /^(?:\p{L}|inc|corp|co|ltd|jr|sr|bros|st|dept|assn)$/iu

/**
 * Defines where a name ends, the same for training labels and for predictions: no punctuation at its edges (except the
 * full stop of an abbreviation), no possessive, no title before a person, no demonym as a place. `null` if it is not a
 * name.
 */
export function cleanSpan(words: readonly string[], span: WordSpan): WordSpan | null {
  let { start, end } = span
  while (start < end && !isWord(words[start])) start++
  end = trimmedEnd(words, start, end)
  if (span.type === 'PER') start = afterTitles(words, start, end)
  const named = { type: span.type, start, end }
  return start >= end || isNoName(words, named) ? null : named
}

/** Whether it is an account: "@nytimes". */
const isHandle = (words: readonly string[], start: number): boolean => words[start - 1] === '@'

/** Whether it is the party and state of a member of Congress: "R-Wis.". */
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

/** Start of the name after its titles. A name that consists only of titles is not a name. */
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

/** Words that introduce the title of a work; compared in lower case. */
const WORKS = wordList('recogniser/works')
/**
 * Maximum number of words between the kind of work and its title: "the film, released in 2016, "Hillary's America"".
 */
const MAX_WORDS_BETWEEN = 4
/** Maximum number of words of a title in quotation marks. */
const LONGEST_TITLE = 14
const OPENING = /^["“”'‘«„]+$|^``$/u
const CLOSING = /^["”’'»“]+$|^''$/u

/**
 * Whether a person's name is part of the title of a work ("the film 'Hillary's America'") and so does not refer to the
 * person. The name is either quoted together with other words in title case, or followed by a possessive or a colon
 * that continues the title ("the documentary Hillary: The Movie"), with a word for a work nearby.
 */
export function isInWorkTitle(words: readonly string[], { start, end }: WordSpan): boolean {
  const quoted = quotedAround(words, start, end)
  if (quoted === null) return continuesAsTitle(words, end) && hasWork(words, start - MAX_WORDS_BETWEEN, start)
  const [from, to] = quoted
  const alone = start === from && end === to
  return (
    !alone &&
    isTitleCase(words.slice(from, to)) &&
    (hasWork(words, from - 1 - MAX_WORDS_BETWEEN, from) || hasWork(words, to, to + 1 + MAX_WORDS_BETWEEN))
  )
}

const hasWork = (words: readonly string[], from: number, to: number): boolean =>
  words.slice(Math.max(0, from), to).some((word) => WORKS.has(word.toLowerCase()))

/** The word range between the nearest quotation marks around a name; `null` if it is not quoted. */
function quotedAround(
  words: readonly string[],
  start: number,
  end: number,
): readonly [from: number, to: number] | null {
  const opening = words.slice(0, start).findLastIndex((word) => OPENING.test(word))
  const length = words.slice(end).findIndex((_, i) => isClosing(words, end + i))
  const [from, to] = [opening + 1, end + length]
  return opening < 0 || length < 0 || to - from > LONGEST_TITLE ? null : [from, to]
}

/** An apostrophe before "s" does not close a quotation. */
const isClosing = (words: readonly string[], at: number): boolean =>
  CLOSING.test(words[at] ?? '') && words[at + 1]?.toLowerCase() !== 's'

/** Whether all words of at least four letters begin with a capital. */
const isTitleCase = (words: readonly string[]): boolean =>
  words.every((word) => !/^\p{L}{4,}/u.test(word) || isCapitalised(caseClass(word)))

/** Whether a possessive or a colon follows, and then a capital. */
function continuesAsTitle(words: readonly string[], end: number): boolean {
  const possessive = /^['’]$/u.test(words[end] ?? '') && words[end + 1]?.toLowerCase() === 's'
  const next = possessive ? words[end + 2] : words[end] === ':' ? words[end + 1] : undefined
  return next !== undefined && isCapitalised(caseClass(next))
}
