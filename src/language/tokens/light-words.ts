import { wordList } from '../model-files.ts'
import { FUNCTION_WORDS } from '../quality/function-words.ts'

/** English words of a content class that nobody searches by: light verbs, quantities, times, forms of address. */
const LIGHT = wordList('tokens/light-words')

/** English contractions: `don't`, `they've`; their first part is a small word always. */
const CONTRACTION = /['’](?:t|re|ve|ll|d|m)$/u

/** Whether a word, in lower case, says nothing about an article by itself. An unknown language is read as English. */
export function isLight(word: string, language: string): boolean {
  if (FUNCTION_WORDS.get(language === 'und' ? 'en' : language)?.has(word) === true) return true
  return (language === 'en' || language === 'und') && (LIGHT.has(word) || CONTRACTION.test(word))
}
