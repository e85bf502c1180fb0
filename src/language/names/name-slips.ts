import { editDistance } from '../edit-distance.ts'
import { isFirstName, sexOf, sameFirstName } from './person-form.ts'
import { written } from './written-form.ts'

/**
 * Minimum length of a single-word name, and of a word in a longer name, for a difference of one letter to be a
 * misspelling.
 */
const LONG_NAME = 8
const LONG_WORD = 5
/** From this length on, two letters may differ. */
const VERY_LONG_WORD = 9
/** Number of consonants that identify a name without its vowels. */
const CONSONANTS = 4
/** Maximum number of words of a name that are examined. */
export const MOST_WORDS = 8

/** Keys of a name, at least one of which is equal for the name and a misspelling of it. */
export function misspellingKeys(name: string): readonly string[] {
  const { words, solid } = written(name)
  if (/\p{N}/u.test(solid) || solid.length < LONG_WORD) return []
  const [phonetic, skeleton] = [phoneticForm(solid), consonants(solid)]
  return [
    ...withoutOneLetter(solid),
    `~${phonetic}`,
    `%${solid.slice(0, 1)}${Array.from(solid.slice(1)).sort().join('')}`, // two letters swapped
    ...(skeleton.length < CONSONANTS - 1 ? [] : [`^${phonetic.slice(0, 1)}${skeleton}`]), // "Muhammad", "Mohamed"
    ...keysByWord(words),
  ]
}

const withoutOneLetter = (solid: string): readonly string[] =>
  solid.length < LONG_NAME ? [] : [solid, ...Array.from(solid, (_, i) => solid.slice(0, i) + solid.slice(i + 1))]

const consonants = (word: string): string =>
  phoneticForm(word)
    .slice(1)
    .replace(/[aeiou]/gu, '')

/** For each long word: the name with that word reduced to its first letter. */
const keysByWord = (words: readonly string[]): readonly string[] =>
  words.length < 2 || words.length > MOST_WORDS
    ? []
    : words.flatMap((word, i) =>
        word.length < LONG_WORD ? [] : [words.map((each, j) => (i === j ? `${word.slice(0, 1)}*` : each)).join(' ')],
      )

/** A rough phonetic form: double letters once, no silent "h", one letter per sound. */
export const phoneticForm = (word: string): string =>
  word
    .replace(/ph/gu, 'f')
    .replace(/ck|q/gu, 'k')
    .replace(/y/gu, 'i')
    .replace(/(?<=[ao])h$/u, '')
    .replace(/(?<=[aou])e(?=\p{L})/gu, '')
    .replace(/(.)\1+/gu, '$1')

/**
 * Whether two names found under one key are spellings of the same name. Persons with first names of two different
 * people never are.
 */
export function isMisspelling(a: string, b: string, isPerson: boolean): boolean {
  const [one, other] = [written(a), written(b)]
  if (one.words.length !== other.words.length) return isMisspeltWord(one.solid, other.solid, LONG_NAME)
  if (isPerson && one.words.length > 1 && !mayBeSameFirstName(one.words[0] ?? '', other.words[0] ?? '')) return false
  const minLength = one.words.length > 1 ? LONG_WORD : LONG_NAME
  return one.words.every(
    (word, i) =>
      isMisspeltWord(word, other.words[i] ?? '', minLength) ||
      (one.words.length > 1 && isVowelOff(word, other.words[i])),
  )
}

/** "Reed" and "Read" after the same first name: words too short for any other difference. */
const isVowelOff = (a: string, b = ''): boolean =>
  Math.min(a.length, b.length) === LONG_WORD - 1 &&
  a.slice(0, 1) === b.slice(0, 1) &&
  consonants(a) === consonants(b) &&
  editDistance(a, b, 1) === 1

/** Whether two first names may be one person's. If both are known first names, only a respelling counts. */
export function mayBeSameFirstName(one: string, other: string): boolean {
  if (sameFirstName(one, other)) return true
  const [sex, otherSex] = [sexOf(one), sexOf(other)]
  if (sex !== null && otherSex !== null && sex !== otherSex) return false
  return isFirstName(one) && isFirstName(other) ? isRespelt(one, other) : isMisspeltWord(one, other, LONG_WORD)
}

function isMisspeltWord(a: string, b: string, minLength: number): boolean {
  if (a === b) return true
  const length = Math.max(a.length, b.length)
  if (length < LONG_WORD || a.slice(0, 1) !== b.slice(0, 1)) return false
  if (isRespelt(a, b)) return true
  const maxDistance = length >= VERY_LONG_WORD && minLength === LONG_WORD ? 2 : 1
  return length >= minLength && editDistance(a, b, maxDistance) <= maxDistance
}

const isRespelt = (a: string, b: string): boolean =>
  phoneticForm(a) === phoneticForm(b) || areSwapped(a, b) || differInVowels(a, b)

/** Whether they differ only by swapping two letters that are next to or near each other: "Micheal", "Lybia". */
function areSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < LONG_WORD) return false
  const at = Array.from(a, (_, i) => i).filter((i) => a[i] !== b[i])
  const [first = 0, second = 0] = at
  return at.length === 2 && second - first <= 2 && a[first] === b[second] && a[second] === b[first]
}

/** Whether they differ only in one vowel, or two in longer words. */
function differInVowels(a: string, b: string): boolean {
  const maxDistance = Math.min(a.length, b.length) > CONSONANTS + 2 ? 2 : 1
  if (a.slice(0, 1) !== b.slice(0, 1) || consonants(a).length < CONSONANTS - 1 || consonants(a) !== consonants(b))
    return false
  return editDistance(phoneticForm(a), phoneticForm(b), maxDistance) <= maxDistance
}
