import { addTo } from '../grouped-by.ts'
import { remembered } from '../memoize.ts'
import { linesIn, wordList } from '../model-files.ts'
import { isDemonym, isOfPlace } from '../places/places.ts'
import { aliasOf } from './aliases.ts'
import { nameKey } from './name-key.ts'
import { isSlip, mayBeOne, MOST_WORDS, slipKeys, sound } from './name-slips.ts'
import { isAcronym } from './organisations.ts'
import { longForms, isFirstName, compatible, personForm } from './person-form.ts'
import { namesOfCode, isPlaceName } from './place-names.ts'
import { coreOf, type TypedName, written } from './written-form.ts'

/** Letters that a people shares with its country. */
const STEM = 4

/** "Germans" begin as "Germany" does; for those that do not there is a list. */
const countriesOf = (people: string): readonly string[] => [
  people.slice(0, STEM),
  ...(IRREGULAR.find(([stem = '']) => people.startsWith(stem)) ?? []).slice(1).map((country) => `=${country}`),
]

/** The stem of a people, then names of its country without blanks. */
const IRREGULAR = linesIn('names/countries-of-peoples').map((line) => line.split(' '))

/** What nobody but its own people and their friends call a country. */
const COLLOQUIAL = /^(?:aussie|canuck|kiwi|yank)s?$/u

const isPeople = (word: string): boolean => isDemonym(word) || COLLOQUIAL.test(word)

/** In the order of how sure they are. */
const KINDS = ['spelling', 'acronym', 'short', 'person', 'heard', 'slip', 'people'] as const
type NameKeysKind = (typeof KINDS)[number]

/** Under what a name in a type is kept and looked for, made once: names come again and again. */
const keysOfTyped = remembered((typed) => {
  const at = typed.indexOf(' ')
  const named = { type: typed.slice(0, at), name: typed.slice(at + 1) }
  return { kept: keptKeys(named), sought: soughtKeys(named) }
})

const keysOf = ({ type, name }: TypedName) => keysOfTyped(`${type} ${name}`)

type ByKind = Readonly<Record<NameKeysKind, readonly string[]>>

function keptKeys({ type, name }: TypedName): ByKind {
  const { words, solid, acronym, letters } = written(name)
  const initials = type === 'PERSON' && words.length > 1 ? [`:${words.map((word) => word.slice(0, 1)).join('')}`] : []
  return {
    spelling: spellings({ type, name }),
    acronym: type === 'PERSON' ? initials : [...letters, ...(acronym ? [`=${solid}`] : [])],
    short: [...shortForms(words, type), ...placeAlone(words, type), ...abridged(words, type), `=${solid}`],
    person: surname(words, type),
    heard: heardParts(words, type),
    slip: slipKeys(name),
    people: words.length === 1 ? [solid.slice(0, STEM), `=${solid}`] : [`=${solid}`],
  }
}

function soughtKeys({ type, name }: TypedName): ByKind {
  const { words, solid } = written(name)
  const full = [...knownBy(words, type), ...abridged(words, type), ...tagged(name)].map((each) => `=${each}`)
  const lone = words.length === 1 && (type === 'PERSON' || type === '') ? longNames(solid) : []
  return {
    spelling: spellings({ type, name }),
    acronym: soughtLetters({ type, name }),
    short: [solid, ...lone, ...full, ...singular(words)],
    person: surname(words, type),
    heard: words.length === 1 && type === 'PERSON' ? [sound(solid)] : [],
    slip: slipKeys(name),
    people: [
      ...(isPeople(solid) ? countriesOf(solid) : []),
      ...coded({ type, name }),
      ...singular(words).map((each) => `=${each}`),
    ],
  }
}

/** Initials stand for a person; two letters that are no known organisation's may, too. */
function soughtLetters({ type, name }: TypedName): readonly string[] {
  const { solid, acronym, letters } = written(name)
  const own = acronym ? [solid] : []
  const initials = solid.length <= MOST_INITIALS && mayBeInitials({ type, name }) ? own.map((each) => `:${each}`) : []
  return type === 'PERSON' ? initials : [...own, ...letters.map((each) => `=${each}`), ...initials]
}

const mayBeInitials = ({ type, name }: TypedName): boolean =>
  type === 'PERSON' || (type === 'ORG' && written(name).solid.length === 2 && aliasOf('ORG', name) === undefined)

const MOST_INITIALS = 3

/** The given names that "Mike" or "Stevie" may stand for. */
function longNames(name: string): readonly string[] {
  const stem = name.replace(/(?:ie|ey|y)$/u, '')
  const shorter = stem === name || stem.length < 3 ? [] : [stem, `${stem}e`]
  return [...longForms(name), ...shorter.flatMap((each) => longForms(each))]
}

/** The surname, that those with a like first name are found by. */
const surname = (words: readonly string[], type: string): readonly string[] =>
  type === 'PERSON' && words.length > 1 ? [words.at(-1) ?? ''] : []

