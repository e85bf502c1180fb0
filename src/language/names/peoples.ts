import { isDemonym } from '../places/demonyms.ts'

/** Letters that a people shares with its country. */
export const STEM = 4

/** "Germans" begin as "Germany" does; for those that do not there is a list. */
export const countriesOf = (people: string): readonly string[] => [
  people.slice(0, STEM),
  ...(IRREGULAR.find(([stem]) => people.startsWith(stem))?.[1] ?? []).map((each) => `=${each}`),
]

const IRREGULAR: readonly (readonly [string, readonly string[]])[] = [
  ['french', ['france']],
  ['dutch', ['netherlands', 'holland']],
  ['brit', ['unitedkingdom', 'greatbritain', 'uk']],
  ['american', ['unitedstates', 'unitedstatesofamerica', 'us', 'usa']],
  ['spani', ['spain']],
  ['swiss', ['switzerland']],
  ['dan', ['denmark']],
  ['greek', ['greece']],
  ['turk', ['turkey']],
  ['pol', ['poland']],
  ['welsh', ['wales']],
  ['scot', ['scotland']],
  ['irish', ['ireland']],
  ['iraqi', ['iraq']],
  ['thai', ['thailand']],
  ['finn', ['finland']],
  ['saudi', ['saudiarabia']],
  ['filipin', ['philippines']],
  ['norwegian', ['norway']],
  ['emirat', ['unitedarabemirates', 'uae']],
  ['southkorean', ['southkorea']],
  ['palestin', ['palestinianterritories', 'palestinianauthority']],
  ['european', ['europeanunion', 'eu']],
  ['chinese', ['china']],
  ['aussie', ['australia']],
  ['canuck', ['canada']],
  ['kiwi', ['newzealand']],
  ['yank', ['unitedstates', 'unitedstatesofamerica', 'us', 'usa']],
]

/** What nobody but its own people and their friends call a country. */
const COLLOQUIAL = /^(?:aussie|canuck|kiwi|yank)s?$/u

export const isPeople = (word: string): boolean => isDemonym(word) || COLLOQUIAL.test(word)
