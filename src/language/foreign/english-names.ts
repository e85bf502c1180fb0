import type { EntityType } from '../../events/articles.ts'
import { editDistance } from '../edit-distance.ts'
import { groupedBy } from '../grouped-by.ts'
import { once, remembered } from '../memoize.ts'
import { modelText, tableLines } from '../model-files.ts'
import { aliasLines } from '../names/aliases.ts'
import type { NamedMention } from '../names/mentions.ts'
import { isFirstName } from '../names/person-form.ts'
import { openPlaces, placeKey, placeNamed } from '../places/places.ts'
import { KNOWN, openLexicon } from '../recogniser/lexicon.ts'
import { baseForms, isInflected, stemKey, stems } from './inflection.ts'
import { romanised, simplest, soundKey } from './sound-key.ts'
import { placesIn } from './places.ts'

/**
 * The names of an article's mentions as English writes them, in order: from tables of names and places, by the sound of
 * known names, or else in Latin letters. Another name stays as it is where letters alone do not give its sound, as in
 * Arabic and Chinese script.
 */
export function inEnglish(mentions: readonly NamedMention[], language: string): readonly string[] {
  const written = withBaseForms(mentions, language)
  const surnames = new Map<string, string>()
  const names = written.map(({ type, surface }) => {
    const name = nameInEnglish(type, surface, language)
    const [before, after] = [surface.split(' '), name.split(' ')]
    if (type === 'PERSON' && before.length > 1) surnames.set(before.at(-1) ?? '', after.at(-1) ?? '')
    return name
  })
  return names.map((name, i) => {
    const { type, surface } = written[i] ?? { type: '', surface: name }
    return type === 'PERSON' ? (surnames.get(surface) ?? name) : name
  })
}

/** Mentions with single spaces, those of persons in the base forms of their words. */
function withBaseForms(mentions: readonly NamedMention[], language: string): readonly NamedMention[] {
  const base = isInflected(language) ? baseWords(mentions, language) : (word: string): string => word
  return mentions.map((mention) => {
    const isOfPerson = mention.type === 'PERSON'
    const words = (isOfPerson ? mention.surface.replace(HONORIFIC, '') : mention.surface).split(/\s+/u)
    return { ...mention, surface: (isOfPerson ? words.map(base) : words).join(' ') }
  })
}

/** Follows every name of a person in Japanese news. */
const HONORIFIC = /(?<=.)(?:氏|さん|様)$/u

function nameInEnglish(type: EntityType, surface: string, language: string): string {
  const known = listedName(type, surface, language)
  if (known !== undefined) return known
  if (type === 'PERSON') return personInEnglish(surface, language)
  if (type === 'ORG') return inLatin(surface)
  return placeNamed(placesIn(language), surface) === undefined
    ? (placeBySpelling(surface, language) ?? inLatin(surface))
    : surface
}

/** Lines `type<TAB>English name<TAB>name|name`: English names by type and key. */
const listedNames = once(
  () =>
    new Map(
      tableLines(modelText('names/foreign.tsv')).flatMap(([type = '', name = '', names = '']) =>
        names.split('|').map((other) => [`${type} ${placeKey(other)}`, name] as const),
      ),
    ),
)
/** The same by the stems of names of several words. */
const listedStems = remembered(
  (language): ReadonlyMap<string, string> =>
    new Map([...listedNames()].map(([key, name]) => [stemKey(key, language) ?? key, name] as const)),
)

function listedName(type: EntityType, surface: string, language: string): string | undefined {
  const names = listedNames()
  const key = placeKey(surface)
  const exact = names.get(`${type} ${key}`)
  if (exact !== undefined || !isInflected(language) || key.length < SHORTEST_INFLECTED) return exact
  const form = baseForms(key, language).find((each) => names.has(`${type} ${each}`))
  if (form !== undefined) return names.get(`${type} ${form}`)
  return key.includes(' ') ? listedStems(language).get(stemKey(`${type} ${key}`, language) ?? '') : undefined
}

