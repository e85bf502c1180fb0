import { clarity, type ClarityModel, type SummaryPlace } from './clarity.ts'
import {
  beginsWithStranger,
  beginsWithUnknownThing,
  isEnglish,
  namesIn,
  namesStranger,
  insideQuotations,
  quotable,
  standsAlone,
} from './quotable.ts'
import { cosine, lexRank, type TermWeights } from './lexrank.ts'
import { hasRelativeDate, resolvedDates, type ResolvedDate } from './resolved-dates.ts'

export interface SummaryArticle {
  readonly article_id: string
  readonly title: string | null
  /** The first sentences of its text, in order. */
  readonly sentences: readonly string[]
  /** Milliseconds since 1970; `null` if unknown, and then relative dates such as "Tuesday" cannot be resolved. */
  readonly published: number | null
}

/** A sentence of an article, word for word. */
export interface Quotation {
  readonly sentence: string
  readonly article_id: string
  /** Index of the sentence in the article, from 0. */
  readonly sentence_index: number
  /** The days that its relative dates refer to: "Tuesday" is 2018-10-02. */
  readonly dates: ResolvedDate[]
}

/** Weights of the content words of a text: rare words count more. */
export type Weigh = (text: string) => TermWeights

export interface SummaryModel {
  readonly weigh: Weigh
  readonly clarity: ClarityModel
}

interface SummariseCandidate {
  readonly sentence: string
  readonly quoted: SummaryArticle
  readonly sentence_index: number
  /** Number of quotable sentences before it in its article. */
  readonly before: number
  readonly weights: TermWeights
  /** Weights of its first words. */
  readonly start: TermWeights
  /** 1, or less if the sentence names a day that cannot be resolved, or expects something that has happened since. */
  readonly current: number
  /** Weight of the sentence before the ranking compares it with others, above 0. */
  readonly fit: number
  /** Index of its article. */
  readonly article: number
  /** Whether the story's headline comes from its article. */
  readonly isOfHeadline: boolean
}

const MAX_SENTENCES = 3
/** Two sentences with a higher cosine say the same. */
const MAX_ALIKE = 0.4
/** Two sentences whose first words have a higher cosine say the same: the first words say who did what. */
const MAX_START_SIMILARITY = 0.5
const START_WORDS = 14
/** News puts the most important facts first: a sentence with this many quotable ones before it counts half. */
const HALF_AT = 2
/**
 * Maximum number of quotable sentences before the first sentence of a summary: only early ones say who, what, where and
 * when.
 */
const MAX_BEFORE_OPENING = 2
/** Number of best-ranked sentences that are compared by clarity, as when the weights of `clarity` were learned. */
const OPENING_CHOICE = 3
const FURTHER_CHOICE = 4
/** Minimum clarity of a further sentence: no sentence is better than an unclear one. */
const MIN_CLARITY = 0.55
/** Weight of the article that provides the story's headline. */
const OF_HEADLINE = 1.4
/** Weight of a sentence that shares no word with the headline, relative to one that repeats it. */
const BESIDE_HEADLINE = 0.15
/** Characters. A sentence may contain a shorter title by chance. */
const SHORT_TITLE = 20
/** Weight of a sentence with a day that cannot be resolved. */
const UNDATED = 0.4
/** Weight of an expectation that was published before the headline's article. */
const OUTDATED = 0.3
const FUTURE = /\b(?:will|would|could|may|might|set to|poised|expected|scheduled|plans? to|ahead of|about to)\b/iu
/** A sentence that stands alone less well than this is used only if there is no better one to begin with. */
const WELL_ALONE = 0.35

/**
 * At most three sentences that best represent what the articles (oldest first) have in common and what `headline` says;
 * one article yields at most two. The first sentence is an article's opening if possible; each further one can be
 * understood from those before it. Deterministic, and verbatim from the articles.
 */
