import { wordList } from '../model-files.ts'

/** Adjectives and peoples: "French" is neither a place nor a person. Compared in lower case, singular and plural. */
const SINGULAR = wordList('places/singular')

const PLURAL = /(?:s|sh|ese|ch)$/

export const DEMONYMS: ReadonlySet<string> = new Set(
  [...SINGULAR].flatMap((word) => (PLURAL.test(word) ? [word] : [word, `${word}s`])),
)

/** Whether the word names a people, a faith or a direction rather than a place. */
export const isDemonym = (word: string): boolean => DEMONYMS.has(word.toLowerCase())
