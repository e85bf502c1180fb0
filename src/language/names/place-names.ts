import { once } from '../memoize.ts'
import { modelText, tableLines, wordPairs } from '../model-files.ts'
import { nameKey } from './name-key.ts'

/**
 * The names in the table of places, by `nameKey`; smaller than the gazetteer. `countries`: from ISO 3166-1 alpha-2 code
 * in lower case to the country's names without spaces. Read on first use.
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
 * The countries and states that a code in lower case may abbreviate, without spaces: ISO 3166-1 alpha-2 codes, common
 * alpha-3 and Olympic codes, and the US Postal Service's codes of states.
 */
export function namesOfCode(code: string): readonly string[] {
  const state = STATES.get(code)
  return [...(placeNames().countries.get(ALPHA_2.get(code) ?? code) ?? []), ...(state === undefined ? [] : [state])]
}

const ALPHA_2 = wordPairs('names/country-codes')
const STATES = wordPairs('names/states')
