import type { Places } from './places.ts'
import { placeNamed } from './places.ts'

/** Ends of names of nature, streets and buildings, and of places that are governed. */
const NATURAL =
  /\b(?:river|lake|sea|ocean|gulf|bay|strait|straits|mountains?|mount|valley|desert|peninsula|islands?|coast|beach|canal|forest|park|avenue|street|road|boulevard|square|bridge|highway|airport|creek|falls|canyon|hills?|plaza|tower|palace|stadium|base|station|center|centre|house|hotel|hospital|prison|building|zone|border|corridor|delta|basin|plateau|reef)$/i
const GOVERNED =
  /\b(?:county|province|district|state|city|town|township|village|prefecture|governorate|municipality|republic|kingdom|emirate|territory|parish|borough)$/i
const PREFIX = /^(?:lake|mount|mt\.?|cape|gulf of|bay of|sea of|strait of|port of|river|north of|south of)\s/i

/** Whether a place is governed (GPE) rather than land, water or a building (LOC): by table, then by its last word. */
export function isPolitical(places: Places, name: string): boolean {
  if (placeNamed(places, name.replace(/^the\s+/i, '')) !== undefined) return true
  return GOVERNED.test(name) && !NATURAL.test(name) && !PREFIX.test(name)
}
