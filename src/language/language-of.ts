import { once } from './memoize.ts'

/** Loaded on first use, since it takes 70 MB: most processes never recognise a language. */
const detector = once(async () => (await import('eld/small')).eld)

/** UTF-16 units. The detector reads at most 350 bytes; on news, 300 units give the same results as 1,000 in less time. */
const READ_CHARS = 300

/** A lower score means that the detector knows few parts of the words. Nearly all headlines score more than 0.45. */
const MIN_SCORE = 0.4

/** Decides close calls: English is the most frequent language, and its headlines are the fullest of foreign names. */
const ENGLISH_WEIGHT = 1.04
/** For a text without a letter or small word of another language. */
const PLAIN_WEIGHT = 1.2
/** For such a text with a small word of English. */
const SURE_WEIGHT = 1.5

/** Shorter texts are often names only: the detector must be sure of them. */
const MIN_WORDS = 3

/**
 * ISO 639-1 code of the language that an article is written in, or `und` if there is too little text to recognise it.
 * The title only counts if the body is short.
 */
export async function languageOf(body: string, title = ''): Promise<string> {
  const text = `${body.slice(0, READ_CHARS)}\n${title}`.slice(0, READ_CHARS).normalize('NFC')
  return languageOfScript(text) ?? likeliest(text, await detector())
}

/**
 * Scripts that decide the language, with their smallest share of the letters. Texts in Korean, Japanese and Chinese
 * contain Latin names; Japanese also has Han characters.
 */
const SCRIPTS: readonly (readonly [language: string, letter: RegExp, share: number])[] = [
  ['ko', /\p{Script=Hangul}/gu, 0.2],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 0.1],
  ['zh', /\p{Script=Han}/gu, 0.2],
  ['el', /\p{Script=Greek}/gu, 0.5],
  ['he', /\p{Script=Hebrew}/gu, 0.5],
  ['th', /\p{Script=Thai}/gu, 0.5],
]

function languageOfScript(text: string): string | undefined {
  const letters = Math.max(1, count(/\p{L}/gu, text))
  return SCRIPTS.find(([, letter, share]) => count(letter, text) >= share * letters)?.[0]
}

const CAPITALISED = /(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}\p{N}'’]*/gu
const WORD = /\p{L}[\p{L}\p{M}'’]*/gu

type Detector = Awaited<ReturnType<typeof detector>>

function likeliest(text: string, eld: Detector): string {
  const whole = eld.detect(text)
  if (count(WORD, text) < MIN_WORDS && !whole.isReliable()) return 'und'
  const best = bestOf(weighted(whole.getScores(), text, eld), text)
  return best === 'ms' && !MALAY.test(text) ? 'id' : best
}

function bestOf(scores: Scores, text: string): string {
  let [best, most] = ['und', MIN_SCORE]
  const english = englishWeight(text)
  for (const [language, score] of Object.entries(scores)) {
    const weight = language === 'en' ? english : 1
    if (score * weight > most && EXCLUDED[language]?.test(text) !== true) [best, most] = [language, score * weight]
  }
  return best
}

/**
 * Scores by language, in which words without a capital count more: names say little about the language, and headlines
 * are full of them.
 */
function weighted(scores: Scores, text: string, eld: Detector): Scores {
  const uncapitalised = text.replaceAll(CAPITALISED, ' ')
  if (count(WORD, uncapitalised) < 2) return scores
  const others = eld.detect(uncapitalised).getScores()
  const mean = (language: string): number => (2 * (scores[language] ?? 0) + (others[language] ?? 0)) / 3
  return Object.fromEntries(Object.keys({ ...scores, ...others }).map((language) => [language, mean(language)]))
}

type Scores = Readonly<Record<string, number>>

/**
 * Frequent small words of other languages, of which a sentence hardly ever has none. In English they occur in names only,
 * with a capital.
 */
const OTHER_WORDS = wordsIn(
  'aan al ang ao att au auf aux av avec az bei bir bu che cu da dan dans dari das de del della dem den dengan der des det di din dos du een ei ein eine einen el em en er est et ett foi gli har het hogy için ikke il ile im ini inte ist ja je la las le les lo los med met mga mit na nach nas ne nel nem ng nie niet nos och od og oli os ovat pada para pe por que qui sa se si sie som sono su sur tegen til till um uma un una und une untuk van var ve ved von voor vor yang za zijn',
  'u',
)
const OTHER_LETTERS = /[\u00c0-\u024f]/u

/** Some of these are words of another language too, in which few sentences have none of `OTHER_WORDS`. */
const ENGLISH_WORDS = wordsIn(
  'about after also an and any been but could did does first for from gets have his how if into its just more new now of off on our out said says she should than that the their them then there these they this through to two up were what when where which while who why with would you your',
)

function englishWeight(text: string): number {
  if (OTHER_LETTERS.test(text) || OTHER_WORDS.test(text)) return ENGLISH_WEIGHT
  return ENGLISH_WORDS.test(text) ? SURE_WEIGHT : PLAIN_WEIGHT
}

/** Letters or words that a language does not have, but one that is easily confused with it. */
const EXCLUDED: Readonly<Record<string, RegExp>> = {
  be: /[ґєиїщъ]/iu,
  bg: /[ґєёіїўыэ]/iu,
  uk: /[ёўъыэ]/iu,
  mr: wordsIn('और के को ने में से है हैं'), // Hindi
}

/** The detector takes Indonesian for Malay. These words are Malay only. */
const MALAY = wordsIn(
  'bahawa bilion dijangka doktor ekoran hendaklah hospital ialah inggeris isnin jepun jumaat justeru kerana khamis mahu mesyuarat ogos parlimen peratus polis ringgit sahaja sebarang syarikat timbalan universiti wang',
)

function wordsIn(list: string, flags = 'iu'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${list.replaceAll(' ', '|')})(?![\\p{L}\\p{M}])`, flags)
}

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0

/** Whether a text is read as English: it is, or its language was not recognised. */
export const isReadAsEnglish = (language: string): boolean => language === 'en' || language === 'und'

/** Shorter texts without a letter beyond A to Z are mostly names, and say too little about their language. */
const SURE_WORDS = 5

/** The language of a query or a post, as `languageOf`; a few words that may be English are. */
export const languageOfShortText = async (text: string): Promise<string> =>
  text.split(/\s+/u).length < SURE_WORDS && /^\p{ASCII}*$/u.test(text) ? 'en' : languageOf(text)
