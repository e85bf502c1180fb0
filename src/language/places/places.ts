import type { EntityPlace } from '../../events/articles.ts'
import { remembered } from '../memoize.ts'

/** `water`: a sea, lake, river, strait or canal; `land`: mountains, a desert, an island, a peninsula. */
export type PlaceKind = 'country' | 'state' | 'city' | 'continent' | 'region' | 'water' | 'land'

export interface GazetteerPlace extends EntityPlace {
  readonly name: string
  readonly kind: PlaceKind
  /** `Q30`; null where the table has none: of cities never. */
  readonly wikidata: string | null
  /** Thousands; 0 where the table does not say, for it does so of cities that share a name only. */
  readonly people: number
}

/** The most prominent place by the key of every name that places go by. */
export interface Gazetteer extends ReadonlyMap<string, GazetteerPlace> {
  /** The less prominent ones of the same name, the larger first. */
  readonly namesakes: ReadonlyMap<string, readonly GazetteerPlace[]>
}

const KINDS: ReadonlySet<string> = new Set([
  'country',
  'state',
  'city',
  'continent',
  'region',
  'water',
  'land',
] satisfies PlaceKind[])
const isKind = (kind: string | undefined): kind is PlaceKind => kind !== undefined && KINDS.has(kind)

/**
 * Reads lines `name<TAB>kind<TAB>country<TAB>latitude<TAB>longitude<TAB>alias|alias<TAB>lies in<TAB>Wikidata id<TAB>people`; what is
 * empty at the end may be left out. Earlier lines win a shared name, and what a place lies in stands before it.
 */
export function parsePlaces(tsv: string): Gazetteer {
  const places = new Map<string, GazetteerPlace>()
  const namesakes = new Map<string, GazetteerPlace[]>()
  const within = surroundings()
  for (const line of tsv.split('\n')) {
    const fields = line.split('\t')
    const place = placeOf(fields, within)
    if (place === null) continue
    for (const key of keysOf(place.name, fields[5])) {
      if (!places.has(key)) places.set(key, place)
      else if (places.get(key) !== place) namesakes.set(key, [...(namesakes.get(key) ?? []), place])
    }
  }
  return Object.assign(places, { namesakes })
}

function placeOf(fields: readonly string[], within: Surroundings): GazetteerPlace | null {
  const kind = fields[1]
  if (!isKind(kind)) return null
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

interface Inside {
  readonly name: string
  readonly kind: PlaceKind
  readonly country: string
  readonly parent: string
}
type Surroundings = (place: Inside) => readonly string[]

/** What a place lies in, the nearest first; to be asked in the order of the table. One list for all of one parent. */
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

/** Letters and digits in lower case, anything between them one blank: "Washington, D.C." is "washington d c". */
export function placeKey(name: string): string {
  const lower = name.toLowerCase()
  if (PLAIN.test(lower) && !lower.includes('  ') && !lower.startsWith(' ')) return lower
  return lower.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
}

export const placeNamed = (places: Gazetteer, name: string): GazetteerPlace | undefined => places.get(placeKey(name))

/** Where the most prominent place of that name is; null: the table does not know it. */
export function placeFacts(places: Gazetteer, name: string): EntityPlace | null {
  const place = placeNamed(places, name)
  return place === undefined ? null : factsOf(place)
}

export const factsOf = ({ country, latitude, longitude, within }: GazetteerPlace): EntityPlace => ({
  country,
  latitude,
  longitude,
  within,
})
