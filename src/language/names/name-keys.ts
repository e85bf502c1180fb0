import { remembered } from '../memoize.ts'
import { linesIn, wordList } from '../model-files.ts'
import { isDemonym } from '../places/demonyms.ts'
import { isAcronym } from './acronyms.ts'
import { aliasOf } from './aliases.ts'
import { longForms } from './first-names.ts'
import { nameKey } from './name-key.ts'
import { slipKeys, sound } from './name-slips.ts'
import { namesOfCode } from './place-names.ts'
import { written } from './written-form.ts'

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

/** An entity by its canonical name and type (`PERSON`, `ORG`, `GPE`, `LOC`, `EVENT`; empty: unknown). */
export interface TypedName {
  readonly name: string
  readonly type: string
}

/** In the order of how sure they are. */
export type NameKeysKind = 'spelling' | 'acronym' | 'short' | 'person' | 'heard' | 'slip' | 'people'
export const KINDS: readonly NameKeysKind[] = ['spelling', 'acronym', 'short', 'person', 'heard', 'slip', 'people']

/** By kind, in their order: under what a name is kept, or looked for. */
type Keys = readonly (readonly string[])[]

/** The keys of one name in a type, made once: names come again and again. */
const keysOf = remembered((typed): { readonly kept: Keys; readonly sought: Keys } => {
  const at = typed.indexOf(' ')
  const named = { type: typed.slice(0, at), name: typed.slice(at + 1) }
  const [kept, sought] = [keptKeys(named), soughtKeys(named)]
  return { kept: KINDS.map((kind) => kept[kind]), sought: KINDS.map((kind) => sought[kind]) }
})

export const keptUnder = ({ type, name }: TypedName): Keys => keysOf(`${type} ${name}`).kept
export const soughtUnder = ({ type, name }: TypedName): Keys => keysOf(`${type} ${name}`).sought

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
  const initials = solid.length <= MOST_INITIALS && mayBePerson({ type, name }) ? own.map((each) => `:${each}`) : []
  return type === 'PERSON' ? initials : [...own, ...letters.map((each) => `=${each}`), ...initials]
}

const mayBePerson = ({ type, name }: TypedName): boolean =>
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
  (type === 'LOC' || type === 'GPE') && words.length === 2 && KINDS_OF_PLACE.has(words[1] ?? '') && isLong(words[0])
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
/** Words of a name that are looked at. */
const MOST_WORDS = 8
/** Words that many organisations begin with. */
const COMMON = wordList('names/common-first-words')
