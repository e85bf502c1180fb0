import { outlineOf, readOutline, translation, type ReadOutline } from '../language/near-duplicates/outline.ts'
import { sentences } from '../language/sentences.ts'
import type { Figure } from '../domain/quality/figures.ts'
import { labelledArticles, pairsOf, type LabelledArticle } from './labelled-articles.ts'
import { asJsonLines } from './labelled-file.ts'
import { rate } from './story-rates.ts'

interface OutlinedArticle extends Pick<LabelledArticle, 'id'> {
  readonly story: string
  readonly outline: ReadOutline
}

type TranslationFigure = Omit<Figure, 'name'>

/**
 * Translations among the articles of a file. If the stories of the file consist of translations: the share of the pairs
 * of a story in two languages that are recognised (`translation_pair_recall`), of the articles that are recognised as a translation
 * of an earlier one of their story (`translation_recall`), and of the pairs of two stories that are mistaken (`translation_false_rate`). If all
 * articles are in one language, the pairs of each story are independent reports; they are compared as if their languages
 * differed.
 */
export async function scoreTranslations(file: string) {
  const articles = (await labelledArticles(file)).flatMap(outlined)
  const isOfOneLanguage = new Set(articles.map(({ outline }) => outline.language)).size === 1
  const sources = articles.map(
    (one, i) => articles.slice(0, i).find((other) => isOfOneStory([one, other]) && isFound([one, other]))?.id ?? null,
  )
  return {
    figures: isOfOneLanguage ? [falseRate(independentPairs(articles))] : ofTranslations(articles, sources),
    predictions: asJsonLines(articles.map(({ id }, i) => ({ id, translates: sources[i] }))),
  }
}

const outlined = ({ id, story, text, language }: LabelledArticle): OutlinedArticle[] =>
  story === null ? [] : [{ id, story, outline: readOutline(outlineOf(text, sentences(text), language)) }]

type OutlinedPair = readonly [OutlinedArticle, OutlinedArticle]

const isFound = ([one, other]: OutlinedPair): boolean => translation(one.outline, other.outline) !== null

const isOfOneStory = ([one, other]: OutlinedPair): boolean => one.story === other.story

function ofTranslations(
  articles: readonly OutlinedArticle[],
  sources: readonly (string | null)[],
): readonly TranslationFigure[] {
  const pairs = pairsOf(articles).filter(([one, other]) => one.outline.language !== other.outline.language)
  const later = sources.filter((_, i) => articles.slice(0, i).some(({ story }) => story === articles[i]?.story))
  return [
    { measure: 'translation_pair_recall', ...rate(pairs.filter(isOfOneStory), isFound) },
    { measure: 'translation_recall', ...rate(later, (source) => source !== null) },
    falseRate(pairs.filter((pair) => !isOfOneStory(pair))),
  ]
}

const falseRate = (pairs: readonly OutlinedPair[]): TranslationFigure => ({
  measure: 'translation_false_rate',
  ...rate(pairs, isFound),
})

/** The pairs of each story, the second article as if in another language. */
const independentPairs = (articles: readonly OutlinedArticle[]): OutlinedPair[] =>
  pairsOf(articles)
    .filter(isOfOneStory)
    .map(([one, other]) => [one, { ...other, outline: { ...other.outline, language: 'another' } }])
