import { modelText, once, wordPairs } from '../model-files.ts'
import { nameKey } from './name-key.ts'

interface PlaceNames {
  /** Keys of every name of a place. */
  readonly all: ReadonlySet<string>
  /** ISO 3166-1 alpha-2 code in lower case to the country's names without blanks. */
  readonly countries: ReadonlyMap<string, readonly string[]>
}

/** The committed table of places, its names alone; read on first use. */
const placeNames = once(() => parseNames(modelText('places/places.tsv.gz')))

function parseNames(tsv: string): PlaceNames {
  const all = new Set<string>()
  const countries = new Map<string, readonly string[]>()
  for (const line of tsv.split('\n')) {
    const fields = line.split('\t')
    const keys = keysOf(fields)
    for (const key of keys) all.add(key)
    if (fields[1] === 'country') countries.set(fields[2]?.toLowerCase() ?? '', keys.map(solid))
  }
  return { all, countries }
}

const keysOf = ([name = '', , , , , aliases = '']: readonly string[]): readonly string[] =>
  [name, ...aliases.split('|')].filter((each) => each !== '').map(nameKey)

const solid = (key: string): string => key.replaceAll(' ', '')

/** Whether a place has this name, as `nameKey` folds it. */
export const isPlaceName = (key: string): boolean => placeNames().all.has(key)

/**
 * What a code in lower case is short for, without blanks: ISO 3166-1 alpha-2, alpha-3 and the Olympic Committee's where
 * they are often used, and the US Postal Service's of states.
 */
export function namesOfCode(code: string): readonly string[] {
  const state = STATES.get(code)
  return [...(placeNames().countries.get(LONGER.get(code) ?? code) ?? []), ...(state === undefined ? [] : [state])]
}

const LONGER = wordPairs('names/country-codes')

const STATES = wordPairs('names/states')
