import { describe, expect, it } from 'vitest'
import { openQuickFiles } from '../recogniser/quick-tagger.ts'
import { isDemonym } from './demonyms.ts'
import { parsePlaces, placeFacts, placeNamed } from './places.ts'
import { isPolitical } from './political.ts'

const { places } = openQuickFiles().files

it('finds a place by any of its names, with country and coordinates', () => {
  expect(placeNamed(places, 'U.S.')).toMatchObject({ name: 'United States', kind: 'country', country: 'US' })
  expect(placeNamed(places, 'washington dc')).toMatchObject({ name: 'Washington', kind: 'city', latitude: 38.9 })
  expect(placeNamed(places, 'Narnia')).toBeUndefined()
})

it('lets the earlier line keep a shared name and leaves out lines it cannot read', () => {
  const table = parsePlaces('Georgia\tcountry\tGE\t41\t44\t\nGeorgia\tstate\tUS\t\t\t\nnonsense\nX\tplanet\tXX')

  expect([...table.values()].map(({ name, kind, country }) => [name, kind, country])).toEqual([
    ['Georgia', 'country', 'GE'],
  ])
  expect(table.namesakes.get('georgia')).toMatchObject([{ kind: 'state', country: 'US' }])
})

it('says what a place lies in, the nearest first', () => {
  expect(placeFacts(places, 'Houston')).toEqual({
    country: 'US',
    latitude: 29.76,
    longitude: -95.36,
    within: ['Texas', 'United States', 'North America'],
  })
  expect(placeFacts(places, 'Mediterranean')).toMatchObject({ country: null, within: [] })
  expect(placeFacts(places, 'Lake Tahoe')).toMatchObject({ country: 'US', within: ['United States', 'North America'] })
  expect(placeFacts(places, 'Nile')?.within).toEqual(['Africa'])
  expect(placeFacts(places, 'West Africa')?.within).toEqual(['Africa'])
  expect(placeFacts(places, 'Narnia')).toBeNull()
})

it('knows countries, states of the US and continents by their Wikidata ids', () => {
  expect(['Germany', 'Texas', 'Africa', 'Houston'].map((name) => placeNamed(places, name)?.wikidata)).toEqual([
    'Q183',
    'Q1439',
    'Q15',
    null,
  ])
})

it('has only places whose surroundings it knows, and degrees on the globe', () => {
  for (const { name, latitude, longitude, within, country } of places.values()) {
    expect(Math.abs(latitude ?? 0), name).toBeLessThanOrEqual(90)
    expect(Math.abs(longitude ?? 0), name).toBeLessThanOrEqual(180)
    expect(new Set(within).size, name).toBe(within.length)
    expect(country === null || /^[A-Z]{2}$/u.test(country), name).toBe(true)
  }
})

describe('governed or not', () => {
  it.each([
    ['France', true],
    ['the United States', true],
    ['Kent County', true],
    ['Mississippi River', false],
    ['Westchester County Airport', false],
    ['Wall Street', false],
    ['Middle East', false],
  ])('%s: %s', (name, political) => {
    expect(isPolitical(places, name)).toBe(political)
  })
})

it('knows peoples in singular and plural', () => {
  expect(['French', 'Germans', 'Muslim', 'Parisians'].every(isDemonym)).toBe(true)
  expect(['France', 'Germany', 'Paris'].some(isDemonym)).toBe(false)
})
