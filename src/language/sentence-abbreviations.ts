import { wordList } from './model-files.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Always followed by what they belong to. */
const NEVER_LAST = wordList('sentences/abbreviations-never-last')

/** Followed by a number or a name inside a sentence; by a capital word that often begins one: its end. */
const SOMETIMES_LAST = wordList('sentences/abbreviations-sometimes-last')

/** Ordinary words where they are written small: "he was ill. Trump said". */
const CAPITAL_ONLY = words(
  'sec jan feb mar apr jun jul aug sep oct nov dec mon wed fri sat sun st mt art ala ark del fla ga ill ind kan ky la md mass ' +
    'mich miss mo mont neb ore pa tex va vt wash wis',
)

/** Abbreviations before a number, words or ends of sentences before anything else: "No. 5", "he said no. Trump left". */
const BEFORE_NUMBER = wordList('sentences/abbreviations-before-number')

/** Words that often begin a sentence and seldom a name. */
const STARTERS = wordList('sentences/starters')

/** Not another initial: "F. A. Hayek". */
const beginsSentence = (follower: string): boolean =>
  !/^\p{Lu}\./u.test(follower) && STARTERS.has((/^["“‘'(]?([\p{L}\p{N}]+)/u.exec(follower)?.[1] ?? '').toLowerCase())

/** What may follow an abbreviation inside its sentence: a name, a number or a bracket, not an opening quote. */
const goesOn = (follower: string): boolean => /^[\p{Lu}\p{N}(]/u.test(follower) && !beginsSentence(follower)

/** `J`, the end of `U.S` and of `Jean-P`. */
const INITIALS = /(?:^|[.-])\p{Lu}$/u
const LONGEST_ABBREVIATION = 9

/** The part that a dot shortens: `Rep` of `Ex-Rep`, but `U.S` as it is. */
const shortened = (word: string): string => (word.includes('-') ? word.slice(word.lastIndexOf('-') + 1) : word)

/** Is the dot after this word that of an abbreviation which the following text goes on from? */
export function isAbbreviation(word: string, follower: string): boolean {
  const short = shortened(word)
  if (short.length > LONGEST_ABBREVIATION) return false
  const lower = short.toLowerCase()
  if (BEFORE_NUMBER.has(lower) && /^\p{Nd}/u.test(follower)) return true
  return NEVER_LAST.has(lower) || (isSometimesLast(short, lower) && goesOn(follower))
}

const isSometimesLast = (word: string, lower: string): boolean =>
  SOMETIMES_LAST.has(lower) || INITIALS.test(word) || (CAPITAL_ONLY.has(lower) && word !== lower)

/** "3. Mai": an ordinal of a German date. */
const GERMAN_MONTH = /^(?:Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)/u
export const isOrdinal = (word: string, follower: string): boolean =>
  word.length < 3 && /^\p{Nd}{1,2}$/u.test(word) && GERMAN_MONTH.test(follower)

const EXCLAIMED = words('yahoo jeopardy e jeb wham panic')

/** A name that ends in an exclamation mark, and goes on: "Yahoo! Inc.". */
export const isExclaimedName = (word: string, follower: string): boolean =>
  EXCLAIMED.has(word.toLowerCase()) && /^\p{Lu}/u.test(word + follower) && goesOn(follower)
