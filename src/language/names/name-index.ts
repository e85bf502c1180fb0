import { isFirstName } from './first-names.ts'
import { coreOf } from './generic-words.ts'
import { keptUnder, KINDS, soughtUnder, type NameKeysKind, type TypedName } from './name-keys.ts'
import { isSlip, mayBeOne } from './name-slips.ts'
import { compatible, personForm } from './person-form.ts'
import { isPlaceName } from './place-names.ts'
import { written } from './written-form.ts'

export type { TypedName } from './name-keys.ts'

/** Names that are found again by their variants, each in a few look-ups however many there are. */
interface NameIndex {
  add(named: TypedName): void
  /** Those it may be another way to write, of the surest kind there is; the first in the alphabet first. */
  find(named: TypedName): readonly TypedName[]
}

type NameBuckets = readonly Map<string, TypedName[]>[]

export function nameIndex(): NameIndex {
  const names: NameBuckets = KINDS.map(() => new Map<string, TypedName[]>())
  return {
    add(named) {
      keptUnder(named).forEach((keys, kind) => {
        for (const key of keys) put(names[kind], key, named)
      })
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
  const sought = soughtUnder(named)
  for (const [i, kind] of KINDS.entries()) {
    const found = foundUnder(names[i], sought[i]).filter((one) => FITS[kind](named, one))
    if (found.length > 0) return [...new Set(found)].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  return NOBODY
}

function foundUnder(
  names = new Map<string, readonly TypedName[]>(),
  keys: readonly string[] = [],
): readonly TypedName[] {
  let found: readonly TypedName[] = NOBODY
  for (const key of keys) {
    const some = names.get(key)
    if (some !== undefined) found = found.length === 0 ? some : [...found, ...some]
  }
  return found
}

const NOBODY: readonly TypedName[] = []

function put(names = new Map<string, TypedName[]>(), key: string, named: TypedName): void {
  const before = names.get(key)
  if (before === undefined) names.set(key, [named])
  else before.push(named)
}

/** Words of a name that are looked at. */
const MOST_WORDS = 8

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

const SHORT = KINDS.indexOf('short')

function longestAt(names: NameBuckets, words: readonly string[], at: number) {
  for (let end = words.length; end > at; end--) {
    const solid = words.slice(at, end).join('')
    const found = [...foundUnder(names[0], [solid]), ...(end - at > 1 ? foundUnder(names[SHORT], [solid]) : NOBODY)]
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

const isPlace = ({ type }: TypedName): boolean => type === 'GPE' || type === 'LOC'

/** A misspelt name is of the same kind, or its kind was mistaken with it: not a person for a town. */
const areAlike = (sought: TypedName, one: TypedName): boolean =>
  sought.type === one.type || sought.type === '' || one.type === '' || isPlace(sought) === isPlace(one)

/** "Washington" the city is not short for George; of other kinds a short form is of the same. */
function mayShorten(sought: TypedName, one: TypedName): boolean {
  if (isTown(sought)) return sought.type === 'ORG' && one.type === 'ORG'
  if ([sought.type, one.type].includes('') || sought.type === one.type) return true
  return isPlace(sought) === isPlace(one) && (isPlace(one) || areNoPlaces(sought, one))
}

const areNoPlaces = (sought: TypedName, one: TypedName): boolean =>
  one.type === 'PERSON' ? sought.type === 'ORG' : sought.type !== 'PERSON'

/** Called as a place is, unless a person is known to be meant. */
function isTown({ name, type }: TypedName): boolean {
  const { words, solid } = written(name)
  return type !== 'PERSON' && isPlaceName(words.join(' ')) && !(type === '' && isFirstName(solid))
}
