import { addTo } from '../grouped-by.ts'
import { remembered } from '../memoize.ts'
import { linesIn, wordList } from '../model-files.ts'
import { isDemonym, isOfPlace } from '../places/places.ts'
import { aliasOf } from './aliases.ts'
import { nameKey } from './name-key.ts'
import { isMisspelling, mayBeSameFirstName, MOST_WORDS, misspellingKeys, phoneticForm } from './name-slips.ts'
import { isAcronym } from './organisations.ts'
import { longForms, isFirstName, compatible, personForm } from './person-form.ts'
import { namesOfCode, isPlaceName } from './place-names.ts'
import { coreOf, type TypedName, written } from './written-form.ts'

/** Number of letters that a demonym shares with its country. */
const STEM = 4

/** Keys of a demonym's countries. "Germans" begins like "Germany"; a list covers the exceptions. */
const countriesOf = (demonym: string): readonly string[] => [
  demonym.slice(0, STEM),
  ...(IRREGULAR.find(([stem = '']) => demonym.startsWith(stem)) ?? []).slice(1).map((country) => `=${country}`),
]

/** The stem of a demonym, then the names of its country without spaces. */
const IRREGULAR = linesIn('names/countries-of-peoples').map((line) => line.split(' '))

const COLLOQUIAL_DEMONYMS = /^(?:aussie|canuck|kiwi|yank)s?$/u

const isPeople = (word: string): boolean => isDemonym(word) || COLLOQUIAL_DEMONYMS.test(word)

/** Kinds of matches, in order of decreasing certainty. */
const KINDS = ['spelling', 'acronym', 'short', 'person', 'phonetic', 'misspelling', 'demonym'] as const
type NameKeysKind = (typeof KINDS)[number]

/** Keys under which a typed name is stored and looked up. Cached, because names recur. */
const keysOfTyped = remembered((typed) => {
  const at = typed.indexOf(' ')
  const named = { type: typed.slice(0, at), name: typed.slice(at + 1) }
  return { stored: storedKeys(named), query: queryKeys(named) }
})

const keysOf = ({ type, name }: TypedName) => keysOfTyped(`${type} ${name}`)

type ByKind = Readonly<Record<NameKeysKind, readonly string[]>>

function storedKeys({ type, name }: TypedName): ByKind {
  const { words, solid, acronym, letters } = written(name)
  const initials = type === 'PERSON' && words.length > 1 ? [`:${words.map((word) => word.slice(0, 1)).join('')}`] : []
  return {
    spelling: spellings({ type, name }),
    acronym: type === 'PERSON' ? initials : [...letters, ...(acronym ? [`=${solid}`] : [])],
    short: [...shortForms(words, type), ...placeAlone(words, type), ...abridged(words, type), `=${solid}`],
    person: surname(words, type),
    phonetic: phoneticKeys(words, type),
    misspelling: misspellingKeys(name),
    demonym: words.length === 1 ? [solid.slice(0, STEM), `=${solid}`] : [`=${solid}`],
  }
}

function queryKeys({ type, name }: TypedName): ByKind {
  const { words, solid } = written(name)
  const full = [...knownBy(words, type), ...abridged(words, type), ...firstWordOfTag(name)].map((each) => `=${each}`)
  const lone = words.length === 1 && (type === 'PERSON' || type === '') ? fullGivenNames(solid) : []
  return {
    spelling: spellings({ type, name }),
    acronym: acronymKeys({ type, name }),
    short: [solid, ...lone, ...full, ...withoutFinalS(words)],
    person: surname(words, type),
    phonetic: words.length === 1 && type === 'PERSON' ? [phoneticForm(solid)] : [],
    misspelling: misspellingKeys(name),
    demonym: [
      ...(isPeople(solid) ? countriesOf(solid) : []),
      ...countryCodeKeys({ type, name }),
      ...withoutFinalS(words).map((each) => `=${each}`),
    ],
  }
}

/** Acronym keys. Initials may mean a person; so may two letters that are not a known organisation. */
function acronymKeys({ type, name }: TypedName): readonly string[] {
  const { solid, acronym, letters } = written(name)
  const own = acronym ? [solid] : []
  const initials = solid.length <= MOST_INITIALS && mayBeInitials({ type, name }) ? own.map((each) => `:${each}`) : []
  return type === 'PERSON' ? initials : [...own, ...letters.map((each) => `=${each}`), ...initials]
}

const mayBeInitials = ({ type, name }: TypedName): boolean =>
  type === 'PERSON' || (type === 'ORG' && written(name).solid.length === 2 && aliasOf('ORG', name) === undefined)

const MOST_INITIALS = 3

/** The given names that may be shortened to, for example, "Mike" or "Stevie". */
function fullGivenNames(name: string): readonly string[] {
  const stem = name.replace(/(?:ie|ey|y)$/u, '')
  const shorter = stem === name || stem.length < 3 ? [] : [stem, `${stem}e`]
  return [...longForms(name), ...shorter.flatMap((each) => longForms(each))]
}