export function summarise(articles: readonly SummaryArticle[], model: SummaryModel, headline = ''): Quotation[] {
  const { weigh } = model
  const about = weigh(headline)
  const since = publicationOf(headline, articles)
  const candidates = articles.flatMap((one, article) => candidatesOf({ one, article, headline, since }, weigh, about))
  if (candidates.length === 0) return []

  const ranks = lexRank(
    candidates.map(({ weights }) => weights),
    candidates.map(({ fit }) => fit),
  )
  const ranked = candidates
    .map((candidate, i) => ({ candidate, rank: (ranks[i] ?? 0) * candidate.fit }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ candidate }) => candidate)
  const [first, ...others] = chosenOf(ranked, { count: Math.min(MAX_SENTENCES, articles.length + 1), headline, model })
  return first === undefined ? [] : inReadingOrder(first, others, headline).map(asQuotation)
}

interface SummarisePlace {
  readonly one: SummaryArticle
  readonly article: number
  readonly headline: string
  /** When the headline's article was published; `null` if this is unknown or there is no such article. */
  readonly since: number | null
}

/** When the first article with this headline was published. */
const publicationOf = (headline: string, articles: readonly SummaryArticle[]): number | null =>
  articles.find((one) => isTitleOf(headline, one))?.published ?? null

const isTitleOf = (headline: string, { title }: SummaryArticle): boolean =>
  headline !== '' && title?.startsWith(headline) === true

function candidatesOf(
  { one, article, headline, since }: SummarisePlace,
  weigh: Weigh,
  about: TermWeights,
): SummariseCandidate[] {
  const isOfHeadline = isTitleOf(headline, one)
  const ofArticle = isOfHeadline ? OF_HEADLINE : 1
  const isBefore = one.published !== null && since !== null && one.published < since
  const quoted = insideQuotations(one.sentences)
  const suitable = one.sentences.flatMap((whole, sentence_index) => {
    const sentence = quoted.has(sentence_index) ? null : quotable(whole)
    const weights = sentence === null ? new Map<string, number>() : weigh(sentence)
    return sentence === null || weights.size === 0 || repeats(sentence, one.title)
      ? []
      : [{ sentence, sentence_index, weights, start: weigh(startOf(sentence)) }]
  })
  return suitable.map((candidate, before) => {
    const { sentence, weights } = candidate
    const relevance =
      about.size === 0 ? 1 : BESIDE_HEADLINE + (1 - BESIDE_HEADLINE) * Math.min(1, 2 * cosine(weights, about))
    const undated = one.published === null && hasRelativeDate(sentence) ? UNDATED : 1
    const outdated = isBefore && FUTURE.test(sentence) ? OUTDATED : 1
    const current = undated * outdated
    const fit = standsAlone(sentence) * (HALF_AT / (HALF_AT + before)) * relevance * current * ofArticle
    return { ...candidate, quoted: one, before, current, fit, article, isOfHeadline }
  })
}

const startOf = (sentence: string): string => sentence.split(' ').slice(0, START_WORDS).join(' ')

/** Whether the sentence contains the headline, as on pages without paragraphs. */
const repeats = (sentence: string, title: string | null): boolean =>
  title !== null && title.length > SHORT_TITLE && sentence.length > title.length + 1 && sentence.includes(title)

interface Choice {
  readonly count: number
  readonly headline: string
  readonly model: SummaryModel
}

/**
 * Chooses the clearest opening, then repeatedly the clearest sentence that adds to what was read. `ranked`: best first.
 */
function chosenOf(ranked: readonly SummariseCandidate[], choice: Choice): SummariseCandidate[] {
  const first = openingOf(ranked, choice)
  const chosen = first === undefined ? [] : [first]
  while (chosen.length > 0 && chosen.length < choice.count) {
    const next = furtherOf(ranked, chosen, choice)
    if (next === undefined) break
    chosen.push(next)
  }
  return chosen
}

/**
 * The clearest opening that stands alone; otherwise the best-ranked sentence that stands alone; otherwise the
 * best-ranked one.
 */
