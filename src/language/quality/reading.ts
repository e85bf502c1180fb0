import { sentences, type Span } from '../sentences.ts'
import { lexiconOf, type QualityLexicon } from './lexicon.ts'
import { type Scan, scan } from './scan.ts'

/** 0 up to `low`, 1 from `high` on, a straight line between. */
export const rise = (value: number, low: number, high: number): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)))

/** 1 up to `low`, 0 from `high` on. */
export const fall = (value: number, low: number, high: number): number => 1 - rise(value, low, high)

/** `part / whole`, 0 of nothing. */
export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** How often the commonest of them stands there. */
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

/** Sentences to either side that a sentence is judged with: one advertisement does not spoil a report, nor the reverse. */
const NEIGHBOURS = 3
/** Fewer words count as so many: one offer among a few words proves nothing. */
const FEWEST_WORDS_NEARBY = 15

const NOTHING = { words: 0, notices: 0 }

/**
 * How informative each sentence is about the world, 1 down to 0: less the more it and its neighbours sell or speak of the page
 * they stand on. Clean up to four such words or pairs in a hundred words, nothing at twelve. Only evidence against a
 * sentence counts: where none is known, as outside English, it is 1.
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
  /** How informative it is, at its first occurrence, 0 to 1: 0 for headings, lists, shouting; less in notices and offers. */
  readonly informativeness: number
}

const COUNTS = ['small', 'placeholders', 'breaks', 'broken', 'shouted', 'odd', 'visible', 'addresses'] as const

/** A text read once, for all four quality factors; words are in lower case. */
export function read(text: string, language: string, spans: readonly Span[] = sentences(text)) {
  const lexicon = lexiconOf(language)
  const scans = spans.map((span) => scan(text, span, lexicon))
  const isNew = newOnes(scans)
  const informativeness = informativenessOf(scans)
  const words: string[] = []
  const carrying: string[] = []
  for (const found of scans) {
    words.push(...found.words)
    carrying.push(...found.carrying)
  }
  const totals = totalsOf(scans, isNew)
  const sense = senseOf(totals, words.length)
  const read = spans.map(({ start, end }, i): ReadSentence => {
    const found = scans[i] ?? scan(text, { start, end }, lexicon)
    const sentence = text.slice(start, end)
    const informative = isNew[i] === true && isProse(sentence, found, lexicon) ? sense * (informativeness[i] ?? 1) : 0
    return { length: found.length, valence: found.valence, informativeness: informative }
  })
  return {
    ...{ text, language, words, totals },
    /** Words that carry meaning. */
    carrying,
    /** How often the commonest of them stands there. */
    commonest: mostOf(carrying),
    sentences: read,
    informative: read.filter(({ informativeness: score }) => score > 0),
    /** Words a paragraph, in order. */
    paragraphs: paragraphLengths(text, spans, scans),
  }
}

export type QualityReading = Readonly<ReturnType<typeof read>>

function newOnes(scans: readonly Scan[]): boolean[] {
  const seen = new Set<string>()
  return scans.map(({ words }) => {
    const sentence = words.join(' ')
    const isNew = !seen.has(sentence)
    seen.add(sentence)
    return isNew
  })
}

/** Of all sentences; `repeated`: sentences said before. */
function totalsOf(scans: readonly Scan[], isNew: readonly boolean[]) {
  const totals = { small: 0, placeholders: 0, breaks: 0, broken: 0, shouted: 0, odd: 0, visible: 0, addresses: 0 }
  for (const found of scans) for (const count of COUNTS) totals[count] += found[count]
  return { ...totals, repeated: isNew.filter((first) => !first).length }
}

/** Fewer words count as so many: one slip in a brief is not a word salad. */
const FEWEST_WORDS = 30

/**
 * 1 down to 0: printer's Latin (clean up to 5 words of a hundred, nothing at 15), words that meet as no grammar lets
 * them (half a one goes free; 0.8 to 2.5), words broken by digits or marks (two go free; 3 to 8).
 */
const senseOf = ({ placeholders, breaks, broken }: ReturnType<typeof totalsOf>, words: number): number =>
  fall(share(placeholders, words), 0.05, 0.15) *
  fall(share(Math.max(0, breaks - 0.5), Math.max(FEWEST_WORDS, words)), 0.008, 0.025) *
  fall(share(Math.max(0, broken - 2), words), 0.03, 0.08)

const CLOSED = /[.!?…。！？।۔؟｡:;][\p{Pe}\p{Pf}"'”’]*$/u
const SCRIPT_WITHOUT_STOPS = /[\u0e00-\u0eff\u1780-\u17ff]/u

/** A sentence's own looks: stopped, of a reader's length, mostly letters, held together, not shouted, no code, no address. */
const isProse = (text: string, found: Scan, lexicon: QualityLexicon): boolean =>
  isReadable(found) && isPlain(found) && !isShouted(found) && isWorded(found, lexicon) && isClosed(text)

const isReadable = ({ length, letters, visible }: Scan): boolean =>
  length >= 4 && length <= 90 && letters >= 0.78 * visible

const isPlain = ({ addresses, code, tags, broken }: Scan): boolean =>
  addresses === 0 && code <= 2 && tags <= 1 && broken <= 1

const isClosed = (text: string): boolean => CLOSED.test(text.slice(-8)) || SCRIPT_WITHOUT_STOPS.test(text)

const isShouted = ({ upper, lower }: Scan): boolean => upper > 0.4 * (upper + lower) && upper > 3

/** Held together by the small words of its language, where we know them. */
const isWorded = ({ small, words }: Scan, { hasSmallWords }: QualityLexicon): boolean =>
  !hasSmallWords || small >= Math.max(1, 0.08 * words.length)

function paragraphLengths(text: string, spans: readonly Span[], scans: readonly Scan[]): number[] {
  const lengths: number[] = []
  spans.forEach((span, i) => {
    if (i === 0 || text.slice(spans[i - 1]?.end, span.start).includes('\n')) lengths.push(0)
    lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + (scans[i]?.length ?? 0)
  })
  return lengths
}
