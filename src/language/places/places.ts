import type { EntityPlace } from '../../events/articles.ts'
import { addTo } from '../grouped-by.ts'
import { once, remembered } from '../memoize.ts'
import { modelText, patternIn, wordList } from '../model-files.ts'

/** Demonyms in lower case, singular and plural: "French" is neither a place nor a person. */
export const DEMONYMS: ReadonlySet<string> = new Set(
  [...wordList('places/singular')].flatMap((word) => (/(?:s|sh|ese|ch)$/.test(word) ? [word] : [word, `${word}s`])),
)

/** Whether this entity type is a place. */
export const isOfPlace = ({ type }: { readonly type: string }): boolean => type === 'GPE' || type === 'LOC'

/** Whether a word is a demonym or a similar word for a faith, a party or a direction. */
export const isDemonym = (word: string): boolean => DEMONYMS.has(word.toLowerCase())

/** `water`: a sea, lake, river, strait or canal; `land`: mountains, a desert, an island, a peninsula. */
export const PLACE_KINDS = ['country', 'state', 'city', 'continent', 'region', 'water', 'land'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

export interface GazetteerPlace extends EntityPlace {
  readonly name: string
  readonly kind: PlaceKind
  /** `Q30`; `null` if the table has none, as for all cities. */
  readonly wikidata: string | null
  /** Population in thousands; 0 if unknown. The table has it only for cities that share a name. */
  readonly people: number
}

/** Finds places by their name keys. */
export interface Gazetteer extends Pick<ReadonlyMap<string, GazetteerPlace>, 'get'> {
  /** Less prominent places with the same name, the largest first. */
  readonly namesakes: Pick<ReadonlyMap<string, readonly GazetteerPlace[]>, 'get'>
}

/** A table of places: the most prominent one for each name key. */
export interface PlaceTable extends ReadonlyMap<string, GazetteerPlace> {
  readonly namesakes: ReadonlyMap<string, readonly GazetteerPlace[]>
}

/**
 * Reads lines `name<TAB>kind<TAB>country<TAB>latitude<TAB>longitude<TAB>alias|alias<TAB>lies in<TAB>Wikidata id<TAB>people`; empty
 * fields at the end may be omitted. A shared name belongs to its first line. A place comes after those that contain it.
 */
export function parsePlaces(tsv: string): PlaceTable {
  const places = new Map<string, GazetteerPlace>()
  const namesakes = new Map<string, GazetteerPlace[]>()
  const within = surroundings()
  for (const line of tsv.split('\n')) {
    const fields = line.split('\t')
    const place = placeOf(fields, within)
    if (place === null) continue
    for (const key of keysOf(place.name, fields[5])) {
      if (!places.has(key)) places.set(key, place)
      else if (places.get(key) !== place) addTo(namesakes, key, place)
    }
  }
  return Object.assign(places, { namesakes })
}

/** The table of places in the repository; read once, on first use. */
export const openPlaces = once(() => parsePlaces(modelText('places/places.tsv.gz')))

function placeOf(fields: readonly string[], within: Surroundings): GazetteerPlace | null {
  const kind = PLACE_KINDS.find((each) => each === fields[1])
  if (kind === undefined) return null
  const [name = '', country = ''] = [fields[0], fields[2]]
  return {
    name,
    kind,
    country: orNull(country),
    latitude: degrees(fields[3]),
    longitude: degrees(fields[4]),
    within: within({ name, kind, country, parent: fields[6] ?? '' }),
    wikidata: orNull(fields[7]),
    people: Number(fields[8] ?? 0),
  }
}

const orNull = (text = ''): string | null => (text === '' ? null : text)

const keysOf = (name: string, aliases = ''): readonly string[] =>
  aliases === '' ? [placeKey(name)] : [name, ...aliases.split('|')].map(placeKey).filter((key) => key !== '')

const degrees = (text = ''): number | null => (text === '' ? null : Number(text))

interface ContainedPlace {
  readonly name: string
  readonly kind: PlaceKind
  readonly country: string
  readonly parent: string
}
type Surroundings = (place: ContainedPlace) => readonly string[]

/**
 * The places that contain a place, the nearest first. Must be called in the order of the table. Places with the same
 * parent share one list.
 */
function surroundings(): Surroundings {
  const countries = new Map<string, readonly string[]>()
  const regions = new Map<string, readonly string[]>()
  const inside = remembered((key): readonly string[] => {
    const [country = '', parent = ''] = key.split('\t')
    const around = (country === '' ? regions.get(parent)?.slice(1) : countries.get(country)) ?? []
    return parent === '' || around.includes(parent) ? around : [parent, ...around]
  })
  return ({ name, kind, country, parent }) => {
    if (kind === 'country') {
      const continent = parent === '' ? [] : [parent]
      countries.set(country, [name, ...continent])
      return continent
    }
    const around = inside(`${country}\t${parent}`)
    if (kind === 'region') regions.set(name, [name, ...around])
    return around
  }
}

const PLAIN = /^[a-z ]*[a-z]$/

/** Letters and digits in lower case, separated by single spaces: "Washington, D.C." becomes "washington d c". */
export function placeKey(name: string): string {
  const lower = name.toLowerCase()
  if (PLAIN.test(lower) && !lower.includes('  ') && !lower.startsWith(' ')) return lower
  return lower.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
}

export const placeNamed = (places: Gazetteer, name: string): GazetteerPlace | undefined => places.get(placeKey(name))

export const factsOf = ({ country, latitude, longitude, within }: GazetteerPlace): EntityPlace => ({
  ...{ country, latitude, longitude, within },
})

const GOVERNED_KINDS: ReadonlySet<PlaceKind> = new Set(['country', 'state', 'city'])
/** Last words in names of natural features, streets and buildings; and in names of governed places. */
const NATURAL = patternIn('places/natural')
const GOVERNED =
  /\b(?:County|Province|District|State|City|Town|Township|Village|Prefecture|Governorate|Municipality|Republic|Kingdom|Emirates?|Territory|Parish|Borough|Oblast|Krai|Canton|Federation)$/u
const GOVERNED_PREFIX = /^(?:City|Town|Village|County|State|Republic|Kingdom|Province|Commonwealth|Principality) of\s/u
const NATURAL_PREFIX =
  /^(?:lake|mount|mt\.?|cape|gulf of|bay of|sea of|straits? of|isle of|port of|rio|river|north of|south of|east of|west of)\s/i
/** Parts of a country or a city: "southern Mexico", "Lower Manhattan", "American South". */
const PART = patternIn('places/part')
/** Seats of power, landmarks and celestial bodies, which the patterns do not match. */
const LANDMARKS: ReadonlySet<string> = new Set(
  'earth moon mars sun pentagon capitol kremlin watergate pantheon colosseum parthenon louvre vatican museums chequers broadway hollywood'.split(
    ' ',
  ),
)

/**
 * Whether a place is governed (GPE) rather than land, water, a building or a part (LOC): according to the table, or
 * else to the words of its name.
 */
export function isPolitical(places: Gazetteer, name: string): boolean {
  const plain = name.replace(/^the\s+/i, '').replace(/['’]s?$/u, '')
  const known = placeNamed(places, plain)
  if (known !== undefined) return GOVERNED_KINDS.has(known.kind)
  if (LANDMARKS.has(plain.toLowerCase()) || NATURAL_PREFIX.test(plain)) return false
  if (GOVERNED.test(plain) || GOVERNED_PREFIX.test(plain)) return true
  return !NATURAL.test(plain) && !PART.test(plain) && !/['’]s\s/u.test(plain)
}
