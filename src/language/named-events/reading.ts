import type { EventTable } from './event-table.ts'

/** What is known of words beside the table of events. */
export interface KnownWords {
  /** Of words joined by a blank: "South Korea". */
  readonly isPlace: (name: string) => boolean
  /** Whether a word is mostly written in lower case. */
  readonly isCommon: (word: string) => boolean
  readonly isFirstName: (word: string) => boolean
}

/** What a reader reads. */
export interface EventWords extends KnownWords {
  /** Of one sentence, with plain signs. */
  readonly words: readonly string[]
  readonly table: EventTable
}

/** An event that begins at a given word. */
export interface ReadEvent {
  /** Index of the word after it. */
  readonly end: number
  /** Canonical name; null: the name is as it is written. */
  readonly name: string | null
}

/** The event that begins at a word, if one does. Looks at a bounded number of words. */
export type EventReader = (given: EventWords, at: number) => ReadEvent | null

export const isCapital = (word = ''): boolean => /^\p{Lu}/u.test(word)

const YEAR = /^(?:1[89]|20)\d\d$/
export const isYear = (word = ''): boolean => YEAR.test(word)

const MONTHS = new Set(
  'January February March April May June July August September October November December'.split(' '),
)
export const isMonth = (word = ''): boolean => MONTHS.has(word)

const SHOUTED = /^\p{Lu}[\p{Lu}\p{N}]+$/u
/** Acronyms of more letters are also written "Nato". */
const LONGEST_STRICT = 3

/** Whether a word of a text is the one expected: a capital must be one, in lower case any form will do. */
export function isSameWord(word: string, expected: string): boolean {
  if (word === expected) return true
  if (word.toLowerCase() !== expected.toLowerCase()) return false
  if (SHOUTED.test(expected)) return expected.length > LONGEST_STRICT && isCapital(word)
  return !isCapital(expected) || isCapital(word)
}
