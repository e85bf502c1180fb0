import { beginsWithStranger, beginsWithUnknownThing, namesIn, namesStranger } from './leaning.ts'
import { cosine, lexRank, type TermWeights } from './lexrank.ts'
import { insideQuotations, quotable, standsAlone } from './quotable.ts'
import { hasRelativeDate, resolvedDates, type ResolvedDate } from './resolved-dates.ts'

/** An article to quote from. */
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

interface Candidate {
  readonly sentence: string
  readonly quoted: Quoted
  readonly sentence_index: number
  /** How many sentences of its article that can be quoted stand before it. */
  readonly before: number
  readonly weights: TermWeights
  /** Of its first words. */
  readonly start: TermWeights
  /** How fit it is before its neighbours are asked, above 0. */
  readonly fit: number
  /** Place of its article among all. */
  readonly article: number
}

interface Ranked {
  readonly candidate: Candidate
  readonly rank: number
}

const MOST = 3
/** Two sentences more alike than this (cosine) say the same; below it, the more alike the less a second one adds. */
const SAME = 0.4
/** Nor do two whose first words, where a sentence says who did what, are more alike than this. */
const SAME_START = 0.5
const START_WORDS = 14
/** A news text says first what matters: a sentence this far down counts half. */
const HALF_AT = 2
/** Only sentences up to here say who, what, where and when: the first one of a summary is one of them. */
const LEAD = 1
/** How much the article counts that gives the story its headline. */
const OF_HEADLINE = 1.4
/** How much a sentence counts that has no word of the headline, against one that is the headline. */
const BESIDE_HEADLINE = 0.15
/** A further sentence ranks at least this share of the first: nothing is better than something beside the matter. */
const ADDS = 0.2
/** Characters: a title of fewer may well stand in a sentence. */
const SHORT_TITLE = 20
/** Of a day that nobody can know. */
const UNDATED = 0.4
/** Of what was still to come before the day of the headline. */
const OUTDATED = 0.3
const TO_COME = /\b(?:will|would|could|may|might|set to|poised|expected|scheduled|plans? to|ahead of|about to)\b/iu
/** How much more the first sentence counts that names a day: it says when. */
const SAYS_WHEN = 1.3
/** What stands alone worse than this is not added to a summary that has a sentence. */
const WELL_ALONE = 0.25

/**
 * At most three sentences that say best what articles, oldest first, have in common and `headline` says; one article alone
 * gives two. First the beginning of an article that says most; each further sentence is understood by what stands before it.
 * The same for the same input; nothing but what the articles say.
 */
export function summarise(articles: readonly Quoted[], weigh: Weigh, headline = ''): Quotation[] {
  const about = weigh(headline)
  const since = publishedAs(headline, articles)
  const candidates = articles.flatMap((one, article) => candidatesOf({ one, article, headline, since }, weigh, about))
  if (candidates.length === 0) return []

  const ranks = lexRank(
    candidates.map(({ weights }) => weights),
    candidates.map(({ fit }) => fit),
  )
  const ranked = candidates.map((candidate, i) => ({ candidate, rank: (ranks[i] ?? 0) * candidate.fit }))
  const [first, ...others] = chosenOf(ranked, { count: Math.min(MOST, articles.length + 1), headline })
  return first === undefined ? [] : asRead(first, others, headline).map(asQuotation)
}

interface Place {
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

function candidatesOf({ one, article, headline, since }: Place, weigh: Weigh, about: TermWeights): Candidate[] {
  const ofArticle = isOf(headline, one) ? OF_HEADLINE : 1
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
    const fit = standsAlone(sentence) * (HALF_AT / (HALF_AT + before)) * near * undated * outdated * ofArticle
    return { ...candidate, quoted: one, before, fit, article }
  })
}

const startOf = (sentence: string): string => sentence.split(' ').slice(0, START_WORDS).join(' ')

/** The headline ran into the sentence, as pages without paragraphs have it. */
const repeats = (sentence: string, title: string | null): boolean =>
  title !== null && title.length > SHORT_TITLE && sentence.length > title.length + 1 && sentence.includes(title)

type Offered = Ranked & { readonly said: number }

const worth = ({ rank, said }: Offered): number => rank * (1 - said) ** 3
const bestOf = (some: readonly Offered[]): Offered | undefined =>
  some.length === 0 ? undefined : some.reduce((a, b) => (worth(b) > worth(a) ? b : a))

/** The best one again and again, each time counting the less what a chosen one said already. */
function chosenOf(
  ranked: readonly Ranked[],
  { count, headline }: { readonly count: number; readonly headline: string },
): Candidate[] {
  const chosen: Candidate[] = []
  let rest: Offered[] = ranked.map((one) => ({ ...one, said: 0 }))
  let least = 0
  while (chosen.length < count) {
    const read = readOf(headline, chosen)
    const able = rest.filter(({ candidate, rank }) => rank >= least && stands(candidate, read))
    const best = chosen.length > 0 ? bestOf(able) : (firstOf(able) ?? bestOf(rest))
    if (best === undefined) break
    chosen.push(best.candidate)
    if (chosen.length === 1) least = best.rank * ADDS
    rest = rest
      .map((one) => ({ ...one, said: Math.max(one.said, alike(one.candidate, best.candidate)) }))
      .filter((one) => one.candidate !== best.candidate && one.said <= SAME)
  }
  return chosen
}

/** How much of one sentence another says: 0 to 1, the same from `SAME` on. */
const alike = (one: Candidate, other: Candidate): number =>
  Math.max(cosine(one.weights, other.weights), (SAME / SAME_START) * cosine(one.start, other.start))

/** The best beginning of an article, rather one that says when; of no beginnings the best of all. */
function firstOf(able: readonly Offered[]): Offered | undefined {
  const leads = able.filter(({ candidate }) => candidate.before <= LEAD)
  const says = (one: Offered): Offered =>
    hasRelativeDate(one.candidate.sentence) ? { ...one, rank: one.rank * SAYS_WHEN } : one
  const best = bestOf((leads.length > 0 ? leads : able).map(says))
  return able.find(({ candidate }) => candidate === best?.candidate)
}

/** What a reader has read: the headline and some sentences. */
const readOf = (headline: string, sentences: readonly Candidate[]): string =>
  [headline, ...sentences.map(({ sentence }) => sentence)].join(' ')

/** A reader who has read the headline and the sentences before, and nothing else, understands it. */
function stands({ sentence }: Candidate, read: string): boolean {
  const known = namesIn(read)
  return (
    standsAlone(sentence) >= WELL_ALONE &&
    !beginsWithStranger(sentence, known) &&
    !namesStranger(sentence, known) &&
    !beginsWithUnknownThing(sentence, read)
  )
}

/** In the order of articles and texts, if each is understood by what then stands before it; else as they were chosen. */
function asRead(first: Candidate, others: readonly Candidate[], headline: string): readonly Candidate[] {
  const inOrder = [first, ...others.toSorted((a, b) => a.article - b.article || a.sentence_index - b.sentence_index)]
  return inOrder.every((one, place) => place === 0 || stands(one, readOf(headline, inOrder.slice(0, place))))
    ? inOrder
    : [first, ...others]
}

const asQuotation = ({ sentence, sentence_index, quoted: { article_id, published } }: Candidate): Quotation => ({
  ...{ sentence, article_id, sentence_index },
  dates: published === null ? [] : resolvedDates(sentence, published),
})
