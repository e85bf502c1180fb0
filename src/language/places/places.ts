export type PlaceKind = 'country' | 'state' | 'city'

export interface Place {
  readonly name: string
  readonly kind: PlaceKind
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Degrees; null where the table has none. */
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Places by the key of every name they go by. */
export type Places = ReadonlyMap<string, Place>

const KINDS: readonly string[] = ['country', 'state', 'city'] satisfies PlaceKind[]
const isKind = (kind: string | undefined): kind is PlaceKind => kind !== undefined && KINDS.includes(kind)

/** Reads lines `name<TAB>kind<TAB>country<TAB>latitude<TAB>longitude<TAB>alias|alias`; earlier lines win. */
export function parsePlaces(tsv: string): Places {
  const places = new Map<string, Place>()
  for (const line of tsv.split('\n')) {
    const [name = '', kind, country = '', ...more] = line.split('\t')
    if (!isKind(kind)) continue
    const [latitude, longitude, aliases] = more
    const place = { name, kind, country, latitude: degrees(latitude), longitude: degrees(longitude) }
    for (const key of [name, ...(aliases?.split('|') ?? [])].map(placeKey)) setOnce(places, key, place)
  }
  return places
}

function setOnce(places: Map<string, Place>, key: string, place: Place): void {
  if (key !== '' && !places.has(key)) places.set(key, place)
}

const degrees = (text: string | undefined): number | null => (text === undefined || text === '' ? null : Number(text))

/** Letters and digits in lower case, anything between them one blank: "Washington, D.C." is "washington d c". */
export const placeKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

export const placeNamed = (places: Places, name: string): Place | undefined => places.get(placeKey(name))