/** "ЕС" has no endings. */
const SHORTEST_INFLECTED = 4

/**
 * Returns the base form of a word of a person's name: of the words of the article that may be forms of one name ("Обама",
 * "Обамы"), the shortest, then the most frequent.
 */
function baseWords(mentions: readonly NamedMention[], language: string): (word: string) => string {
  const words = mentions.filter(({ type }) => type === 'PERSON').flatMap(({ surface }) => surface.split(/\s+/u))
  const counts = [...groupedBy(words, (word) => word)].map(([word, all]) => ({ word, count: all.length }))
  counts.sort((a, b) => a.word.length - b.word.length || b.count - a.count)
  const bases = new Map<string, string>()
  for (const { word } of counts) {
    for (const stem of stems(word, language)) if (!bases.has(stem)) bases.set(stem, word)
  }
  return (word) => {
    const forms = stems(word, language).flatMap((stem) => bases.get(stem) ?? [])
    return forms.reduce((best, form) => (form.length < best.length ? form : best), word)
  }
}

/** Scripts whose names can be read from their letters. Romanised Japanese, Korean or Hindi is no name in English. */
const READABLE =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}\p{Script=Armenian}\p{P}\p{M}\p{N}\p{S}\s]*$/u
const LATIN = /^[\p{Script=Latin}\p{P}\p{M}\p{N}\p{S}\s]*$/u

const inLatin = (name: string): string =>
  LATIN.test(name) || !READABLE.test(name) || romanised(name).trim() === '' ? name : romanised(name)

/** Languages in Latin letters that write foreign names by their sound: "Tramp". */
const BY_SOUND: ReadonlySet<string> = new Set(['sr', 'hr', 'bs', 'lv', 'lt', 'az', 'sq'])

function personInEnglish(name: string, language: string): string {
  if (LATIN.test(name) && !BY_SOUND.has(language) && !isInflected(language)) return name
  const nominative = inNominative(name, language)
  const known = knownPerson(name, language) ?? knownPerson(nominative, language)
  if (known !== undefined || inLatin(name) === name) return known ?? name
  return anglicised(romanised(nominative).split(' ')).join(' ')
}

/** Endings of other cases than the nominative, of first names that end in a consonant. */
const OBLIQUE =
  /(?<=[^аеёиоуыэюяіїєaeiouyáéíóúěý]{2}|[^аеёиоуыэюяіїєaeiouyáéíóúěý])(?:ом|ем|ою|а|у|е|ovi|owi|em|om|a|u|e)$/u

/** A full name whose first name is inflected, without the endings of both: "Николаса Клевеса". */
function inNominative(name: string, language: string): string {
  const [given = '', ...more] = name.split(' ')
  if (more.length === 0 || !isInflected(language) || isGivenName(given)) return name
  const base = given.replace(OBLIQUE, '')
  return base !== given && isGivenName(base)
    ? [base, ...more.map((word) => withoutCase(word, language))].join(' ')
    : name
}

const isGivenName = (word: string): boolean =>
  isFirstName(romanised(word).toLowerCase()) || englishNames().has(simplest(word))

/** A surname without its shortest ending, but not without one that surnames have themselves: "Саипов". */
const withoutCase = (surname: string, language: string): string =>
  /(?:ов|ев|ів|їв)$/u.test(surname) ? surname : (stems(surname, language).at(-2) ?? surname)

/** The persons of the alias map, by the sound of the last word of each form of their name. */
const knownPersons = once(() =>
  groupedBy(
    aliasLines()
      .filter(({ type }) => type === 'PERSON')
      .flatMap(({ name, aliases }) => [name, ...aliases].map((form) => ({ name, words: form.split(' ') })))
      .filter(({ words }) => words.length > 1),
    ({ words }) => soundKey(words.at(-1) ?? ''),
  ),
)

