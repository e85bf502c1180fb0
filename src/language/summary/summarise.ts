import { cosine, lexRank, type TermWeights } from './lexrank.ts'
import { quotable, standsAlone } from './quotable.ts'

/** An article to quote from. */
export interface Quoted {
  readonly article_id: string
  /** The first sentences of its text, in order. */
  readonly sentences: readonly string[]
}

/** A sentence of an article, word for word. */
export interface Quotation {
  readonly sentence: string
  readonly article_id: string
  /** Place of the sentence in the article, from 0. */
  readonly sentence_index: number
}

/** Weights of the content words of a text: rare words count more. */
export type Weigh = (text: string) => TermWeights

interface Candidate extends Quotation {
  readonly weights: TermWeights
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
const SAME = 0.5
/** A news text says first what matters: a sentence this far down counts half. */
const HALF_AT = 4

/**
 * At most three sentences that say best what articles, oldest first, have in common, in the order of articles and texts;
 * one article alone gives two. The same for the same input; nothing but what the articles say.
 */
export function summarise(articles: readonly Quoted[], weigh: Weigh): Quotation[] {
  const candidates = articles.flatMap((one, article) => candidatesOf(one, article, weigh))
  if (candidates.length === 0) return []

  const ranks = lexRank(
    candidates.map(({ weights }) => weights),
    candidates.map(({ fit }) => fit),
  )
  const ranked = candidates.map((candidate, i) => ({ candidate, rank: (ranks[i] ?? 0) * candidate.fit }))
  return unlike(ranked, Math.min(MOST, articles.length + 1))
    .toSorted(inOrder)
    .map(({ sentence, article_id, sentence_index }) => ({ sentence, article_id, sentence_index }))
}

function candidatesOf({ article_id, sentences }: Quoted, article: number, weigh: Weigh): Candidate[] {
  return sentences.flatMap((whole, sentence_index) => {
    const sentence = quotable(whole)
    const weights = sentence === null ? new Map<string, number>() : weigh(sentence)
    if (sentence === null || weights.size === 0) return []
    const fit = standsAlone(sentence) * (HALF_AT / (HALF_AT + sentence_index))
    return [{ sentence, article_id, sentence_index, weights, fit, article }]
  })
}

const worth = ({ rank, said }: Ranked & { readonly said: number }): number => rank * (1 - said) ** 2

/** The best one again and again, each time counting the less what a chosen one said already. */
function unlike(ranked: readonly Ranked[], count: number): Candidate[] {
  const chosen: Candidate[] = []
  let rest = ranked.map((one) => ({ ...one, said: 0 }))
  while (chosen.length < count && rest.length > 0) {
    const best = rest.reduce((a, b) => (worth(b) > worth(a) ? b : a))
    chosen.push(best.candidate)
    rest = rest
      .map((one) => ({ ...one, said: Math.max(one.said, cosine(one.candidate.weights, best.candidate.weights)) }))
      .filter((one) => one.candidate !== best.candidate && one.said <= SAME)
  }
  return chosen
}

const inOrder = (a: Candidate, b: Candidate): number => a.article - b.article || a.sentence_index - b.sentence_index