/** "Rideau" of "Rideau Centre": what stands before the kind of place. */
const placeAlone = (words: readonly string[], type: string): readonly string[] =>
  isOfPlace({ type }) && words.length === 2 && KINDS_OF_PLACE.has(words[1] ?? '') && isLong(words[0])
    ? [words[0] ?? '']
    : []

const isLong = (word = ''): boolean => word.length > SHORTEST && !COMMON.has(word) && !isDemonym(word)

const KINDS_OF_PLACE = wordList('names/kinds-of-place')

/** "Lindt Cafe" of "Lindt Chocolate Cafe": one word within may be left out. */
const abridged = (words: readonly string[], type: string): readonly string[] =>
  type === 'PERSON' || words.length < 3 || words.length > MOST_WORDS || COMMON.has(words[0] ?? '')
    ? []
    : words.slice(1, -1).map((_, i) => words.filter((__, j) => j !== i + 1).join(''))

/** "AU", "Aus", "MO" as places, under what those are kept. */
function coded({ name, type }: TypedName): readonly string[] {
  const { solid } = written(name)
  const isCode = type === 'GPE' ? /^#?\p{Lu}/u.test(name) : type !== 'PERSON' && isAcronym(name)
  const codes = isCode && (solid.length === 2 || solid.length === 3) ? namesOfCode(solid) : []
  return [...codes, ...(solid === 'oz' ? ['australia'] : [])].map((each) => `=${each}`)
}

/** One word of a person's name as it is heard: "Hilary". */
const heardParts = (words: readonly string[], type: string): readonly string[] =>
  type === 'PERSON' && words.length > 1 ? words.filter((word) => word.length > SHORTEST).map(sound) : []

/** "Michaels", "Canadas": an apostrophe left out. */
const singular = ([word = '', ...more]: readonly string[]): readonly string[] =>
  more.length === 0 && word.length > SHORTEST && /[^s]s$/u.test(word) ? [word.slice(0, -1)] : []

