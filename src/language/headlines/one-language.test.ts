import { expect, it } from 'vitest'
import { inOneLanguage } from './one-language.ts'

const articles = (...languages: readonly string[]) => languages.map((language, id) => ({ language, id }))
const idsOf = (...languages: readonly string[]) => inOneLanguage(articles(...languages)).map(({ id }) => id)

it('keeps the articles in English, with those whose language is unknown', () => {
  expect(idsOf('de', 'en', 'de', 'und', 'fr')).toEqual([1, 3])
})

it('keeps those of the first preferred language that has any', () => {
  const some = articles('en', 'de', 'fr', 'de')

  expect(inOneLanguage(some, ['ar', 'de', 'en']).map(({ id }) => id)).toEqual([1, 3])
})

it('keeps those of the most frequent language where none is in English', () => {
  expect(idsOf('fr', 'de', 'ar', 'de')).toEqual([1, 3])
  expect(idsOf('fr', 'de')).toEqual([0])
  expect(idsOf()).toEqual([])
})
