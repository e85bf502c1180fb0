import { isDemonym } from '../places/demonyms.ts'
import { remembered } from '../remembered.ts'
import { isAcronym, lettersOf } from './acronyms.ts'
import { aliasOf } from './aliases.ts'
import { splitTitles, trimmedName, withoutPossessive } from './mentions.ts'
import { nameKey } from './name-key.ts'

/** An entity by its canonical name and type (`PERSON`, `ORG`, `GPE`, `LOC`, `EVENT`; empty: unknown). */
export interface Named {
  readonly name: string
  readonly type: string
}

/** Names that are found again by their variants, each in a few look-ups however many there are. */
export interface NameIndex {
  add(named: Named): void
  /** Those it may be another way to write, of the surest kind there is; the first in the alphabet first. */
  find(named: Named): readonly Named[]
}

/** In the order of how sure they are. */
type Kind = 'spelling' | 'acronym' | 'short' | 'typo' | 'people'
const KINDS: readonly Kind[] = ['spelling', 'acronym', 'short', 'typo', 'people']

/** By kind, in their order: under what a name is kept, or looked for. */
type Keys = readonly (readonly string[])[]

export function nameIndex(): NameIndex {
  const names = KINDS.map(() => new Map<string, Named[]>())
  return {
    add(named) {
      keptUnder(named).forEach((keys, kind) => {
        for (const key of keys) put(names[kind], key, named)
      })
    },
    find(named) {
      const sought = soughtUnder(named)
      for (const [i, kind] of KINDS.entries()) {
        const found = foundUnder(names[i], sought[i]).filter((one) => fits(kind, named, one))
        if (found.length > 0) return [...new Set(found)].sort((a, b) => (a.name < b.name ? -1 : 1))
      }
      return []
    },
  }
}

function foundUnder(names = new Map<string, readonly Named[]>(), keys: readonly string[] = []): readonly Named[] {
  let found: readonly Named[] = NOBODY
  for (const key of keys) {
    const some = names.get(key)
    if (some !== undefined) found = found.length === 0 ? some : [...found, ...some]
  }
  return found
}

const NOBODY: readonly Named[] = []

function put(names = new Map<string, Named[]>(), key: string, named: Named): void {
  const before = names.get(key)
  if (before === undefined) names.set(key, [named])
  else before.push(named)
}

interface Written {
  readonly words: readonly string[]
  /** Without blanks: "#NotreDame" and "Notre-Dame" are one. */
  readonly solid: string
  readonly acronym: boolean
  /** Of two words and more: what its first letters may make. */
  readonly letters: readonly string[]
}

