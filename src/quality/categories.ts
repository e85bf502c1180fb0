import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { categoriesOf, CATEGORY_NAMES, type Categories, type Category } from '../language/categories/categories.ts'
import { measure } from '../domain/quality/b-cubed.ts'
import { inBatches } from './in-batches.ts'
import type { LeadEncoder } from './kept-leads.ts'
import { DAY_MS } from '../domain/days.ts'
import { sha256 } from '../events/ids.ts'
import { parseMoment } from '../domain/intake/articles.ts'
import { bodyOf } from '../language/body-text.ts'
import { ofDesk, ofHeadline, ofTopic, type QualityLabels } from './category-labels.ts'
import { asJsonLines, jsonLines, linesOf, optionalText, textOf } from './labelled-file.ts'

type PredictedArticle = CategoryArticle & { readonly predicted: readonly Category[] }

const BATCH_SIZE = 64

/** Predicts the categories of the held-out articles of a labelled file and scores the predictions. */
export async function scoreCategories(
  file: string,
  { encoder, categories }: { readonly encoder: Pick<LeadEncoder, 'leads'>; readonly categories: Categories },
) {
  const articles = categoryArticles(file).filter(isHeldOut)
  const predicted = await inBatches(articles, BATCH_SIZE, async (batch): Promise<PredictedArticle[]> => {
    const vectors = await encoder.leads(batch)
    return batch.map((article, i) => ({
      ...article,
      predicted: categoriesOf(vectors[i] ?? new Float32Array(), categories),
    }))
  })
  return {
    /** Contains only categories that at least one article has. */
    scores: CATEGORY_NAMES.flatMap((category) => scoreOf(category, predicted)),
    predictions: asJsonLines(predicted.map(({ id, predicted: of }) => ({ id, categories: of }))),
  }
}

/**
 * Scores a category on the articles whose label decides it. `n` counts the articles that belong to it; empty if there
 * are none.
 */
export function scoreOf(category: Category, articles: readonly Pick<PredictedArticle, 'labels' | 'predicted'>[]) {
  const known = articles.filter(({ labels }) => labels[category] !== undefined)
  const predicted = known.filter((one) => one.predicted.includes(category))
  const right = predicted.filter(({ labels }) => labels[category] === true).length
  const n = known.filter(({ labels }) => labels[category] === true).length
  if (n === 0) return []
  return [{ category, ...measure(predicted.length === 0 ? 0 : right / predicted.length, right / n), n }]
}

/** A labelled article. Its labels come from a topic, a desk, or annotations of headlines. */
export interface CategoryArticle {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly labels: QualityLabels
  /** 0 to 4. Fold 0 is held out: it is never used for training. */
  readonly fold: number
}

const FOLDS = 5
const HELD_OUT = 0

export const isHeldOut = ({ fold }: Pick<CategoryArticle, 'fold'>): boolean => fold === HELD_OUT
/** The folds used for training. */
export const LEARNED_FOLDS = Array.from({ length: FOLDS }, (_, fold) => fold).filter((fold) => fold !== HELD_OUT)

const Line = z.object({
  id: z.string(),
  title: optionalText,
  text: optionalText,
  published_date: optionalText,
  story: optionalText,
  /** The topic under which the editors filed the article. */
  topic: optionalText,
  /** The desk under which the headline was filed. */
  category: optionalText,
})

/**
 * Reads labelled articles (JSONL with topics or desks, optionally gzipped) or headlines (TSV). Unlabelled articles are
 * skipped.
 */
export function categoryArticles(file: string): CategoryArticle[] {
  const lines = textOf(readFileSync(file))
  return file.endsWith('.tsv') ? headlines(lines) : jsonLines(lines, Line).flatMap(articleOf)
}

function articleOf({ id, title, text, ...line }: z.infer<typeof Line>): CategoryArticle[] {
  const labelled = labelsOf(line)
  return labelled === null ? [] : [{ id, title: title ?? '', body: bodyOf(title, text ?? title ?? ''), ...labelled }]
}

function labelsOf({
  story,
  category,
  topic,
  published_date,
}: Omit<z.infer<typeof Line>, 'id' | 'title' | 'text'>): Pick<CategoryArticle, 'labels' | 'fold'> | null {
  if (category !== null) return { labels: ofDesk(category, story ?? ''), fold: foldOf(`story ${story ?? ''}`) }
  if (topic === null) return null
  const published = published_date === null ? 0 : (parseMoment(published_date) ?? 0)
  return { labels: ofTopic(topic), fold: foldOf(`week ${Math.floor(published / (7 * DAY_MS))}`) }
}

/** The first line is a header; the columns are categories and headline. */
const headlines = (lines: string): CategoryArticle[] =>
  linesOf(lines)
    .slice(1)
    .filter(Boolean)
    .map((line) => {
      const [named = '', title = ''] = line.split('\t')
      return { id: title, title, body: '', labels: ofHeadline(named), fold: foldOf(title) }
    })

/** Deterministic: all articles of a story, all articles of a week, and equal headlines share a fold. */
const foldOf = (text: string): number => sha256(`categories ${text}`).readUInt32BE(0) % FOLDS
