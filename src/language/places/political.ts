import { patternIn } from '../model-files.ts'
import { type PlaceKind, type Gazetteer, placeNamed } from './places.ts'

const GOVERNED_KINDS: ReadonlySet<PlaceKind> = new Set(['country', 'state', 'city'])

/** Last words of names of nature, streets and buildings; and of places that are governed. */
const NATURAL = patternIn('places/natural')
const GOVERNED =
  /\b(?:County|Province|District|State|City|Town|Township|Village|Prefecture|Governorate|Municipality|Republic|Kingdom|Emirates?|Territory|Parish|Borough|Oblast|Krai|Canton|Federation)$/u
const GOVERNED_PREFIX = /^(?:City|Town|Village|County|State|Republic|Kingdom|Province|Commonwealth|Principality) of\s/u
const NATURAL_PREFIX =
  /^(?:lake|mount|mt\.?|cape|gulf of|bay of|sea of|straits? of|isle of|port of|rio|river|north of|south of|east of|west of)\s/i
/** A part of a country or a city: "southern Mexico", "Lower Manhattan", "American South". */
const PART = patternIn('places/part')
/** Seats of power and heavenly bodies, which have neither word. */
const LANDMARKS: ReadonlySet<string> = new Set(
  'earth moon mars sun pentagon capitol kremlin watergate pantheon colosseum parthenon louvre vatican museums chequers broadway hollywood'.split(
    ' ',
  ),
)

/** Whether a place is governed (GPE) rather than land, water, a building or a part (LOC): by table, then by its words. */
export function isPolitical(places: Gazetteer, name: string): boolean {
  const plain = name.replace(/^the\s+/i, '').replace(/['’]s?$/u, '')
  const known = placeNamed(places, plain)
  if (known !== undefined) return GOVERNED_KINDS.has(known.kind)
  if (LANDMARKS.has(plain.toLowerCase()) || NATURAL_PREFIX.test(plain)) return false
  if (GOVERNED.test(plain) || GOVERNED_PREFIX.test(plain)) return true
  return !NATURAL.test(plain) && !PART.test(plain) && !/['’]s\s/u.test(plain)
}