/** What a tag of several words speaks of first: "#OttawaShooting" is of Ottawa. */
function tagged(name: string): readonly string[] {
  const [, first = ''] = /^[#]?(\p{Lu}\p{Ll}{3,})\p{Lu}\S+$/u.exec(name) ?? []
  return first === '' ? [] : [nameKey(first)]
}

/** As it is written, and as the alias map has it. */
function spellings({ name, type }: TypedName): readonly string[] {
  const known = TYPES.flatMap((each) => (type === each || type === '' ? (aliasOf(each, name) ?? []) : []))
  return [...new Set([written(name).solid, ...known.map((each) => written(each.name).solid)])].filter(Boolean)
}

const TYPES = ['PERSON', 'ORG', 'EVENT'] as const

/** Of a person first name or surname alone say enough, of all else two words, or an organisation's first. */
function shortForms(words: readonly string[], type: string): readonly string[] {
  if (GENERATION.has(words.at(-1) ?? '')) return shortForms(words.slice(0, -1), type)
  if (words.length < 2 || words.length > MOST_WORDS) return []
  const parts = words.slice(1).flatMap((_, i) => [words.slice(0, i + 1), words.slice(i + 1)])
  return parts
    .filter((part, i) => part.length > 1 || isDistinctive(part[0] ?? '', type, i === 0))
    .map((part) => part.join(''))
}

/** A son is not short for his father. */
const GENERATION = new Set(['jr', 'sr'])

/** What a full name may be known by: of an organisation its first word where the others say only what it is. */
function knownBy(words: readonly string[], type: string): readonly string[] {
  const short = shortForms(words, type)
  return type !== 'ORG' || words.slice(1).every((word) => FORMS.has(word))
    ? short
    : short.filter((each) => each !== words[0])
}

const FORMS = wordList('names/what-organisations-are')

function isDistinctive(word: string, type: string, isFirst: boolean): boolean {
  if (word.length < SHORTEST || COMMON.has(word) || isDemonym(word)) return false
  return type === 'PERSON' || type === '' || (type === 'ORG' && isFirst && word.length > SHORTEST)
}

const SHORTEST = 4
/** Words that many organisations begin with. */
const COMMON = wordList('names/common-first-words')

/** Names that are found again by their variants, each in a few look-ups however many there are. */
interface NameIndex {
  add(named: TypedName): void
  /** Those it may be another way to write, of the surest kind there is; the first in the alphabet first. */
  find(named: TypedName): readonly TypedName[]
}

type NameBucket = Map<string, TypedName[]>
type NameBuckets = Readonly<Record<NameKeysKind, NameBucket>>

export function nameIndex(): NameIndex {
  const bucket = (): NameBucket => new Map()
  const names: NameBuckets = {
    ...{ spelling: bucket(), acronym: bucket(), short: bucket(), person: bucket() },
    ...{ heard: bucket(), slip: bucket(), people: bucket() },
  }
  return {
    add(named) {
      const { kept } = keysOf(named)
      for (const kind of KINDS) for (const key of kept[kind]) addTo(names[kind], key, named)
    },
    find: (named) => foundIn(names, named),
  }
}

/** As it stands; else each part of what a tag ran into; else without words that say nothing; else the first of the names it is made of. */
function foundIn(names: NameBuckets, named: TypedName): readonly TypedName[] {
  const whole = foundAs(names, named)
  if (whole.length > 0) return whole
  for (const name of named.name.includes(' #') ? named.name.split(/\s+#/u) : []) {
    const part = foundIn(names, { ...named, name })
    if (part.length > 0) return part
  }
  const core = coreOf(named)
  const found = core === null ? NOBODY : foundAs(names, { name: core, type: '' })
  return found.length > 0 ? found : madeOf(names, { ...named, name: core ?? named.name })
}

function foundAs(names: NameBuckets, named: TypedName): readonly TypedName[] {
  const { sought } = keysOf(named)
  for (const kind of KINDS) {
    const found = foundUnder(names[kind], sought[kind]).filter((one) => FITS[kind](named, one))
    if (found.length > 0) return [...new Set(found)].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  return NOBODY
}

function foundUnder(names: NameBucket, keys: readonly string[]): readonly TypedName[] {
  let found: readonly TypedName[] = NOBODY
  for (const key of keys) {
    const some = names.get(key)
    if (some !== undefined) found = found.length === 0 ? some : [...found, ...some]
  }
  return found
}

const NOBODY: readonly TypedName[] = []

/** "Rideau Centre Ottawa": nothing but names, one after the other; the first of them. Persons are called after places. */
function madeOf(names: NameBuckets, { name, type }: TypedName): readonly TypedName[] {
  const { words } = written(name)
  if (type === 'PERSON' || words.length < 2 || words.length > MOST_WORDS || isPlaceName(words.join(' '))) return NOBODY
  let first: readonly TypedName[] = NOBODY
  for (let at = 0; at < words.length;) {
    const next = longestAt(names, words, at)
    if (next === undefined) return NOBODY
    if (at === 0) first = next.found
    at = next.end
  }
  return first
}

function longestAt(names: NameBuckets, words: readonly string[], at: number) {
  for (let end = words.length; end > at; end--) {
    const solid = words.slice(at, end).join('')
    const short = end - at > 1 ? (names.short.get(solid) ?? NOBODY) : NOBODY
    const found = [...(names.spelling.get(solid) ?? NOBODY), ...short]
    if (found.length > 0) return { found, end }
  }
  return undefined
}

const FITS: Readonly<Record<NameKeysKind, (sought: TypedName, one: TypedName) => boolean>> = {
  spelling: () => true,
  acronym: () => true,
  short: mayShorten,
  person: (sought, one) => mayBePerson(sought.name, one.name),
  heard: mayShorten,
  slip: (sought, one) =>
    areAlike(sought, one) && isSlip(sought.name, one.name, sought.type === 'PERSON' || one.type === 'PERSON'),
  people: (sought, one) => sought.type === 'PERSON' || one.type !== 'PERSON',
}

/** The same surname, and first names that one person may go by: "Mike", "M.", "Micheal". */
function mayBePerson(sought: string, one: string): boolean {
  const [a, b] = [personForm(written(sought).plain), personForm(written(one).plain)]
  if (compatible(a, b)) return true
  const [[first = '', ...more], [other = '', ...others]] = [a.given, b.given]
  return more.length + others.length === 0 && a.generation === b.generation && mayBeOne(first, other)
}

/** A misspelt name is of the same kind, or its kind was mistaken with it: not a person for a town. */
const areAlike = (sought: TypedName, one: TypedName): boolean =>
  sought.type === one.type || sought.type === '' || one.type === '' || isOfPlace(sought) === isOfPlace(one)

/** "Washington" the city is not short for George; of other kinds a short form is of the same. */
function mayShorten(sought: TypedName, one: TypedName): boolean {
  if (isTown(sought)) return sought.type === 'ORG' && one.type === 'ORG'
  if ([sought.type, one.type].includes('') || sought.type === one.type) return true
  return isOfPlace(sought) === isOfPlace(one) && (isOfPlace(one) || areNoPlaces(sought, one))
}

const areNoPlaces = (sought: TypedName, one: TypedName): boolean =>
  one.type === 'PERSON' ? sought.type === 'ORG' : sought.type !== 'PERSON'

/** Called as a place is, unless a person is known to be meant. */
function isTown({ name, type }: TypedName): boolean {
  const { words, solid } = written(name)
  return type !== 'PERSON' && isPlaceName(words.join(' ')) && !(type === '' && isFirstName(solid))
}