/** The surname, under which persons with similar first names are found. */
const surname = (words: readonly string[], type: string): readonly string[] =>
  type === 'PERSON' && words.length > 1 ? [words.at(-1) ?? ''] : []

/** "Rideau" for "Rideau Centre": the name without the kind of place. */
const placeAlone = (words: readonly string[], type: string): readonly string[] =>
  isOfPlace({ type }) && words.length === 2 && KINDS_OF_PLACE.has(words[1] ?? '') && isUsableAlone(words[0])
    ? [words[0] ?? '']
    : []

const isUsableAlone = (word = ''): boolean => word.length > SHORTEST && !COMMON.has(word) && !isDemonym(word)

const KINDS_OF_PLACE = wordList('names/kinds-of-place')

/** "Lindt Cafe" for "Lindt Chocolate Cafe": the name without one inner word. */
const abridged = (words: readonly string[], type: string): readonly string[] =>
  type === 'PERSON' || words.length < 3 || words.length > MOST_WORDS || COMMON.has(words[0] ?? '')
    ? []
    : words.slice(1, -1).map((_, i) => words.filter((__, j) => j !== i + 1).join(''))

/** Keys of the places that a code such as "AU", "Aus" or "MO" abbreviates. */
function countryCodeKeys({ name, type }: TypedName): readonly string[] {
  const { solid } = written(name)
  const isCode = type === 'GPE' ? /^#?\p{Lu}/u.test(name) : type !== 'PERSON' && isAcronym(name)
  const codes = isCode && (solid.length === 2 || solid.length === 3) ? namesOfCode(solid) : []
  return [...codes, ...(solid === 'oz' ? ['australia'] : [])].map((each) => `=${each}`)
}

/** Phonetic keys for the words of a person's name: "Hilary". */
const phoneticKeys = (words: readonly string[], type: string): readonly string[] =>
  type === 'PERSON' && words.length > 1 ? words.filter((word) => word.length > SHORTEST).map(phoneticForm) : []

/** "Michaels", "Canadas": names that lack an apostrophe. */
const withoutFinalS = ([word = '', ...more]: readonly string[]): readonly string[] =>
  more.length === 0 && word.length > SHORTEST && /[^s]s$/u.test(word) ? [word.slice(0, -1)] : []

