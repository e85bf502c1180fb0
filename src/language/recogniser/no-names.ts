import { wordList } from '../model-files.ts'

/** Single words that taggers take for names: adjectives of parties and bodies, nicknames of laws, furniture of web pages. */
const NO_NAMES = wordList('recogniser/no-names')

const DETERMINERS = wordList('recogniser/determiners')

/**
 * Words of closed classes: articles, pronouns, prepositions, conjunctions, question words, auxiliary verbs. Left out are
 * those that are names as well: "May", "Will", "Mine".
 */
const FUNCTION_WORDS = wordList('recogniser/function-words')

/** Illnesses and what causes them, as news name them; in capitals or not. "Delta" and "Alzheimer" are names of others, too. */
const DISEASES = wordList('recogniser/diseases')

/** They make no name of an illness: "COVID-19", "Ebola virus", "SARS-CoV-2". */
const OF_DISEASES = /^(?:\p{N}+|[-‐‑–—]|cov|virus|viruses|disease|flu|variant)$/iu

/** Adjectives of regions: "Midwestern" is no place. */
const REGIONAL =
  /^(?:north|south|east|west|northeast|northwest|southeast|southwest|midwest)(?:ern|erly|erner|erners)$/iu

/** Statutes by the word that ends them: "Affordable Care Act", "Second Amendment". */
const STATUTE = /^(?:act|amendment|amendments)$/iu

/** Two letters and more, all capitals: "WHO" and "IT" may be names where "Who" and "It" are none. */
const isShouted = (word: string): boolean => word.length > 1 && word === word.toUpperCase()

/** Words that are written alike as a short family name, "Mr. He" and "Ms. An": of persons only determiners are no name. */
const isFunctionWord = (word: string, isPerson: boolean): boolean => {
  const lower = word.toLowerCase()
  if (isPerson || isShouted(word)) return DETERMINERS.has(lower) && lower.length > 2
  return FUNCTION_WORDS.has(lower)
}

/** Whether a recogniser's span is no name whatever stands around it: words of closed classes, an illness, a statute. */
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
