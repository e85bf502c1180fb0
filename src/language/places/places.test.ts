import { describe, expect, it } from 'vitest'
import { openRecogniser } from '../recogniser/open.ts'
import { isDemonym } from './demonyms.ts'
import { parsePlaces, placeNamed } from './places.ts'
import { isPolitical } from './political.ts'

const { places } = openRecogniser()

it('finds a place by any of its names, with country and coordinates', () => {
  expect(placeNamed(places, 'U.S.')).toMatchObject({ name: 'United States', kind: 'country', country: 'US' })
  expect(placeNamed(places, 'washington dc')).toMatchObject({ name: 'Washington', kind: 'city', latitude: 38.9 })
  expect(placeNamed(places, 'Narnia')).toBeUndefined()
})

it('lets the earlier line keep a shared name and leaves out lines it cannot read', () => {
  const table = parsePlaces('Georgia\tcountry\tGE\t41\t44\t\nGeorgia\tstate\tUS\t\t\t\nnonsense\nX\tplanet\tXX')

  expect([...table.values()]).toEqual([
    { name: 'Georgia', kind: 'country', country: 'GE', latitude: 41, longitude: 44 },
  ])
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
