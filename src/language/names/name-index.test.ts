import { describe, expect, it } from 'vitest'
import { nameIndex } from './name-index.ts'
import type { TypedName } from './written-form.ts'

const person = (name: string): TypedName => ({ name, type: 'PERSON' })
const organisation = (name: string): TypedName => ({ name, type: 'ORG' })
const country = (name: string): TypedName => ({ name, type: 'GPE' })
const place = (name: string): TypedName => ({ name, type: 'LOC' })

const indexOf = (...names: readonly TypedName[]) => {
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
    ['by a people as its friends call it', country('New Zealand'), country('Kiwis')],
    ['by a nickname before the surname', person('Robert Hayes'), person('Bob Hayes')],
    ['by a nickname alone', person('Robert Hayes'), person('Bobby')],
    ['by an initial', person('Gloria Hayes'), person('G Hayes')],
    ['by initials', person('Gloria Hayes'), person('GH')],
    ['with letters of the first name swapped', person('Daniel Hayes'), person('Dainel Hayes')],
    ['with a vowel of the first name changed', person('Katharine Hayes'), person('Katherine Hayes')],
    ['by a first name that is heard alike', person('Phillip Hayes'), person('Philip')],
    ['with vowels changed in a name of one word', person('Mahmoud'), person('Mehmoud')],
    ['with a letter doubled', organisation('Barclays'), organisation('Barcclays')],
    ['with two letters mistaken in a long word', organisation('Kensington Gardens'), organisation('Kensigtom Gardens')],
    ['with two letters swapped where it is short', country('Libya'), country('Lybia')],
    ['with a vowel of a short surname changed', person('Walter Cole'), person('Walter Cale')],
    ['without the apostrophe', person('Gloria Hayes'), person('Glorias')],
    ['with the police behind it', country('Baltimore'), organisation('Baltimore PD')],
    ['with the police department behind it', country('Baltimore'), organisation('Baltimore Police Department')],
    ['with what happened there', country('Orlando'), person('OrlandoShooting')],
    ['with what happened there in a tag without capitals', country('Orlando'), country('orlandoshooting')],
    ['with two such words in a tag', country('Jakarta'), country('jakartacafesiege')],
    ['with what befell it', country('Nepal'), organisation('NepalEarthquake')],
    ['in a tag that prays for it', country('Nepal'), organisation('PrayForNepal')],
    ['with a year in a tag', person('Gloria Hayes'), person('Gloria2024')],
    ['in a tag that ran into another', person('Robert Hayes'), person('Bob #Tulsa')],
    ['as a part of it', country('Norway'), place('Southern Norway')],
    ['by its people and their police', country('Italy'), organisation('Italian Police')],
    ['by its code', country('New Zealand'), country('NZL')],
    ['by its code of two letters', country('Denmark'), country('DK')],
    ['by the code of a state', country('Colorado'), country('CO')],
    ['without the kind of place', place('Westgate Mall'), place('Westgate')],
    ['without a word within it', organisation('Blue Harbour Cafe'), organisation('Blue Cafe')],
    ['with where it is', place('Westgate Mall'), place('Westgate Mall Nairobi')],
  ])('%s', (_, known, name) => {
    expect(indexOf(known, country('Nairobi')).find(name)).toEqual([known])
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
    ['of a namesake', person('Robert Hayes'), person('Jane Hayes')],
    ['of a namesake with a like first name', person('Jake Hayes'), person('Jane Hayes')],
    ['of the other sex', person('Mario Hayes'), person('Maria Hayes')],
    ['of another initial', person('Robert Hayes'), person('D Hayes')],
    ['of a child', person('Robert Hayes'), person('Robert Hayes Jr.')],
    ['of a city that shares a word', country('York'), country('New York')],
    ['of a country that shares a word', country('Sudan'), country('South Sudan')],
    ['of a state that shares a word', country('Australia'), country('Western Australia')],
    ['of a city that is called after its state', country('Kansas'), country('Kansas City')],
    ['of a company that shares a word', organisation('Apple'), organisation('Apple Records')],
    ['of a club that shares a word', country('Manchester'), organisation('Manchester United')],
    ['of a university in the town', country('Nairobi'), organisation('University of Nairobi')],
    ['of a ministry', organisation('Justice'), organisation('Department of Justice')],
    ['of the town that a street is called after', place('London Bridge'), country('London')],
    ['of an airline of another country', organisation('Iran Air'), organisation('Iraq Air')],
    ['of a slogan', person('Charlie Hebdo'), person('JeSuisCharlie')],
    ['of a country with a like sound', country('Austria'), country('Australia')],
    ['of one in two of its words', organisation('Bank of Slovakia'), organisation('Bank of Slovenia')],
    ['of a small word that is a code', country('Italy'), country('it')],
    ['of a person called Case', country('Jack'), person('Jack Case')],
  ])('%s', (_, known, name) => {
    expect(indexOf(known).find(name)).toEqual([])
  })
})

it('finds all whom a short form may mean, and the one that is written so before them', () => {
  const index = indexOf(person('Hillary Clinton'), person('Bill Clinton'))

  expect(index.find(person('Clinton')).map(({ name }) => name)).toEqual(['Bill Clinton', 'Hillary Clinton'])
  expect(index.find(person('HILLARY CLINTON')).map(({ name }) => name)).toEqual(['Hillary Clinton'])
})
