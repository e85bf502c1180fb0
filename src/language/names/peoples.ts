import { linesIn } from '../model-files.ts'
import { isDemonym } from '../places/demonyms.ts'

/** Letters that a people shares with its country. */
export const STEM = 4

/** "Germans" begin as "Germany" does; for those that do not there is a list. */
export const countriesOf = (people: string): readonly string[] => [
  people.slice(0, STEM),
  ...(IRREGULAR.find(([stem = '']) => people.startsWith(stem)) ?? []).slice(1).map((country) => `=${country}`),
]

/** The stem of a people, then names of its country without blanks. */
const IRREGULAR = linesIn('names/countries-of-peoples').map((line) => line.split(' '))

/** What nobody but its own people and their friends call a country. */
const COLLOQUIAL = /^(?:aussie|canuck|kiwi|yank)s?$/u

export const isPeople = (word: string): boolean => isDemonym(word) || COLLOQUIAL.test(word)
