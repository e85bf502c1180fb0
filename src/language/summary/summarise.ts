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

export interface Quoted {
  readonly article_id: string
  readonly title: string | null
  /** The first sentences of its text, in order. */
  readonly sentences: readonly string[]
  /** Milliseconds since 1970; null: not known, and neither is which Tuesday a sentence means. */
  readonly published: number | null
}

/** A sentence of an article, word for word. */
export interface Quotation {
  readonly sentence: string
  readonly article_id: string
  /** Place of the sentence in the article, from 0. */
  readonly sentence_index: number
  /** Which days its relative dates are: "Tuesday" is 2018-10-02. */
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
  readonly quoted: Quoted
  readonly sentence_index: number
  /** How many sentences of its article that can be quoted stand before it. */
  readonly before: number
  readonly weights: TermWeights
  /** Of its first words. */
  readonly start: TermWeights
  /** 1, less where it names a day that nobody knows or expects what has happened since. */
  readonly current: number
  /** How fit it is before its neighbours are asked, above 0. */
  readonly fit: number
  /** Place of its article among all. */
  readonly article: number
  /** Whether its article gives the story its headline. */
  readonly isOfHeadline: boolean
}

const MOST = 3
/** Two sentences more alike than this (cosine) say the same; below it, the more alike the less a second one adds. */
const SAME = 0.4
/** Nor do two whose first words, where a sentence says who did what, are more alike than this. */
const SAME_START = 0.5
const START_WORDS = 14
/** A news text says first what matters: a sentence this far down counts half. */
const HALF_AT = 2
/** Only sentences with so few before them that can be quoted say who, what, where and when: the first of a summary is one. */
const LEAD = 2
/** So many of the best ranked are compared by how clear they are: as the weights of `clarity` were learned. */
const OPENING_CHOICE = 3
const FURTHER_CHOICE = 4
/** A further sentence is at least this likely to be clear: nothing is better than something that must be guessed. */
const CLEAR = 0.55
/** How much the article counts that gives the story its headline. */
const OF_HEADLINE = 1.4
/** How much a sentence counts that has no word of the headline, against one that is the headline. */
const BESIDE_HEADLINE = 0.15
/** Characters: a title of fewer may well stand in a sentence. */
const SHORT_TITLE = 20
/** Of a day that nobody can know. */
const UNDATED = 0.4
/** Of what was still to come before the day of the headline. */
const OUTDATED = 0.3
const TO_COME = /\b(?:will|would|could|may|might|set to|poised|expected|scheduled|plans? to|ahead of|about to)\b/iu
/** What stands alone worse than this is not added to a summary that has a sentence. */
const WELL_ALONE = 0.35

/**
 * At most three sentences that say best what articles, oldest first, have in common and `headline` says; one article alone
 * gives two. First the beginning of an article that says most; each further sentence is understood by what stands before it.
 * The same for the same input; nothing but what the articles say.
 */
export function summarise(articles: readonly Quoted[], model: SummaryModel, headline = ''): Quotation[] {
  const { weigh } = model
  const about = weigh(headline)
  const since = publishedAs(headline, articles)
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
  const [first, ...others] = chosenOf(ranked, { count: Math.min(MOST, articles.length + 1), headline, model })
  return first === undefined ? [] : inReadingOrder(first, others, headline).map(asQuotation)
}

interface SummarisePlace {
  readonly one: Quoted
  readonly article: number
  readonly headline: string
  /** When the article of the headline was published; null: not known, or there is none. */
  readonly since: number | null
}

/** When the first article of this headline was published. */
const publishedAs = (headline: string, articles: readonly Quoted[]): number | null =>
  articles.find((one) => isOf(headline, one))?.published ?? null

const isOf = (headline: string, { title }: Quoted): boolean => headline !== '' && title?.startsWith(headline) === true

function candidatesOf(
  { one, article, headline, since }: SummarisePlace,
  weigh: Weigh,
  about: TermWeights,
): SummariseCandidate[] {
  const isOfHeadline = isOf(headline, one)
  const ofArticle = isOfHeadline ? OF_HEADLINE : 1
  const isBefore = one.published !== null && since !== null && one.published < since
  const quoted = insideQuotations(one.sentences)
  const able = one.sentences.flatMap((whole, sentence_index) => {
    const sentence = quoted.has(sentence_index) ? null : quotable(whole)
    const weights = sentence === null ? new Map<string, number>() : weigh(sentence)
    return sentence === null || weights.size === 0 || repeats(sentence, one.title)
      ? []
      : [{ sentence, sentence_index, weights, start: weigh(startOf(sentence)) }]
  })
  return able.map((candidate, before) => {
    const { sentence, weights } = candidate
    const near =
      about.size === 0 ? 1 : BESIDE_HEADLINE + (1 - BESIDE_HEADLINE) * Math.min(1, 2 * cosine(weights, about))
    const undated = one.published === null && hasRelativeDate(sentence) ? UNDATED : 1
    const outdated = isBefore && TO_COME.test(sentence) ? OUTDATED : 1
    const current = undated * outdated
    const fit = standsAlone(sentence) * (HALF_AT / (HALF_AT + before)) * near * current * ofArticle
    return { ...candidate, quoted: one, before, current, fit, article, isOfHeadline }
  })
}