/** The first word of a compound tag: "#OttawaShooting" is about Ottawa. */
function firstWordOfTag(name: string): readonly string[] {
  const [, first = ''] = /^[#]?(\p{Lu}\p{Ll}{3,})\p{Lu}\S+$/u.exec(name) ?? []
  return first === '' ? [] : [nameKey(first)]
}

/** The name as written, and its canonical names in the alias map. */
function spellings({ name, type }: TypedName): readonly string[] {
  const known = TYPES.flatMap((each) => (type === each || type === '' ? (aliasOf(each, name) ?? []) : []))
  return [...new Set([written(name).solid, ...known.map((each) => written(each.name).solid)])].filter(Boolean)
}

const TYPES = ['PERSON', 'ORG', 'EVENT'] as const

/**
 * Short forms of a name: the first name or surname of a person; at least two words of other names, or an organisation's
 * first word.
 */
function shortForms(words: readonly string[], type: string): readonly string[] {
  if (GENERATION.has(words.at(-1) ?? '')) return shortForms(words.slice(0, -1), type)
  if (words.length < 2 || words.length > MOST_WORDS) return []
  const parts = words.slice(1).flatMap((_, i) => [words.slice(0, i + 1), words.slice(i + 1)])
  return parts
    .filter((part, i) => part.length > 1 || isDistinctive(part[0] ?? '', type, i === 0))
    .map((part) => part.join(''))
}

/** "John Smith" is not a short form of "John Smith Jr.". */
const GENERATION = new Set(['jr', 'sr'])

/**
 * Short forms that a full name may be known by. An organisation's first word counts only if the other words are
 * generic.
 */
function knownBy(words: readonly string[], type: string): readonly string[] {
  const short = shortForms(words, type)
  return type !== 'ORG' || words.slice(1).every((word) => GENERIC_WORDS.has(word))
    ? short
    : short.filter((each) => each !== words[0])
}

const GENERIC_WORDS = wordList('names/what-organisations-are')

function isDistinctive(word: string, type: string, isFirst: boolean): boolean {
  if (word.length < SHORTEST || COMMON.has(word) || isDemonym(word)) return false
  return type === 'PERSON' || type === '' || (type === 'ORG' && isFirst && word.length > SHORTEST)
}

const SHORTEST = 4
/** Words that many organisations begin with; they do not identify one. */
const COMMON = wordList('names/common-first-words')

/** An index that finds names by their variants, with a few lookups however many names there are. */
interface NameIndex {
  add(named: TypedName): void
  /** Names that this one may be a variant of, by the most certain kind that matches; in alphabetical order. */
  find(named: TypedName): readonly TypedName[]
}

type NameBucket = Map<string, TypedName[]>
type NameBuckets = Readonly<Record<NameKeysKind, NameBucket>>

export function nameIndex(): NameIndex {
  const bucket = (): NameBucket => new Map()
  const names: NameBuckets = {
    ...{ spelling: bucket(), acronym: bucket(), short: bucket(), person: bucket() },
    ...{ phonetic: bucket(), misspelling: bucket(), demonym: bucket() },
  }
  return {
    add(named) {
      const { stored } = keysOf(named)
      for (const kind of KINDS) for (const key of stored[kind]) addTo(names[kind], key, named)
    },
    find: (named) => foundIn(names, named),
  }
}

/**
 * Looks up the whole name, then each part of a run of tags, then the name without generic words, then the first of the
 * names it consists of.
 */
function foundIn(names: NameBuckets, named: TypedName): readonly TypedName[] {
  const whole = foundWhole(names, named)
  if (whole.length > 0) return whole
  for (const name of named.name.includes(' #') ? named.name.split(/\s+#/u) : []) {
    const part = foundIn(names, { ...named, name })
    if (part.length > 0) return part
  }
  const core = coreOf(named)
  const found = core === null ? NO_NAMES : foundWhole(names, { name: core, type: '' })
  return found.length > 0 ? found : firstInSequence(names, { ...named, name: core ?? named.name })
}

function foundWhole(names: NameBuckets, named: TypedName): readonly TypedName[] {
  const { query } = keysOf(named)
  for (const kind of KINDS) {
    const found = foundUnder(names[kind], query[kind]).filter((one) => IS_MATCH[kind](named, one))
    if (found.length > 0) return [...new Set(found)].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  return NO_NAMES
}

function foundUnder(names: NameBucket, keys: readonly string[]): readonly TypedName[] {
  let found: readonly TypedName[] = NO_NAMES
  for (const key of keys) {
    const some = names.get(key)
    if (some !== undefined) found = found.length === 0 ? some : [...found, ...some]
  }
  return found
}

const NO_NAMES: readonly TypedName[] = []

/**
 * The first name in a sequence of known names, such as "Rideau Centre Ottawa". Not for persons: they may be named after
 * places.
 */
function firstInSequence(names: NameBuckets, { name, type }: TypedName): readonly TypedName[] {
  const { words } = written(name)
  if (type === 'PERSON' || words.length < 2 || words.length > MOST_WORDS || isPlaceName(words.join(' ')))
    return NO_NAMES
  let first: readonly TypedName[] = NO_NAMES
  for (let at = 0; at < words.length;) {
    const next = longestAt(names, words, at)
    if (next === undefined) return NO_NAMES
    if (at === 0) first = next.found
    at = next.end
  }
  return first
}

function longestAt(names: NameBuckets, words: readonly string[], at: number) {
  for (let end = words.length; end > at; end--) {
    const solid = words.slice(at, end).join('')
    const short = end - at > 1 ? (names.short.get(solid) ?? NO_NAMES) : NO_NAMES
    const found = [...(names.spelling.get(solid) ?? NO_NAMES), ...short]
    if (found.length > 0) return { found, end }
  }
  return undefined
}

const IS_MATCH: Readonly<Record<NameKeysKind, (query: TypedName, one: TypedName) => boolean>> = {
  spelling: () => true,
  acronym: () => true,
  short: mayShorten,
  person: (query, one) => mayBePerson(query.name, one.name),
  phonetic: mayShorten,
  misspelling: (query, one) =>
    typesFit(query, one) && isMisspelling(query.name, one.name, query.type === 'PERSON' || one.type === 'PERSON'),
  demonym: (query, one) => query.type === 'PERSON' || one.type !== 'PERSON',
}

/** Whether both have the same surname, and first names that one person may use: "Mike", "M.", "Micheal". */
function mayBePerson(query: string, one: string): boolean {
  const [a, b] = [personForm(written(query).plain), personForm(written(one).plain)]
  if (compatible(a, b)) return true
  const [[first = '', ...more], [other = '', ...others]] = [a.given, b.given]
  return more.length + others.length === 0 && a.generation === b.generation && mayBeSameFirstName(first, other)
}

/** Whether the types are compatible for a misspelt name: a person is not taken for a town. */
const typesFit = (query: TypedName, one: TypedName): boolean =>
  query.type === one.type || query.type === '' || one.type === '' || isOfPlace(query) === isOfPlace(one)

/** Whether the types fit a short form: "Washington" the city is not short for George Washington. */
function mayShorten(query: TypedName, one: TypedName): boolean {
  if (isNamedLikePlace(query)) return query.type === 'ORG' && one.type === 'ORG'
  if ([query.type, one.type].includes('') || query.type === one.type) return true
  return isOfPlace(query) === isOfPlace(one) && (isOfPlace(one) || canNonPlaceShorten(query, one))
}

/** For two names that are not places: a person's may be short only for a person's, an organisation's for any. */
const canNonPlaceShorten = (query: TypedName, one: TypedName): boolean =>
  one.type === 'PERSON' ? query.type === 'ORG' : query.type !== 'PERSON'

/** Whether it is named like a place and is not known to be a person. */
function isNamedLikePlace({ name, type }: TypedName): boolean {
  const { words, solid } = written(name)
  return type !== 'PERSON' && isPlaceName(words.join(' ')) && !(type === '' && isFirstName(solid))
}
