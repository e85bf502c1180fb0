import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import type { ArticleAnalyzed } from '../events/articles.ts'
import { canonicalUrl } from '../events/canonical-url.ts'
import { articleId, contentHash, derivedId } from '../events/ids.ts'
import { parseMoment } from '../domain/intake/articles.ts'
import { f32 } from '../events/vector.ts'
import { bodyOf } from '../language/body-text.ts'
import { genreOf, type GenreModel } from '../language/genre/genre.ts'
import { calibrationOf, type AssignmentCalibration } from './assignments.ts'
import { bCubed, pairwise, type ScoreMeasure } from '../domain/quality/b-cubed.ts'
import type { LeadEncoder } from './kept-leads.ts'
import type { LabelledArticle } from './labelled-article.ts'
import { jsonLine } from './labelled-file.ts'
import { fragmentationRate, overMergeRate, rate, type Rate } from './story-rates.ts'
import { contradictions, storyFeed, type Contradictions, type FeedStage } from './story-feed.ts'
import { VARIANTS, type Variant } from './variants.ts'
import { storyReplay, type LedgerLine, type StoryStage } from './story-replay.ts'

/** A line of a labelled file: a headline alone has no `text`; an article without a gold story is a distractor. */
const Line = z.object({
  id: z.string(),
  title: z.string().nullish(),
  text: z.string().nullish(),
  url: z.string().nullish(),
  source: z.string().nullish(),
  published_date: z.string().nullish(),
  story: z.string().nullish(),
})

export interface StoryScore {
  readonly articles: number
  /** Articles with a gold story: those that are scored. */
  readonly labelled: number
  readonly clusters: number
  readonly b_cubed: ScoreMeasure
  readonly pairwise: ScoreMeasure
  /** By where articles were put when they came. */
  readonly online_b_cubed: ScoreMeasure
  readonly over_merge: Rate
  readonly fragmentation: Rate
  /** Of all articles, those that are in another story in the end than at first. */
  readonly id_churn: Rate
  /** Calibration errors of `assignment_confidence`, against where articles are 24 hours later. */
  readonly calibration: AssignmentCalibration
  readonly contradictions: Contradictions
  readonly predictions: readonly Prediction[]
}

export interface Prediction {
  readonly id: string
  readonly cluster_id: string
  /** The story it was put into when it came. */
  readonly first_cluster_id: string
}

export interface QualityDependencies<State, Remembered> {
  readonly stage: StoryStage<State, Remembered>
  readonly encoder: LeadEncoder
  /** When undated articles arrived, milliseconds since 1970. */
  readonly arrival: number
  readonly namespace: string
  /** Only so many of the file, the last in date order; all where it does not say. */
  readonly last?: number
  /** The articles as they are where it does not say. */
  readonly variant?: Variant
  /** Every article is a report where it is not given. */
  readonly genres?: GenreModel
}

interface ScoreDependencies<State, Remembered, FeedState, FeedRemembered> extends QualityDependencies<
  State,
  Remembered
> {
  /** The stage that writes the feed. */
  readonly feed: FeedStage<FeedState, FeedRemembered>
}

/** Sends a labelled file (JSONL, also gzip) through the service's own features and clusterer, and measures the stories. */
export async function scoreStories<State, Remembered, FeedState, FeedRemembered>(
  file: string,
  dependencies: ScoreDependencies<State, Remembered, FeedState, FeedRemembered>,
): Promise<StoryScore> {
  const { last = Infinity, variant } = dependencies
  const whole = await labelledArticles(file)
  const articles = (variant === undefined ? whole : VARIANTS[variant](whole)).slice(-last)
  const { predictions, ledger } = await predict(articles, dependencies)
  const labelled = (storyOf: (prediction: Prediction | undefined) => string | undefined) =>
    articles.flatMap(({ story }, i) =>
      story === null ? [] : [{ gold: story, predicted: storyOf(predictions[i]) ?? '' }],
    )
  const scored = labelled((prediction) => prediction?.cluster_id)
  return {
    articles: articles.length,
    labelled: scored.length,
    clusters: new Set(predictions.map(({ cluster_id }) => cluster_id)).size,
    b_cubed: bCubed(scored),
    pairwise: pairwise(scored),
    online_b_cubed: bCubed(labelled((prediction) => prediction?.first_cluster_id)),
    over_merge: overMergeRate(scored),
    fragmentation: fragmentationRate(scored),
    id_churn: rate(predictions, (one) => one.cluster_id !== one.first_cluster_id),
    calibration: calibrationOf(ledger),
    contradictions: contradictions(storyFeed(dependencies.feed, { ledger, arrival: dependencies.arrival })),
    predictions,
  }
}