const startOf = (sentence: string): string => sentence.split(' ').slice(0, START_WORDS).join(' ')

/** The headline ran into the sentence, as pages without paragraphs have it. */
const repeats = (sentence: string, title: string | null): boolean =>
  title !== null && title.length > SHORT_TITLE && sentence.length > title.length + 1 && sentence.includes(title)

interface Choice {
  readonly count: number
  readonly headline: string
  readonly model: SummaryModel
}

/** The clearest beginning of an article, then the clearest sentence that adds to what was read, again and again. `ranked`: best first. */
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

/** Of no beginnings that stand alone the best ranked sentence that does, of none of those the best of all. */
function openingOf(ranked: readonly SummariseCandidate[], choice: Choice): SummariseCandidate | undefined {
  const able = ranked.filter((candidate) => stands(candidate, choice.headline))
  const leads = able.filter(({ before }) => before <= LEAD).slice(0, OPENING_CHOICE)
  return clearest(leads, reader([], 'opening', choice))?.candidate ?? able[0] ?? ranked[0]
}

function furtherOf(
  ranked: readonly SummariseCandidate[],
  chosen: readonly SummariseCandidate[],
  choice: Choice,
): SummariseCandidate | undefined {
  const read = readOf(choice.headline, chosen)
  const able = ranked.filter(
    (candidate) => chosen.every((one) => one !== candidate && alike(one, candidate) <= SAME) && stands(candidate, read),
  )
  const best = clearest(able.slice(0, FURTHER_CHOICE), reader(chosen, 'further', choice))
  return best !== undefined && best.clear >= CLEAR ? best.candidate : undefined
}

/**
 * How clear a candidate is to somebody who has read the headline and these sentences, 0 to 1; just clear enough where the
 * cues, which are English, say nothing.
 */
function reader(chosen: readonly SummariseCandidate[], place: SummaryPlace, { headline, model }: Choice) {
  const headlineTerms = model.weigh(headline)
  const readTerms = new Map([headlineTerms, ...chosen.map(({ weights }) => weights)].flatMap((terms) => [...terms]))
  const read = readOf(headline, chosen)
  return ({ sentence, weights, before, quoted, isOfHeadline, current }: SummariseCandidate): number => {
    const isOfFirst = chosen[0]?.quoted.article_id === quoted.article_id
    const placed = { sentence, terms: weights, before, read, readTerms, headlineTerms, isOfHeadline, isOfFirst }
    return current * (isEnglish(sentence) ? clarity(placed, model.clarity[place]) : CLEAR)
  }
}

/** The clearest, of equals the better ranked. */
const clearest = (
  candidates: readonly SummariseCandidate[],
  clearOf: (candidate: SummariseCandidate) => number,
): { readonly candidate: SummariseCandidate; readonly clear: number } | undefined =>
  candidates.map((candidate) => ({ candidate, clear: clearOf(candidate) })).toSorted((a, b) => b.clear - a.clear)[0]

/** How much of one sentence another says: 0 to 1, the same from `SAME` on. */
const alike = (one: SummariseCandidate, other: SummariseCandidate): number =>
  Math.max(cosine(one.weights, other.weights), (SAME / SAME_START) * cosine(one.start, other.start))

/** What a reader has read: the headline and some sentences. */
const readOf = (headline: string, sentences: readonly SummariseCandidate[]): string =>
  [headline, ...sentences.map(({ sentence }) => sentence)].join(' ')

/** A reader who has read the headline and the sentences before, and nothing else, understands it. */
function stands({ sentence }: SummariseCandidate, read: string): boolean {
  const known = namesIn(read)
  return (
    standsAlone(sentence) >= WELL_ALONE &&
    !beginsWithStranger(sentence, known) &&
    !namesStranger(sentence, known) &&
    !beginsWithUnknownThing(sentence, read)
  )
}

/** In the order of articles and texts, if each is understood by what then stands before it; else as they were chosen. */
function inReadingOrder(
  first: SummariseCandidate,
  others: readonly SummariseCandidate[],
  headline: string,
): readonly SummariseCandidate[] {
  const inOrder = [first, ...others.toSorted((a, b) => a.article - b.article || a.sentence_index - b.sentence_index)]
  return inOrder.every((one, place) => place === 0 || stands(one, readOf(headline, inOrder.slice(0, place))))
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
