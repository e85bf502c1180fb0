import { categoriesOf, CATEGORY_NAMES, type Categories, type Category } from '../language/categories/categories.ts'
import { categoryArticles, isHeldOut, type CategoryArticle } from './category-articles.ts'
import type { LeadEncoder } from './kept-leads.ts'

interface CategoryScore {
  readonly category: Category
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Articles that are of it. */
  readonly n: number
}

interface Scored {
  /** Of the categories that some article is of. */
  readonly scores: readonly CategoryScore[]
  readonly predictions: string
}

type PredictedArticle = CategoryArticle & { readonly predicted: readonly Category[] }

const AT_ONCE = 64

/** Predicts the categories of the articles of a labelled file that nothing was learned from, and scores the predictions. */
export async function scoreCategories(
  file: string,
  { encoder, categories }: { readonly encoder: Pick<LeadEncoder, 'leads'>; readonly categories: Categories },
): Promise<Scored> {
  const articles = categoryArticles(file).filter(isHeldOut)
  const predicted: PredictedArticle[] = []
  for (let from = 0; from < articles.length; from += AT_ONCE) {
    const part = articles.slice(from, from + AT_ONCE)
    const vectors = await encoder.leads(part)
    predicted.push(
      ...part.map((article, i) => ({
        ...article,
        predicted: categoriesOf(vectors[i] ?? new Float32Array(), categories),
      })),
    )
  }
  return {
    scores: CATEGORY_NAMES.flatMap((category) => scoreOf(category, predicted)),
    predictions: predicted.map(({ id, predicted: of }) => `${JSON.stringify({ id, categories: of })}\n`).join(''),
  }
}

/** Of the articles whose label says whether they are of it; empty where none is. */
export function scoreOf(
  category: Category,
  articles: readonly Pick<PredictedArticle, 'labels' | 'predicted'>[],
): CategoryScore[] {
  const known = articles.filter(({ labels }) => labels[category] !== undefined)
  const predicted = known.filter((one) => one.predicted.includes(category))
  const right = predicted.filter(({ labels }) => labels[category] === true).length
  const n = known.filter(({ labels }) => labels[category] === true).length
  if (n === 0) return []
  const precision = predicted.length === 0 ? 0 : right / predicted.length
  const recall = right / n
  return [{ category, precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall), n }]
}
