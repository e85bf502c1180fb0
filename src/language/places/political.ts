import type { PlaceKind, Gazetteer } from './places.ts'
import { placeNamed } from './places.ts'

const GOVERNED_KINDS: ReadonlySet<PlaceKind> = new Set(['country', 'state', 'city'])

/** Last words of names of nature, streets and buildings; and of places that are governed. */
const NATURAL =
  /\b(?:rivers?|lakes?|sea|ocean|gulf|bay|straits?|mountains?|mount|valley|desert|peninsula|islands?|isles?|coast|shore|beach|canal|forest|woods|park|gardens?|avenue|street|road|boulevard|lane|drive|square|circle|bridge|tunnel|highway|freeway|turnpike|interstate|airport|creek|falls|canyon|hills?|heights|plaza|towers?|palace|castle|stadium|arena|field|theat(?:er|re)|museum|memorial|monument|library|base|station|center|centre|house|hotel|resort|club|hospital|clinic|prison|jail|building|hall|office|room|church|cathedral|mosque|temple|synagogue|school|university|campus|college|embassy|consulate|capitol|front|portico|wing|lawn|zone|border|territory|corridor|region|area|delta|basin|plateau|reef|cape|point|ridge|range|trail|farm|ranch|cemetery|headquarters|mall|market|harbou?r|port|pass|crossing|checkpoint|facility|complex|compound)$/i
const GOVERNED =
  /\b(?:County|Province|District|State|City|Town|Township|Village|Prefecture|Governorate|Municipality|Republic|Kingdom|Emirates?|Territory|Parish|Borough|Oblast|Krai|Canton|Federation)$/u
const GOVERNED_PREFIX = /^(?:City|Town|Village|County|State|Republic|Kingdom|Province|Commonwealth|Principality) of\s/u
const NATURAL_PREFIX =
  /^(?:lake|mount|mt\.?|cape|gulf of|bay of|sea of|straits? of|isle of|port of|rio|river|north of|south of|east of|west of)\s/i
/** A part of a country or a city: "southern Mexico", "Lower Manhattan", "American South". */
const PART =
  /^(?:(?:north|south|east|west|central|upper|lower|mid|inner|outer|downtown|uptown|sub-saharan|saharan|continental|mainland|rural)(?:-?(?:east|west))?(?:ern)?)\s|\s(?:north|south|east|west|northeast|northwest|southeast|southwest|midwest)$/i
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
