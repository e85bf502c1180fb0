import { isFirstName, sexOf, sameFirstName } from './person-form.ts'
import { written } from './written-form.ts'

/** Long enough that one letter more, less or another is a slip of the finger, in a name and in a word of several. */
const LONG = 8
const LONG_WORD = 5
/** From so many letters on two may be. */
const LONGEST = 9
/** Consonants that identify a name without its vowels. */
const CONSONANTS = 4
/** Words of a name that are looked at. */
export const MOST_WORDS = 8

/** Under what a name is found again that one of two spells wrongly. */
export function slipKeys(name: string): readonly string[] {
  const { words, solid } = written(name)
  if (/\p{N}/u.test(solid) || solid.length < LONG_WORD) return []
  const [heard, bones] = [sound(solid), consonants(solid)]
  return [
    ...withoutOneLetter(solid),
    `~${heard}`,
    `%${solid.slice(0, 1)}${Array.from(solid.slice(1)).sort().join('')}`, // two letters swapped
    ...(bones.length < CONSONANTS - 1 ? [] : [`^${heard.slice(0, 1)}${bones}`]), // "Muhammad", "Mohamed"
    ...places(words),
  ]
}

const withoutOneLetter = (solid: string): readonly string[] =>
  solid.length < LONG ? [] : [solid, ...Array.from(solid, (_, i) => solid.slice(0, i) + solid.slice(i + 1))]

const consonants = (word: string): string =>
  sound(word)
    .slice(1)
    .replace(/[aeiou]/gu, '')

/** Each word but one, and how that one begins. */
const places = (words: readonly string[]): readonly string[] =>
  words.length < 2 || words.length > MOST_WORDS
    ? []
    : words.flatMap((word, i) =>
        word.length < LONG_WORD ? [] : [words.map((each, j) => (i === j ? `${word.slice(0, 1)}*` : each)).join(' ')],
      )

/** As it is heard, roughly: letters twice in a row once, no silent "h", one letter for a sound. */
export const sound = (word: string): string =>
  word
    .replace(/ph/gu, 'f')
    .replace(/ck|q/gu, 'k')
    .replace(/y/gu, 'i')
    .replace(/(?<=[ao])h$/u, '')
    .replace(/(?<=[aou])e(?=\p{L})/gu, '')
    .replace(/(.)\1+/gu, '$1')

/** Whether two names, found under one key, are spellings of one; persons never where their first names are two people's. */
export function isSlip(a: string, b: string, isPerson: boolean): boolean {
  const [one, other] = [written(a), written(b)]
  if (one.words.length !== other.words.length) return isSlipOfWord(one.solid, other.solid, LONG)
  if (isPerson && one.words.length > 1 && !mayBeOne(one.words[0] ?? '', other.words[0] ?? '')) return false
  const least = one.words.length > 1 ? LONG_WORD : LONG
  return one.words.every(
    (word, i) =>
      isSlipOfWord(word, other.words[i] ?? '', least) || (one.words.length > 1 && isVowelOff(word, other.words[i])),
  )
}

/** "Reed" and "Read" behind the same first name: too short for anything but a vowel. */
const isVowelOff = (a: string, b = ''): boolean =>
  Math.min(a.length, b.length) === LONG_WORD - 1 &&
  a.slice(0, 1) === b.slice(0, 1) &&
  consonants(a) === consonants(b) &&
  distance(a, b, 1) === 1

/** First names that both are known: only the same one spelled otherwise. */
export function mayBeOne(one: string, other: string): boolean {
  if (sameFirstName(one, other)) return true
  const [sex, otherSex] = [sexOf(one), sexOf(other)]
  if (sex !== null && otherSex !== null && sex !== otherSex) return false
  return isFirstName(one) && isFirstName(other) ? isRespelt(one, other) : isSlipOfWord(one, other, LONG_WORD)
}

function isSlipOfWord(a: string, b: string, least: number): boolean {
  if (a === b) return true
  const length = Math.max(a.length, b.length)
  if (length < LONG_WORD || a.slice(0, 1) !== b.slice(0, 1)) return false
  if (isRespelt(a, b)) return true
  const most = length >= LONGEST && least === LONG_WORD ? 2 : 1
  return length >= least && distance(a, b, most) <= most
}

const isRespelt = (a: string, b: string): boolean => sound(a) === sound(b) || areSwapped(a, b) || areVowelsOnly(a, b)

/** The same but for two letters next to or near each other: "Micheal", "Lybia". */
function areSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < LONG_WORD) return false
  const at = Array.from(a, (_, i) => i).filter((i) => a[i] !== b[i])
  const [first = 0, second = 0] = at
  return at.length === 2 && second - first <= 2 && a[first] === b[second] && a[second] === b[first]
}

/** The same but for a vowel, in longer words two. */
function areVowelsOnly(a: string, b: string): boolean {
  const most = Math.min(a.length, b.length) > CONSONANTS + 2 ? 2 : 1
  if (a.slice(0, 1) !== b.slice(0, 1) || consonants(a).length < CONSONANTS - 1 || consonants(a) !== consonants(b))
    return false
  return distance(sound(a), sound(b), most) <= most
}

/** Levenshtein's; more than `most` is `most` and one. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) row = nextRow(row, a[i - 1] ?? '', b)
  return Math.min(row.at(-1) ?? 0, most + 1)
}

function nextRow(row: readonly number[], letter: string, b: string): number[] {
  const next = [(row[0] ?? 0) + 1]
  for (let j = 1; j <= b.length; j++) {
    const taken = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
    next.push(Math.min(taken, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
  }
  return next
}