/** In date order; undated ones first, otherwise as they stand in the file. */
export async function labelledArticles(file: string): Promise<LabelledArticle[]> {
  const bytes = createReadStream(file)
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  const articles: LabelledArticle[] = []
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number++
    if (line.trim() !== '') articles.push(labelled(jsonLine(line, number, Line)))
  }
  return articles.sort((a, b) => (a.published ?? -Infinity) - (b.published ?? -Infinity) || 0)
}

const labelled = (line: z.infer<typeof Line>): LabelledArticle => ({
  id: line.id,
  title: line.title ?? null,
  text: line.text ?? line.title ?? '',
  url: line.url ?? null,
  source: line.source ?? null,
  published: typeof line.published_date === 'string' ? parseMoment(line.published_date) : null,
  story: line.story ?? null,
})

interface Predicted {
  readonly predictions: readonly Prediction[]
  readonly ledger: readonly LedgerLine[]
}

async function predict<State, Remembered>(
  articles: readonly LabelledArticle[],
  { stage, ...dependencies }: QualityDependencies<State, Remembered>,
): Promise<Predicted> {
  const replay = storyReplay(stage, dependencies)
  const ids: string[] = []
  for (const article of articles) {
    const event = await analyzed(article, dependencies)
    replay.article(event)
    ids.push(event.article_id)
  }
  replay.end()
  const predictions = articles.map(({ id }, i) => ({
    id,
    cluster_id: replay.storyOf(ids[i] ?? '') ?? id,
    first_cluster_id: replay.firstStoryOf(ids[i] ?? '') ?? id,
  }))
  return { predictions, ledger: replay.ledger }
}

type QualityAnalysis = Pick<QualityDependencies<never, never>, 'encoder' | 'arrival' | 'namespace' | 'genres'>

/** The article as Layers 0 and 1 would hand it on, as far as the clusterer reads it. */
export async function analyzed(
  article: LabelledArticle,
  { encoder, arrival, namespace, genres }: QualityAnalysis,
): Promise<ArticleAnalyzed> {
  const { title, text, url, source, published } = article
  const article_id = articleId(namespace, url === null ? null : canonicalUrl(url), text)
  const content_hash = contentHash(title, text)
  const body = bodyOf(title, text)
  const { lead, headline } = await windows(title ?? '', body, encoder)
  const produced_by = { stage: 'quality', version: '1' }
  return {
    event_id: derivedId(produced_by, `${article_id}\n${content_hash}`),
    namespace,
    occurred_at: published === null ? arrival : Math.min(published, arrival),
    caused_by: null,
    produced_by,
    article_id,
    content_hash,
    url,
    title,
    source,
    author: null,
    published_date: published,
    dated: published !== null,
    text,
    language: 'en',
    quality_score: 1,
    genre:
      genres === undefined ? 'report' : genreOf({ url, title, source, author: null, body, language: 'en' }, genres),
    semantic_hash: content_hash.slice(0, 16),
    title_vector: f32(`${encoder.model}:title`, headline),
    lead_vector: f32(`${encoder.model}:lead`, lead),
    direct: false,
    sentences: [],
    sentence_vectors: { model: `${encoder.model}:sentence`, dim: encoder.dim, dtype: 'bf16', data: Buffer.alloc(0) },
    entities: [],
    locations: [],
    sentiment_score: 0,
    sentiment_label: 'neutral',
    article_embedding: f32(`${encoder.model}:article`, lead),
    truncated: false,
    analyzed_chars: text.length,
    models: {},
  }
}

async function windows(title: string, rest: string, encoder: LeadEncoder) {
  const sample =
    title === '' || rest === ''
      ? [{ title, body: rest }]
      : [
          { title, body: rest },
          { title, body: '' },
        ]
  const [lead, headline = lead] = await encoder.leads(sample)
  if (lead === undefined || headline === undefined) throw new Error('The encoder gave no vector')
  return { lead, headline }
}
