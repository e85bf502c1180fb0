import { outlineOf, readOutline, translation, type ReadOutline } from '../language/near-duplicates/outline.ts'
import { sentences } from '../language/sentences.ts'
import type { Figure } from '../domain/quality/figures.ts'
import { labelledArticles, pairsOf, type LabelledArticle } from './labelled-articles.ts'
import { asJsonLines } from './labelled-file.ts'

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
  const sources = articles.map((one, i) => articles.slice(0, i).find((other) => areOneText(one, other))?.id ?? null)
  return {
    figures: isOfOneLanguage ? [falseRate(independentPairs(articles))] : ofTranslations(articles, sources),
    predictions: asJsonLines(articles.map(({ id }, i) => ({ id, translates: sources[i] }))),
  }
}

const outlined = ({ id, story, text, language }: LabelledArticle): OutlinedArticle[] =>
  story === null ? [] : [{ id, story, outline: readOutline(outlineOf(text, sentences(text), language)) }]

const areOneText = (one: OutlinedArticle, other: OutlinedArticle): boolean =>
  one.story === other.story && translation(one.outline, other.outline) !== null

function ofTranslations(
  articles: readonly OutlinedArticle[],
  sources: readonly (string | null)[],
): readonly TranslationFigure[] {
  const pairs = pairsOf(articles).filter(([one, other]) => one.outline.language !== other.outline.language)
  const later = sources.filter((_, i) => articles.slice(0, i).some(({ story }) => story === articles[i]?.story))
  return [
    shareOf(
      'translation_pair_recall',
      pairs.filter(([one, other]) => one.story === other.story),
      isFound,
    ),
    shareOf('translation_recall', later, (source) => source !== null),
    falseRate(pairs.filter(([one, other]) => one.story !== other.story)),
  ]
}

type OutlinedPair = readonly [OutlinedArticle, OutlinedArticle]

const isFound = ([one, other]: OutlinedPair): boolean => translation(one.outline, other.outline) !== null

const falseRate = (pairs: readonly OutlinedPair[]): TranslationFigure =>
  shareOf('translation_false_rate', pairs, isFound)

/** The pairs of each story, the second article as if in another language. */
const independentPairs = (articles: readonly OutlinedArticle[]): OutlinedPair[] =>
  pairsOf(articles)
    .filter(([one, other]) => one.story === other.story)
    .map(([one, other]) => [one, { ...other, outline: { ...other.outline, language: 'another' } }])

function shareOf<Item>(measure: string, items: readonly Item[], holds: (item: Item) => boolean): TranslationFigure {
  return { measure, value: items.filter(holds).length / Math.max(1, items.length), n: items.length }
}
