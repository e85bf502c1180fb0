/**
 * Makes `brands.tsv`, the companies and authorities that name-suggestion-index links to Wikidata and that no other thing
 * is called like: `npm install --prefix DIR name-suggestion-index@8.0.20260918`, then `npx tsx models/names/brands.ts DIR`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { aliasKey, parseAliases } from '../../src/language/names/aliases.ts'
import { isFirstName } from '../../src/language/names/person-form.ts'
import { isDemonym, openPlaces, placeNamed } from '../../src/language/places/places.ts'
import { factsOf, KNOWN, openLexicon } from '../../src/language/recogniser/lexicon.ts'

const Item = z.object({
  displayName: z.string(),
  locationSet: z.object({ include: z.array(z.unknown()).optional() }).optional(),
  tags: z.record(z.string(), z.string()),
})
const Index = z.object({ nsi: z.record(z.string(), z.object({ items: z.array(Item).optional() })) })
const Labels = z.object({ wikidata: z.record(z.string(), z.object({ label: z.string().optional() })) })

/** Kinds that news writes about; benches and bus stops are left out. */
const KINDS =
  /^(?:brands\/(?:amenity\/(?:bank|fuel|fast_food|cafe|restaurant|pharmacy|cinema|money_transfer|car_rental|casino)|office\/(?!estate_agent|financial_advisor)\w+|shop\/(?:car|clothes|supermarket|convenience|department_store|electronics|mobile_phone|furniture|doityourself|shoes|sports|cosmetics|jewelry|toys|variety_store|books|computer|truck|motorcycle)|tourism\/(?:hotel|theme_park)|club\/\w+)|operators\/(?:amenity\/(?:police|university|post_office)|office\/government|power\/plant|landuse\/military))$/
/** A name of one word must be at home in this many countries, or everywhere. */
const LEAST_COUNTRIES = 3

const here = (path: string): URL => new URL(path, import.meta.url)
const folder = join(resolve(process.argv[2] ?? '.'), 'node_modules/name-suggestion-index/dist')
const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), 'utf8'))
const { nsi } = Index.parse(read('json/nsi.json'))
const labels = Labels.parse(read('wikidata/wikidata.json')).wikidata
const written = readFileSync(here('aliases.tsv'), 'utf8')
const ours = parseAliases(written)
const lexicon = openLexicon()
const places = openPlaces()

const sameLabel = new Map<string, number>()
for (const { label } of Object.values(labels)) {
  if (label !== undefined) sameLabel.set(aliasKey(label), (sameLabel.get(aliasKey(label)) ?? 0) + 1)
}

const FEATURES = KNOWN.firstName | KNOWN.lastName | KNOWN.demonym
const isOwn = (word: string): boolean => {
  const { lowered, known } = factsOf(lexicon, word)
  const isCommon = (lowered >= 1 && lowered <= 6) || (known & FEATURES) !== 0
  return (
    word.length > 3 &&
    !isCommon &&
    !isFirstName(aliasKey(word)) &&
    !isDemonym(word) &&
    placeNamed(places, word) === undefined
  )
}
/** Words that are also somebody or something else, found by reading the list. */
const AMBIGUOUS = new Set(
  'alpine husky locke mobil rhodes snipes barista bauhaus bosco camper colloseum columbia delta guess lancaster lincoln mango margaritas mephisto mini next orange oxford polo saturn smart sofitel stradivarius subway vans wimpy'.split(
    ' ',
  ),
)
const isInTheNews = (word: string): boolean => lexicon.has(word) && !AMBIGUOUS.has(word.toLowerCase())

/** What a name can go without. */
const TAIL = / (?:Company|Group|Limited|Holdings?|Hotels|Corporation|Stores)$/
const isLatin = (name: string): boolean => /^[\p{Script=Latin}\d][\p{Script=Latin}\d .&'’+-]+$/u.test(name)
const isKnown = (id: string): boolean => ours.lines.some(({ wikidata_id }) => wikidata_id === id)

/** One meaning only: several words of which one is no common word, or one word that is none and stands in many countries. */
function isDistinctive(name: string, countries: number): boolean {
  const words = name.split(' ')
  if (words.length === 1) return countries >= LEAST_COUNTRIES && isOwn(name) && isInTheNews(name)
  return placeNamed(places, name) === undefined && words.some(isOwn)
}

const found = new Map<string, { name: string; aliases: Set<string>; countries: number }>()
for (const [kind, { items = [] }] of Object.entries(nsi)) {
  if (!KINDS.test(kind)) continue
  for (const { displayName, locationSet, tags } of items) {
    const id = tags['brand:wikidata'] ?? tags['operator:wikidata']
    const label = id === undefined ? undefined : labels[id]?.label
    if (id === undefined || label === undefined || isKnown(id)) continue
    const include = locationSet?.include ?? []
    const entry = found.get(id) ?? { name: label, aliases: new Set<string>(), countries: 0 }
    entry.countries += include.includes('001') ? LEAST_COUNTRIES : include.length
    for (const alias of [displayName, tags['brand'] ?? tags['operator'] ?? ''])
      entry.aliases.add(alias.normalize('NFC').trim())
    found.set(id, entry)
  }
}

const claims = new Map<string, number>()
for (const { name, aliases } of found.values()) {
  for (const key of new Set([name, ...aliases].map(aliasKey))) claims.set(key, (claims.get(key) ?? 0) + 1)
}
const isFree = (name: string): boolean =>
  claims.get(aliasKey(name)) === 1 &&
  ours.named('ORG', name) === undefined &&
  ours.named('ORG', name.toUpperCase()) === undefined

const lines = [...found].flatMap(([id, { name, aliases, countries }]) => {
  if (!isLatin(name) || !isDistinctive(name, countries) || !isFree(name) || (sameLabel.get(aliasKey(name)) ?? 0) > 1)
    return []
  const shorter = [...aliases].filter(
    (alias) => alias === name.replace(TAIL, '') && alias !== name && isDistinctive(alias, countries) && isFree(alias),
  )
  return `ORG\t${name.normalize('NFC')}\t${id}\t${shorter.join('|')}`
})
lines.sort((a, b) => (a.split('\t', 2).join('\t') < b.split('\t', 2).join('\t') ? -1 : 1))
parseAliases([written, ...lines].join('\n'))
writeFileSync(here('brands.tsv'), lines.map((line) => `${line}\n`).join(''))
console.log(`${lines.length} names`)
