const WORD = /[\p{L}\p{N}]+(?:['’][a-z]+)?/gu

/** The distinct words of a title, in lower case and without genitive endings. */
export function wordsOf(title: string): ReadonlySet<string> {
  const words = [...title.toLowerCase().matchAll(WORD)].map(([word]) => word.split(/['’]/u)[0] ?? '')
  return new Set(words.filter(({ length }) => length >= 2))
}

/** Words in the titles of at least 30 of 6,676 stories (AllSides, 2016 to 2018), by log2 of the number of stories. */
const COMMON_WORDS: readonly (readonly [number, string])[] = [
  [11, 'the to trump'],
  [10, 'and for in is of on'],
  [9, 'as at clinton donald from gop house it opinion over says with'],
  [
    8,
    'about after against are be bill but by campaign can democrats election has he hillary his how media ' +
      'more new not obama out president republicans russia senate that up us we what white why will',
  ],
  [
    7,
    'administration all america american an anti back big calls congress could court deal debate ' +
      'democratic dems do don down fbi fight first government gun have health here if immigration into just ' +
      'korea make may mueller news no north now obamacare off one or party plan political probe report ' +
      'republican right say should speech state supreme tax than their they this vote war was who win won ' +
      'you',
  ],
  [
    6,
    '2016 2018 again ahead americans amid another attack attacks ban battle been before border california ' +
      'call care case change chief china claims climate cnn comey conservative conservatives control crisis ' +
      'cuts day despite did does doesn economy email end even explained facebook faces fact fake federal ' +
      'fire foreign former fox free general get gets go going good her high him history illegal immigrants ' +
      'investigation isn its jeff john judge justice kavanaugh key know last law lawmakers leaders left ' +
      'liberal like major makes mcconnell meeting michael military most national need never next nuclear ' +
      'officials other our paul pence people plans policy politics poll power presidency presidential press ' +
      'problem push putin questions race real really reform repeal rights rules russian ryan sanders second ' +
      'secretary security senators sessions set sexual she shooting show shows shutdown slams so some ' +
      'states still stop story support take takes talk team there things threat threatens time too top ' +
      'trade two under victory violence voters wall want wants washington watch way week when women work ' +
      'world would wrong year years your',
  ],
  [
    5,
    '000 10 20 2017 2020 act action agenda allegations amendment aren assault attorney away bad bannon ' +
      'because behind being bernie best better between bias bid bipartisan black blasts both budget ' +
      'business candidates charges check civil claim collusion committee convention critics cut daca days ' +
      'dead death decision defends defense dem democrat department didn director dnc doj during economic ' +
      'elections emails era ever ex executive face false far final five fix florida force funding future ' +
      'goes got great guns hard healthcare help historic hit hits interview iran issues job jobs keep kim ' +
      'latest laws lawyer leader leave legal let liberals life line list listen long look looks made man ' +
      'manafort many matter mccain me meet memo mexico midterm midterms might mike million money move much ' +
      'must nation needs nominee office official only open order orders own pay pick point police possible ' +
      'post pressure primary pro program protests public rally release reports rips robert run sanctions ' +
      'save scandal school secret see sen senator social south special spending strategy summit supporters ' +
      'syria talks tariffs taxes tells terror test texas them think times today tough travel twitter un use ' +
      'very voter votes voting vows warns where wins without yes yet york',
  ],
]

/** log2 of the number of stories that were counted. */
const LOG_STORIES = 12.7
/** log2 of the number of stories assumed for a word that is not common. */
const LOG_STORIES_IF_RARE = 3.9

const logStories = new Map(
  COMMON_WORDS.flatMap(([power, words]) => words.split(' ').map((word) => [word, power] as const)),
)

/** Weight of each title word, as a unit vector. The words are sorted, so that sums are reproducible. */
export type TitleWords = ReadonlyMap<string, number>

/** `counts`: for each word, the number of the story's titles that contain it; `articles`: the story's articles. */
export function titleWords(counts: ReadonlyMap<string, number>, articles: number): TitleWords {
  const weights = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([word, titles]) =>
        [word, Math.sqrt(titles / articles) * (LOG_STORIES - (logStories.get(word) ?? LOG_STORIES_IF_RARE))] as const,
    )
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0))
  return new Map(weights.map(([word, weight]) => [word, weight / length]))
}

export function countWords(titles: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const title of titles) for (const word of wordsOf(title)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Cosine similarity (symmetric); 0 if either story has no words. */
export function sharedWords(a: TitleWords, b: TitleWords): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a] // sorted in both maps, so the result does not depend on which is smaller
  let product = 0
  for (const [word, weight] of few) product += weight * (many.get(word) ?? 0)
  return product
}
