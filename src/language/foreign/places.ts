import { once, remembered } from '../memoize.ts'
import { modelText, tableLines } from '../model-files.ts'
import { type Gazetteer, openPlaces, placeKey } from '../places/places.ts'
import { baseForms, isInflected, placesWithin, stemKey } from './inflection.ts'

/**
 * Reads lines `name in the gazetteer<TAB>country<TAB>name|name`: keys of the places of the gazetteer by their names in other
 * languages.
 */
export function parseForeignPlaces(tsv: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const [name = '', , names = ''] of tableLines(tsv)) {
    for (const other of names.split('|').map(placeKey)) if (!keys.has(other)) keys.set(other, placeKey(name))
  }
  return keys
}

const openForeignPlaces = once(() => parseForeignPlaces(modelText('places/foreign.tsv.gz')))

/** The gazetteer, which also finds places by their names in a language: "в Москве" is Moscow. */
export const placesIn = remembered((language): Gazetteer => {
  const places = openPlaces()
  const names = openForeignPlaces()
  const englishKey = remembered((key): string => keyIn(names, key, language) ?? key)
  return {
    get: (key) => places.get(englishKey(key)),
    namesakes: { get: (key) => places.namesakes.get(englishKey(key)) },
  }
})

function keyIn(names: ReadonlyMap<string, string>, key: string, language: string): string | undefined {
  const exact = placesWithin(key, language).find((each) => names.has(each))
  if (exact !== undefined || !isInflected(language) || openPlaces().has(key)) return names.get(exact ?? '')
  const form = baseForms(key, language).find((each) => names.has(each) || isPlaceForm(each))
  if (form !== undefined) return names.get(form) ?? form
  const stem = stemKey(key, language)
  return stem === null ? undefined : byStemsOf(language).get(stem)
}

/** Names of several words, all of which may be inflected. */
const byStemsOf = remembered((language): ReadonlyMap<string, string> => {
  const stems = new Map<string, string>()
  for (const [name, key] of openForeignPlaces()) {
    const stem = stemKey(name, language)
    if (stem !== null && !stems.has(stem)) stems.set(stem, key)
  }
  return stems
})

/** Whether a form is the name of a place in the gazetteer itself, and long enough to be no chance: "Berlinu". */
const isPlaceForm = (form: string): boolean => form.length >= SHORTEST_FORM && openPlaces().has(form)
const SHORTEST_FORM = 5
