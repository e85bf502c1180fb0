import { remembered } from '../memoize.ts'
import { hasWordList, wordList } from '../model-files.ts'

/** A shorter rest is no name; a Korean syllable counts for more than a letter. */
const shortestStem = (word: string): number => (/\p{Script=Hangul}/u.test(word) ? 2 : 3)

/** Endings of a language, the longest first; none if its names do not change. */
const endingsOf = remembered((language): readonly string[] => listOf(`inflection/${language}`))
const prefixesOf = remembered((language): readonly string[] => listOf(`inflection/prefixes-${language}`))
const NOMINATIVE = ['', ...wordList('inflection/nominative')]

const listOf = (name: string): readonly string[] =>
  hasWordList(name) ? [...wordList(name)].sort((a, b) => b.length - a.length) : []

/** Whether names change their endings or take prefixes in a language. */
export const isInflected = (language: string): boolean =>
  endingsOf(language).length > 0 || prefixesOf(language).length > 0

/** What remains of a word without each ending that it may have, the shortest rest first; the word itself is the last. */
export const stems = (word: string, language: string): readonly string[] => [
  ...endingsOf(language).flatMap((ending) =>
    word.endsWith(ending) && word.length - ending.length >= shortestStem(word) ? [word.slice(0, -ending.length)] : [],
  ),
  word,
]

/**
 * Forms that a name in lower case may be an inflected form of, itself first: "москве" is "москва", "лондоне" "лондон".
 * Only the last word changes, and prefixes are cut from the first one: "وفرنسا".
 */
export function baseForms(name: string, language: string): readonly string[] {
  const cut = prefixesOf(language).flatMap((prefix) =>
    name.startsWith(prefix) && name.length - prefix.length >= shortestStem(name) ? [name.slice(prefix.length)] : [],
  )
  const forms = [name, ...cut, ...cut.map((rest) => `ال${rest}`)]
  const at = name.lastIndexOf(' ') + 1
  const [before, last] = [name.slice(0, at), name.slice(at)]
  if (endingsOf(language).includes(last)) forms.push(before.trimEnd()) // "Londra'da"
  for (const stem of stems(last, language)) for (const ending of NOMINATIVE) forms.push(before + stem + ending)
  return forms
}

/** A key that the inflected forms of a name of several words share: "соединенн штат". `null` for a single word. */
export const stemKey = (name: string, language: string): string | null =>
  name.includes(' ')
    ? name
        .split(' ')
        .map((word) => stems(word, language)[0] ?? word)
        .join(' ')
    : null

const afterPlaces = remembered((language): readonly string[] => listOf(`inflection/places-${language}`))
const beforePlaces = remembered((language): readonly string[] => listOf(`inflection/places-prefixes-${language}`))

/** What may be the name in a word that is tagged as a place: "在中国" is "中国". Names of persons keep such letters. */
export function placesWithin(word: string, language: string): readonly string[] {
  const withoutPrefix = ['', ...beforePlaces(language)].filter((prefix) => word.startsWith(prefix))
  const rests = withoutPrefix.map((prefix) => word.slice(prefix.length))
  return rests.flatMap((rest) => [
    rest,
    ...afterPlaces(language).flatMap((ending) => (rest.endsWith(ending) ? [rest.slice(0, -ending.length)] : [])),
  ])
}