const written = remembered((name): Written => {
  const bare = withoutPossessive(trimmedName(name.replace(/^[#@]+/u, '')))
  const plain = splitTitles(bare).name
  const key = nameKey(plain)
  const words = key.split(' ').filter(Boolean)
  const acronym = isAcronym(plain)
  const spelled = { name: plain, key, words, acronym, known: undefined }
  const letters = words.length < 2 ? [] : lettersOf(spelled).map((each) => each.toLowerCase())
  return { words, solid: words.join(''), acronym, letters }
})

/** The keys of one name in a type, made once: names come again and again. */
const keysOf = remembered((typed): { readonly kept: Keys; readonly sought: Keys } => {
  const at = typed.indexOf(' ')
  const [type, name] = [typed.slice(0, at), typed.slice(at + 1)]
  const { words, solid, acronym, letters } = written(name)
  const spelling = spellings({ type, name })
  const short = shortForms(words, type)
  const typo = withoutOneLetter(solid)
  const mayBeLetters = type !== 'PERSON'
  const kept = {
    spelling,
    acronym: mayBeLetters ? [...letters, ...(acronym ? [`=${solid}`] : [])] : [],
    short: [...short, `=${solid}`],
    typo,
    people: words.length === 1 ? [solid.slice(0, STEM), `=${solid}`] : [`=${solid}`],
  }
  const sought = {
    spelling,
    acronym: mayBeLetters ? [...(acronym ? [solid] : []), ...letters.map((each) => `=${each}`)] : [],
    short: [solid, ...[...short, ...tagged(name)].map((each) => `=${each}`)],
    typo,
    people: isDemonym(solid) ? countries(solid) : [],
  }
  return { kept: KINDS.map((kind) => kept[kind]), sought: KINDS.map((kind) => sought[kind]) }
})

const keptUnder = ({ type, name }: Named): Keys => keysOf(`${type} ${name}`).kept
const soughtUnder = ({ type, name }: Named): Keys => keysOf(`${type} ${name}`).sought

/** What a tag of several words speaks of first: "#OttawaShooting" is of Ottawa. */
function tagged(name: string): readonly string[] {
  const [, first = ''] = /^[#]?(\p{Lu}\p{Ll}{3,})\p{Lu}\S+$/u.exec(name) ?? []
  return first === '' ? [] : [nameKey(first)]
}

/** As it is written, and as the alias map has it. */
function spellings({ name, type }: Named): readonly string[] {
  const known = TYPES.flatMap((each) => (type === each || type === '' ? (aliasOf(each, name) ?? []) : []))
  return [...new Set([written(name).solid, ...known.map((each) => written(each.name).solid)])].filter(Boolean)
}

const TYPES = ['PERSON', 'ORG', 'EVENT'] as const

/** Of a person first name or surname alone say enough, of all else two words, or an organisation's first. */
function shortForms(words: readonly string[], type: string): readonly string[] {
  if (words.length < 2 || words.length > MOST_WORDS) return []
  const parts = words.slice(1).flatMap((_, i) => [words.slice(0, i + 1), words.slice(i + 1)])
  return parts
    .filter((part, i) => part.length > 1 || isTelling(part[0] ?? '', type, i === 0))
    .map((part) => part.join(''))
}

function isTelling(word: string, type: string, isFirst: boolean): boolean {
  if (word.length < SHORTEST || COMMON.has(word) || isDemonym(word)) return false
  return type === 'PERSON' || type === '' || (type === 'ORG' && isFirst && word.length > SHORTEST)
}

const SHORTEST = 4
/** Words of a name that are looked at. */
const MOST_WORDS = 8
/** Words that many organisations begin with. */
const COMMON = new Set(
  `north south east west central northern southern eastern western national international world global united first
  general public federal state white black supreme royal free social young foreign health education defense defence
  police fire navy army grand great high joint special office center centre group team city county saint press media
  news radio times post daily morning evening sunday home human civil labor labour green liberal independent local
  regional open university college bank department ministry council committee`.split(/\s+/u),
)

/** Long enough that one letter more, less or another is a slip of the finger. */
const LONG = 8

function withoutOneLetter(solid: string): readonly string[] {
  if (solid.length < LONG || /\p{N}/u.test(solid)) return []
  return [solid, ...Array.from(solid, (_, i) => solid.slice(0, i) + solid.slice(i + 1))]
}

/** Letters that a people shares with its country. */
const STEM = 4

/** "Germans" begin as "Germany" does; for those that do not there is a list. */
const countries = (people: string): readonly string[] => [
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
]

function fits(kind: Kind, asked: Named, one: Named): boolean {
  if (kind === 'typo') return isSlip(written(asked.name).solid, written(one.name).solid)
  if (kind === 'people') return isPlace(one) || one.type === '' || one.type === 'ORG'
  if (kind === 'short') return mayShorten(asked, one)
  return true
}

const isPlace = ({ type }: Named): boolean => type === 'GPE' || type === 'LOC'

/** "Washington" the city is not short for George; of other kinds a short form is of the same. */
function mayShorten(asked: Named, one: Named): boolean {
  if (asked.type === one.type || asked.type === '' || one.type === '') return true
  return one.type === 'PERSON' ? asked.type === 'ORG' : !isPlace(asked) && !isPlace(one) && asked.type !== 'PERSON'
}

/** At most one letter put in, left out or taken for another. */
function isSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  return short.length === long.length
    ? short.slice(at + 1) === long.slice(at + 1)
    : short.slice(at) === long.slice(at + 1)
}