/** A known person with the first and last name: by their sound, or by their spelling where a language keeps that. */
function knownPerson(name: string, language: string): string | undefined {
  const [first = '', ...more] = name.split(/[\s・]+/u)
  const last = more.at(-1)
  if (last === undefined) return knownBySurname(first, language)
  const isSame = LATIN.test(name) && !BY_SOUND.has(language) ? isSameSpelling(language) : isSameSound
  return stems(last, language)
    .toReversed()
    .flatMap((stem) => knownPersons().get(soundKey(stem)) ?? [])
    .find(({ words }) => isSame(words[0] ?? '', first) && isSame(words.at(-1) ?? '', last))?.name
}

/** Surnames by which one person is known, with that person's name, by their sound: "Трамп". */
const knownSurnames = once(() =>
  groupedBy(
    aliasLines()
      .filter(({ type }) => type === 'PERSON')
      .flatMap(({ name, aliases }) => aliases.filter((alias) => !alias.includes(' ')).map((alias) => ({ name, alias })))
      .filter(({ alias }) => alias.length >= SHORTEST_SURNAME),
    ({ alias }) => soundKey(alias),
  ),
)
const SHORTEST_SURNAME = 5
/** Scripts whose letters give vowels, too. Names in Latin letters keep their spelling in most languages. */
const WITH_VOWELS = /^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}\p{Script=Armenian}]+$/u

/** A surname alone that sounds and, but for a letter, is spelled like that of a known person, and is no first name. */
function knownBySurname(surname: string, language: string): string | undefined {
  if (!WITH_VOWELS.test(surname) || isGivenName(surname)) return undefined
  return stems(surname, language)
    .toReversed()
    .flatMap((stem) => (knownSurnames().get(soundKey(stem)) ?? []).map((known) => ({ ...known, stem })))
    .find(({ alias, stem }) => editDistance(simplest(romanised(stem)), simplest(alias), 1) <= 1)?.name
}

/** The sound of the last name is looked up without its ending; that of a first name has to end alike: not Maria and Mario. */
const isSameSound = (known: string, written: string): boolean =>
  !known.endsWith('o') || !/[aá]$/u.test(romanised(written).toLowerCase())
    ? soundKey(known) === soundKey(written) || soundKey(written).startsWith(soundKey(known))
    : false

const isSameSpelling =
  (language: string) =>
  (known: string, written: string): boolean =>
    stems(written, language).some((stem) => simplest(stem) === simplest(known))

/** First and last names in English, by their simplest spelling. Many are both. */
const englishNames = once(() => {
  const isName = (known: number): boolean => (known & (KNOWN.firstName | KNOWN.lastName)) !== 0
  return bySpelling([...openLexicon()].flatMap(([word, { known }]) => (isName(known) ? [word] : [])))
})

/** Shorter keys are initials: "V." is no first name. */
const SHORTEST_NAME = 3

const bySpelling = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    names
      .toReversed()
      .map((name) => [simplest(name), name] as const)
      .filter(([key]) => key.length >= SHORTEST_NAME),
  )

/** A name whose first name is English, with the spelling of both: "Greg Klark" is "Greg Clark". */
function anglicised(words: readonly string[]): readonly string[] {
  const [given = '', ...more] = words
  const surname = more.at(-1)
  const spelled = isFirstName(given.toLowerCase()) ? given : englishNames().get(simplest(given))
  if (surname === undefined || spelled === undefined) return words
  return [spelled, ...more.slice(0, -1), englishNames().get(simplest(surname)) ?? surname]
}

/** A place in the gazetteer that is spelled like a name in another script: "Массачусетсе". */
function placeBySpelling(name: string, language: string): string | undefined {
  if (LATIN.test(name)) return undefined
  const forms = stems(name, language).map((form) => placeSpellings().get(simplest(romanised(form))))
  return forms.find((place) => place !== undefined)
}

const placeSpellings = once(() =>
  bySpelling(
    [...new Set([...openPlaces().values()].map(({ name }) => name))].filter(({ length }) => length > SHORTEST_PLACE),
  ),
)
const SHORTEST_PLACE = 5
