import { outlineOf, translation, type Outline } from '../language/near-duplicates/outline.ts'
import { sentences } from '../language/sentences.ts'
import type { Figure } from '../domain/quality/figures.ts'
import { labelledArticles, pairsOf, type LabelledArticle } from './labelled-articles.ts'
import { asJsonLines } from './labelled-file.ts'

interface OutlinedArticle extends Pick<LabelledArticle, 'id' | 'story'> {
  readonly outline: Outline
}

/**
 * Translations among the articles of a file. If the stories of the file consist of translations: the share of articles
 * that are recognised as a translation of an earlier one of their story (`recall`), and of the pairs from two stories
 * that are mistaken for translations (`false_rate`). If all articles are in one language, the pairs of each story are
 * independent reports; they are compared as if their languages differed.
 */
export async function scoreTranslations(file: string) {
  const articles = (await labelledArticles(file)).flatMap(outlined)
  const languages = new Set(articles.map(({ outline }) => outline.language))
  return {
    figures: languages.size > 1 ? ofTranslations(articles) : [falseRate(pairsWithin(articles))],
    predictions: asJsonLines(articles.map(({ id }, i) => ({ id, translates: translated(articles, i)?.id ?? null }))),
  }
}

const outlined = ({ id, story, text, language }: LabelledArticle): OutlinedArticle[] =>
  story === null ? [] : [{ id, story, outline: outlineOf(text, sentences(text), language) }]

function ofTranslations(articles: readonly OutlinedArticle[]): TranslationFigure[] {
  const later = articles.flatMap((one, i) => (articles.slice(0, i).some(({ story }) => story === one.story) ? [i] : []))
  const found = later.filter((i) => translated(articles, i) !== undefined)
  const apart = pairsOf(articles).filter(([one, other]) => one.story !== other.story)
  return [{ measure: 'recall', value: found.length / Math.max(1, later.length), n: later.length }, falseRate(apart)]
}

const isTranslation = (one: OutlinedArticle, other: OutlinedArticle | undefined): boolean =>
  other !== undefined && translation(one.outline, other.outline) !== null

type TranslationFigure = Omit<Figure, 'name'>
type OutlinedPair = readonly [OutlinedArticle, OutlinedArticle]

/** The first earlier article of the story that the article is recognised as a translation of. */
const translated = (articles: readonly OutlinedArticle[], i: number): OutlinedArticle | undefined =>
  articles.slice(0, i).find((other) => other.story === articles[i]?.story && isTranslation(other, articles[i]))

/** The pairs of each story, the second article as if in another language. */
const pairsWithin = (articles: readonly OutlinedArticle[]): OutlinedPair[] =>
  pairsOf(articles)
    .filter(([one, other]) => one.story === other.story)
    .map(([one, other]) => [one, { ...other, outline: { ...other.outline, language: 'another' } }])

const falseRate = (pairs: readonly OutlinedPair[]): TranslationFigure => ({
  measure: 'false_rate',
  value: pairs.filter(([one, other]) => isTranslation(one, other)).length / Math.max(1, pairs.length),
  n: pairs.length,
})