function openingOf(ranked: readonly SummariseCandidate[], choice: Choice): SummariseCandidate | undefined {
  const suitable = ranked.filter((candidate) => isClear(candidate, choice.headline))
  const leads = suitable.filter(({ before }) => before <= MAX_BEFORE_OPENING).slice(0, OPENING_CHOICE)
  return clearest(leads, clarityFor([], 'opening', choice))?.candidate ?? suitable[0] ?? ranked[0]
}

function furtherOf(
  ranked: readonly SummariseCandidate[],
  chosen: readonly SummariseCandidate[],
  choice: Choice,
): SummariseCandidate | undefined {
  const read = readOf(choice.headline, chosen)
  const suitable = ranked.filter(
    (next) => chosen.every((one) => one !== next && alike(one, next) <= MAX_ALIKE) && isClear(next, read),
  )
  const best = clearest(suitable.slice(0, FURTHER_CHOICE), clarityFor(chosen, 'further', choice))
  return best !== undefined && best.clear >= MIN_CLARITY ? best.candidate : undefined
}

/**
 * Returns a function for the clarity of a candidate, 0 to 1, for someone who has read the headline and these sentences.
 * The cues are English: other languages start from `MIN_CLARITY`.
 */
function clarityFor(chosen: readonly SummariseCandidate[], place: SummaryPlace, { headline, model }: Choice) {
  const headlineTerms = model.weigh(headline)
  const readTerms = new Map([headlineTerms, ...chosen.map(({ weights }) => weights)].flatMap((terms) => [...terms]))
  const read = readOf(headline, chosen)
  return ({ sentence, weights, before, quoted, isOfHeadline, current }: SummariseCandidate): number => {
    const isOfFirst = chosen[0]?.quoted.article_id === quoted.article_id
    const placed = { sentence, terms: weights, before, read, readTerms, headlineTerms, isOfHeadline, isOfFirst }
    return current * (isEnglish(sentence) ? clarity(placed, model.clarity[place]) : MIN_CLARITY)
  }
}

/** The clearest candidate, the better-ranked one on a tie. */
const clearest = (
  candidates: readonly SummariseCandidate[],
  clearOf: (candidate: SummariseCandidate) => number,
): { readonly candidate: SummariseCandidate; readonly clear: number } | undefined =>
  candidates.map((candidate) => ({ candidate, clear: clearOf(candidate) })).toSorted((a, b) => b.clear - a.clear)[0]

/** Similarity of two sentences, 0 to 1. Above `MAX_ALIKE` they say the same. */
const alike = (one: SummariseCandidate, other: SummariseCandidate): number =>
  Math.max(cosine(one.weights, other.weights), (MAX_ALIKE / MAX_START_SIMILARITY) * cosine(one.start, other.start))

/** The text that a reader has read: the headline and some sentences. */
const readOf = (headline: string, sentences: readonly SummariseCandidate[]): string =>
  [headline, ...sentences.map(({ sentence }) => sentence)].join(' ')

/** Whether a reader who has read only the headline and the sentences before understands this one. */
function isClear({ sentence }: SummariseCandidate, read: string): boolean {
  const known = namesIn(read)
  return (
    standsAlone(sentence) >= WELL_ALONE &&
    !beginsWithStranger(sentence, known) &&
    !namesStranger(sentence, known) &&
    !beginsWithUnknownThing(sentence, read)
  )
}

/**
 * Sorts by article and position if each sentence can then be understood from those before it; otherwise keeps the order
 * in which they were chosen.
 */
function inReadingOrder(
  first: SummariseCandidate,
  others: readonly SummariseCandidate[],
  headline: string,
): readonly SummariseCandidate[] {
  const inOrder = [first, ...others.toSorted((a, b) => a.article - b.article || a.sentence_index - b.sentence_index)]
  return inOrder.every((one, place) => place === 0 || isClear(one, readOf(headline, inOrder.slice(0, place))))
    ? inOrder
    : [first, ...others]
}

const asQuotation = ({
  sentence,
  sentence_index,
  quoted: { article_id, published },
}: SummariseCandidate): Quotation => ({
  ...{ sentence, article_id, sentence_index },
  dates: published === null ? [] : resolvedDates(sentence, published),
})
