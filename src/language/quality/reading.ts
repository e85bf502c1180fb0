import { sentences, type Span } from '../sentences.ts'
import { lexiconOf, type QualityLexicon } from './lexicon.ts'
import { type Scan, scan } from './scan.ts'

/** 0 up to `low`, 1 from `high` on, linear in between. */
export const rise = (value: number, low: number, high: number): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)))

/** 1 up to `low`, 0 from `high` on. */
export const fall = (value: number, low: number, high: number): number => 1 - rise(value, low, high)

/** `part / whole`; 0 if `whole` is 0. */
export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** Number of occurrences of the most frequent word. */
function mostOf(words: readonly string[]): number {
  const counts = new Map<string, number>()
  let most = 0
  for (const word of words) {
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    if (count > most) most = count
  }
  return most
}

/**
 * Number of sentences on either side that a sentence is judged together with, so that one advertisement does not lower
 * the score of a report, or vice versa.
 */
const NEIGHBOURS = 3
/** Minimum divisor: one offer among a few words proves nothing. */
const FEWEST_WORDS_NEARBY = 15

const NOTHING = { words: 0, notices: 0 }

/**
 * How informative each sentence is, 1 down to 0. It is lower the more the sentence and its neighbours advertise or
 * refer to their own page: 1 up to three such words or pairs per hundred words, 0 from nine. Only evidence against a
 * sentence counts; without any, as in languages other than English, the value is 1.
 */
function informativenessOf(scans: readonly Scan[]): number[] {
  const sums = [NOTHING]
  for (const { words, notices } of scans) {
    const before = sums.at(-1) ?? NOTHING
    sums.push({ words: before.words + words.length, notices: before.notices + notices })
  }
  return scans.map((_, i) => {
    const to = sums[Math.min(scans.length, i + NEIGHBOURS + 1)] ?? NOTHING
    const from = sums[Math.max(0, i - NEIGHBOURS)] ?? NOTHING
    return fall(share(to.notices - from.notices, Math.max(FEWEST_WORDS_NEARBY, to.words - from.words)), 0.03, 0.09)
  })
}

export interface ReadSentence extends Readonly<Pick<Scan, 'length' | 'valence'>> {
  /**
   * How informative the sentence is, 0 to 1: 0 for repetitions, headings, lists and capitals; lower in notices and
   * offers.
   */
  readonly informativeness: number
}

const COUNTS = ['functionWords', 'placeholders', 'breaks', 'broken', 'shouted', 'odd', 'visible', 'addresses'] as const

/** Reads a text once for all four quality factors. Words are in lower case. */
export function read(text: string, language: string, spans: readonly Span[] = sentences(text)) {
  const lexicon = lexiconOf(language)
  const scans = spans.map((span) => scan(text, span, lexicon))
  const isNew = firstOccurrences(scans)
  const informativeness = informativenessOf(scans)
  const words: string[] = []
  const contentWords: string[] = []
  for (const found of scans) {
    words.push(...found.words)
    contentWords.push(...found.contentWords)
  }
  const totals = totalsOf(scans, isNew)
  const factor = plausibilityOf(totals, words.length)
  const scored = spans.map(({ start, end }, i): ReadSentence => {
    const found = scans[i] ?? scan(text, { start, end }, lexicon)
    const sentence = text.slice(start, end)
    const informative = isNew[i] === true && isProse(sentence, found, lexicon) ? factor * (informativeness[i] ?? 1) : 0
    return { length: found.length, valence: found.valence, informativeness: informative }
  })
  return {
    ...{ text, language, words, totals },
    /** Content words. */
    contentWords,
    /** Number of occurrences of the most frequent content word. */
    commonest: mostOf(contentWords),
    sentences: scored,
    informative: scored.filter(({ informativeness: score }) => score > 0),
    /** Number of words in each paragraph. */
    paragraphs: paragraphLengths(text, spans, scans),
  }
}

export type QualityReading = Readonly<ReturnType<typeof read>>

function firstOccurrences(scans: readonly Scan[]): boolean[] {
  const seen = new Set<string>()
  return scans.map(({ words }) => {
    const sentence = words.join(' ')
    const isNew = !seen.has(sentence)
    seen.add(sentence)
    return isNew
  })
}

/** Totals over all sentences; `repeated`: number of sentences that occurred before. */
function totalsOf(scans: readonly Scan[], isNew: readonly boolean[]) {
  const sums = { functionWords: 0, placeholders: 0, breaks: 0, broken: 0, shouted: 0, odd: 0, visible: 0, addresses: 0 }
  for (const found of scans) for (const count of COUNTS) sums[count] += found[count]
  return { ...sums, repeated: isNew.filter((first) => !first).length }
}

/** Minimum divisor: one slip in a short text does not make it nonsense. */
const FEWEST_WORDS = 30

/**
 * 1 down to 0, the product of three scores: placeholder Latin (clean up to 5 % of words, 0 from 15 %), ungrammatical
 * word pairs (half a pair is free; 0.8 to 2.5 %), and words broken by digits or marks (two are free; 3 to 8 %).
 */
const plausibilityOf = ({ placeholders, breaks, broken }: ReturnType<typeof totalsOf>, words: number): number =>
  fall(share(placeholders, words), 0.05, 0.15) *
  fall(share(Math.max(0, breaks - 0.5), Math.max(FEWEST_WORDS, words)), 0.008, 0.025) *
  fall(share(Math.max(0, broken - 2), words), 0.03, 0.08)

const CLOSED = /[.!?…。！？।۔؟｡:;][\p{Pe}\p{Pf}"'”’]*$/u
const SCRIPT_WITHOUT_STOPS = /[\u0e00-\u0eff\u1780-\u17ff]/u

/**
 * Whether a sentence looks like prose: it ends with a stop, has a readable length, is mostly letters, and has function
 * words; no capitals throughout, code or URLs.
 */
const isProse = (text: string, found: Scan, lexicon: QualityLexicon): boolean =>
  isReadable(found) && isPlain(found) && !isShouted(found) && hasFunctionWords(found, lexicon) && isClosed(text)

const isReadable = ({ length, letters, visible }: Scan): boolean =>
  length >= 4 && length <= 90 && letters >= 0.78 * visible

const isPlain = ({ addresses, code, tags, broken }: Scan): boolean =>
  addresses === 0 && code <= 2 && tags <= 1 && broken <= 1

const isClosed = (text: string): boolean => CLOSED.test(text.slice(-8)) || SCRIPT_WITHOUT_STOPS.test(text)

const isShouted = ({ upper, lower }: Scan): boolean => upper > 0.4 * (upper + lower) && upper > 3

/** Whether there are enough function words of the language, if these are known. */
const hasFunctionWords = ({ functionWords, words }: Scan, { knowsFunctionWords }: QualityLexicon): boolean =>
  !knowsFunctionWords || functionWords >= Math.max(1, 0.08 * words.length)

function paragraphLengths(text: string, spans: readonly Span[], scans: readonly Scan[]): number[] {
  const lengths: number[] = []
  spans.forEach((span, i) => {
    if (i === 0 || text.slice(spans[i - 1]?.end, span.start).includes('\n')) lengths.push(0)
    lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + (scans[i]?.length ?? 0)
  })
  return lengths
}
