import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openQuickFiles } from '../recogniser/quick-tagger.ts'
import { resolvePlaces } from './resolve.ts'

const { places } = openQuickFiles().files

const found = (...names: string[]): string[] =>
  resolvePlaces(places, names).map((place) => (place === null ? '?' : [place.name, ...place.within].join(' < ')))

it.each([
  [['Birmingham'], 'Birmingham < England < United Kingdom < Europe'],
  [['Birmingham', 'Alabama'], 'Birmingham < Alabama < United States < North America'],
  [['Birmingham', 'U.S.'], 'Birmingham < Alabama < United States < North America'],
  [['Birmingham', 'U.S.', 'Britain'], 'Birmingham < England < United Kingdom < Europe'],
  [['Cambridge', 'Mass.'], 'Cambridge < Massachusetts < United States < North America'],
  [['Cambridge, Mass.'], 'Cambridge < Massachusetts < United States < North America'],
  [['Springfield', 'Illinois'], 'Springfield < Illinois < United States < North America'],
  [['Paris', 'Texas'], 'Paris < Île-de-France < France < Europe'],
  [['Paris, Texas'], 'Paris < Texas < United States < North America'],
  [['London', 'Canada'], 'London < England < United Kingdom < Europe'],
  [['Georgia', 'Russia'], 'Georgia < Asia'],
  [['Georgia', 'Atlanta'], 'Georgia < United States < North America'],
  [['Lebanon', 'Pennsylvania'], 'Lebanon < Asia'],
  [['the Middle East'], 'Middle East < Asia'],
  [['Gaza'], 'Gaza Strip < Palestine < Asia'],
])('%s', (names, expected) => {
  expect(found(...names)[0]).toBe(expected)
})

it('knows no Narnia', () => {
  expect(found('Narnia', 'Narnia, Texas', ',')).toEqual(['?', '?', '?'])
})

it('answers each name, and does not mind their order', () => {
  const name = fc.constantFrom(
    'Birmingham',
    'Alabama',
    'U.S.',
    'UK',
    'Georgia',
    'Atlanta',
    'Paris',
    'Texas',
    'x',
    'Cambridge',
  )
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), (names) => {
      const forward = resolvePlaces(places, names)
      const back = resolvePlaces(places, [...names].reverse())

      expect(forward).toHaveLength(names.length)
      expect([...back].reverse()).toEqual(forward)
    }),
  )
})
