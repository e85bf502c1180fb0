import { describe, expect, it } from 'vitest'
import { openQuickFiles } from '../recogniser/quick-tagger.ts'
import { factsOf, isDemonym, isPolitical, parsePlaces, placeNamed } from './places.ts'

const { places } = openQuickFiles().files

const placeFacts = (name: string) => {
  const place = placeNamed(places, name)
  return place === undefined ? null : factsOf(place)
}

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
  expect(placeFacts('Houston')).toEqual({
    country: 'US',
    latitude: 29.76,
    longitude: -95.36,
    within: ['Texas', 'United States', 'North America'],
  })
  expect(placeFacts('Mediterranean')).toMatchObject({ country: null, within: [] })
  expect(placeFacts('Lake Tahoe')).toMatchObject({ country: 'US', within: ['United States', 'North America'] })
  expect(placeFacts('Nile')?.within).toEqual(['Africa'])
  expect(placeFacts('West Africa')?.within).toEqual(['Africa'])
  expect(placeFacts('Narnia')).toBeNull()
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

/** Names of places found in news articles, the 90 most frequent and a sample of the others, labelled by hand. */
const GOVERNED =
  `U.S.|Russia|US|United States|America|Washington|North Korea|California|China|Iran|Florida|New York|Texas|Mexico|Syria|Moscow
Arizona|Pennsylvania|Ohio|Iraq|North Carolina|Turkey|Israel|Alabama|Virginia|New Jersey|Britain|Georgia|WASHINGTON|Utah|Germany|Iowa
Ukraine|Indiana|Paris|Michigan|Pyongyang|Wisconsin|UK|Nevada|South Carolina|Canada|London|Los Angeles|Orlando|Maine|South Korea
Maryland|Saudi Arabia|Charlottesville|Colorado|France|Puerto Rico|Cleveland|Washington, D.C.|New York City|Afghanistan|Brussels|Calif
Japan|Philadelphia|Sudan|Beijing|Mississippi|San Francisco|Manhattan|Parkland|West Virginia|Chicago|Dallas|Fla|Kansas|Montana
New Hampshire|Vermont|Alaska|Kentucky|Oregon|Pittsburgh|Connecticut|Minnesota|Libya|Tennessee|New Mexico|Berkeley|Venezuela|Austin
Phoenix|El Salvador|Islamabad|Nebraska|Wyoming|Raqqa|Turnberry|West Bank|Boulder|Md|Algeria|Cairo|Fort Pierce|Little Rock|New Orleans
Annapolis|Bangladesh|El Paso|Grand Rapids|Iceland|Kuwait|N.D|Passaic|Salt Lake City|Simi Valley|Vero Beach|Armenia|Beirut|Bladen
Braddock|CHARLESTON|Cayman Islands|Chile|City of Inglewood|Colombia|Cordova|Da Nang|Davenport|Ecuador|Erie County|Fort Worth|GA
Malaysia|Mecca|Memphis|Miami Dade|Monrovia|Morocco|N. Korea|Nice|Norway|Ottawa|PHILADELPHIA|Pyeongchang|Rochester|San Pedro Sula
Scottsdale|Serbia|Tysons Corner|US Virgin Islands|Upper St. Clair|Valparaiso|Warren|Westchester|White Sulphur Springs|Xinjiang`.split(
    /[|\n]/u,
  )
const LAND =
  `White House|Capitol Hill|Europe|Wall Street|Middle East|Oval Office|Capitol|Earth|Eastern Europe|Pentagon|South China Sea
Trump Plaza|Watergate|Broward Health North Hospital|Diplomatic Room|Midwest|North Africa|Pacific Ocean|Trump Turnberry|US embassy
Western Europe|southern Mexico|American South|Antioch church|Baltic Sea|Brooklyn Bridge|Capitol’s West Front|Chequers|Guatemala border
Islamic Center|Kansas City Chiefs Arrowhead Stadium|Lower Manhattan|North Portico|Old Post Office|Pacific coast|Pantheon|Pearl Harbor
Potomac River|Saharan Africa|San Francisco Bay Area|Syrian territory|Tribeca|U.S. Embassy|Wembley Stadium|southeastern Virginia
Obama White House|Nixon White House|Labrador`.split(/[|\n]/u)

it('tells governed places from land, water and buildings, 95 of 100 real names', () => {
  const wrong = [
    ...GOVERNED.filter((name) => !isPolitical(places, name)),
    ...LAND.filter((name) => isPolitical(places, name)),
  ]

  expect(wrong.length / (GOVERNED.length + LAND.length), wrong.join(', ')).toBeLessThan(0.05)
})
