import { once } from '../memoize.ts'
import { modelText, tableLines, wordPairs } from '../model-files.ts'
import { nameKey } from './name-key.ts'

/**
 * The committed table of places, its names alone: less than the gazetteer, and by other keys. `countries`: ISO 3166-1
 * alpha-2 code in lower case to the country's names without blanks. Read on first use.
 */
const placeNames = once(() => {
  const all = new Set<string>()
  const countries = new Map<string, readonly string[]>()
  for (const [name = '', kind, code = '', , , aliases = ''] of tableLines(modelText('places/places.tsv.gz'))) {
    const keys = [name, ...aliases.split('|')].filter(Boolean).map(nameKey)
    for (const key of keys) all.add(key)
    if (kind === 'country')
      countries.set(
        code.toLowerCase(),
        keys.map((key) => key.replaceAll(' ', '')),
      )
  }
  return { all, countries }
})

/** Whether a place has this name, as folded by `nameKey`. */
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
