import { describe, expect, it } from 'vitest'
import { nameIndex, type Named } from './name-index.ts'

const person = (name: string): Named => ({ name, type: 'PERSON' })
const organisation = (name: string): Named => ({ name, type: 'ORG' })
const country = (name: string): Named => ({ name, type: 'GPE' })
const place = (name: string): Named => ({ name, type: 'LOC' })

const indexOf = (...names: readonly Named[]) => {
  const index = nameIndex()
  for (const named of names) index.add(named)
  return index
}

describe('a name is found again', () => {
  it.each([
    ['by its surname', person('Angela Merkel'), person('Merkel')],
    ['by its first name', person('Angela Merkel'), person('Angela')],
    ['by the full name where only the surname is known', person('Merkel'), person('Angela Merkel')],
    ['with a title', person('Angela Merkel'), person('Chancellor Angela Merkel')],
    ['with a possessive', person('Angela Merkel'), person('Merkel’s')],
    ['with a letter mistaken', person('Angela Merkel'), person('Angela Merkal')],
    ['with a letter left out', country('Philippines'), country('Philipines')],
    ['without its accents', person('Emmanuel Désir'), person('Emmanuel Desir')],
    ['as a hashtag', place('Notre-Dame'), organisation('#NotreDame')],
    ['in a tag of several words', country('Ottawa'), country('OttawaShooting')],
    ['by its letters', organisation('Harbour Workers Association'), organisation('HWA')],
    ['by what its letters stand for', organisation('HWA'), organisation('Harbour Workers Association')],
    ['by the alias map', organisation('World Health Organization'), organisation('WHO')],
    ['by its beginning', organisation('Goldman Sachs Group'), organisation('Goldman Sachs')],
    ['in another script of signs', organisation('AT&T'), organisation('AT and T')],
    ['by its people', country('Germany'), country('Germans')],
    ['by a people that is called otherwise', country('Netherlands'), country('Dutch')],
  ])('%s', (_, known, asked) => {
    expect(indexOf(known).find(asked)).toEqual([known])
  })
})

describe('a name is another one', () => {
  it.each([
    ['of another person', person('Angela Merkel'), person('Alexander Stubb')],
    ['of the place a person is called after', person('George Washington'), country('Washington')],
    ['of the person called after a place', country('Washington'), person('George Washington')],
    ['of a club of the town', country('Paris'), organisation('Paris Saint-Germain')],
    ['of another half of a country', country('North Korea'), country('South Korea')],
    ['with a letter mistaken where it is short', country('Iran'), country('Iraq')],
    ['of another university', organisation('University of Texas'), organisation('University of Utah')],
    ['of another people', country('Iran'), country('Irish')],
    ['of two letters mistaken', country('Slovakia'), country('Slovenia')],
  ])('%s', (_, known, asked) => {
    expect(indexOf(known).find(asked)).toEqual([])
  })
})

it('finds all whom a short form may mean, and the one that is written so before them', () => {
  const index = indexOf(person('Hillary Clinton'), person('Bill Clinton'))

  expect(index.find(person('Clinton')).map(({ name }) => name)).toEqual(['Bill Clinton', 'Hillary Clinton'])
  expect(index.find(person('HILLARY CLINTON')).map(({ name }) => name)).toEqual(['Hillary Clinton'])
})
