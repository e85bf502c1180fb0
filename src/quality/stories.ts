import { bCubed, pairwise } from '../domain/quality/b-cubed.ts'
import { type ArticleAnalyzed, type CrossVectors, type Entity, NO_CROSS_VECTORS } from '../events/articles.ts'
import { canonicalUrl } from '../events/canonical-url.ts'
import { articleId, contentHash, derivedId } from '../events/ids.ts'
import { i8 } from '../events/vector.ts'
import { bodyOf } from '../language/body-text.ts'
import { genreOf, type GenreModel } from '../language/genre/genre.ts'
import { isReadAsEnglish } from '../language/language-of.ts'
import { firstSentences, sentences } from '../language/sentences.ts'
import type { CrossEncoder } from '../ports/cross-encoder.ts'
import type { ChangedStage } from '../stages/changed/stage.ts'
import type { ClusteredStage } from '../stages/clustered/stage.ts'
import { crossVectorsOf, PASSAGE_CHARS } from '../stages/scored/stage.ts'
import { calibrationOf } from './assignments.ts'
import type { LeadEncoder } from './kept-leads.ts'
import { labelledArticles, VARIANTS, type LabelledArticle, type Variant } from './labelled-articles.ts'
import { contradictions, storyFeed } from './story-feed.ts'
import { fragmentationRate, overMergeRate, rate } from './story-rates.ts'
import { storyReplay, type StoryReplay } from './story-replay.ts'

/** The dependencies for converting labelled articles to analysed ones. */
export interface ReadingOptions {
  readonly encoder: LeadEncoder
  /** Only asked if an article is not in English; without it, such articles are compared as if they were. */
  readonly crossEncoder?: CrossEncoder | null
  /** The arrival time of undated articles, in milliseconds since 1970. */
  readonly arrival: number
  readonly namespace: string
  /** Without it, every article has the genre `report`. */
  readonly genres?: GenreModel
}

interface StoryScoreOptions extends ReadingOptions {
  readonly stage: ClusteredStage
  /** The stage that writes the change feed. */
  readonly feed: ChangedStage
  /** Only this many articles of the file, the last in date order; all by default. */
  readonly last?: number | undefined
  /** The articles are unchanged by default. */
  readonly variant?: Variant | undefined
}

/**
 * Runs a labelled file (JSONL, optionally gzipped) through the service's own features and clusterer, and scores the
 * stories.
 */
export async function scoreStories(
  file: string,
  { stage, feed, last = Infinity, variant, ...reading }: StoryScoreOptions,
) {
  const whole = await labelledArticles(file)
  const articles = (variant === undefined ? whole : VARIANTS[variant](whole)).slice(-last)
  const { replay, ids } = await replayed(articles, stage, reading)
  const predictions = articles.map(({ id }, i) => ({
    id,
    cluster_id: replay.storyOf(ids[i] ?? '') ?? id,
    /** The story that it was assigned to when it arrived. */
    first_cluster_id: replay.firstStoryOf(ids[i] ?? '') ?? id,
  }))
  const labelled = (by: 'cluster_id' | 'first_cluster_id') =>
    articles.flatMap(({ story }, i) => (story === null ? [] : [{ gold: story, predicted: predictions[i]?.[by] ?? '' }]))
  const scored = labelled('cluster_id')
  return {
    articles: articles.length,
    /** Number of articles with a gold story. Only these are scored. */
    labelled: scored.length,
    clusters: new Set(predictions.map(({ cluster_id }) => cluster_id)).size,
    b_cubed: bCubed(scored),
    pairwise: pairwise(scored),
    /** Scores the assignments made when the articles arrived. */
    online_b_cubed: bCubed(labelled('first_cluster_id')),
    over_merge: overMergeRate(scored),
    fragmentation: fragmentationRate(scored),
    /** Share of all articles whose final story differs from their first one. */
    id_churn: rate(predictions, (one) => one.cluster_id !== one.first_cluster_id),
    calibration: calibrationOf(replay.ledger),
    contradictions: contradictions(storyFeed(feed, replay.ledger, reading.arrival)),
    predictions,
  }
}

export type StoryScore = Awaited<ReturnType<typeof scoreStories>>

/** Replays articles. `ids`: the article id of each, in the same order. */
export async function replayed(
  articles: readonly LabelledArticle[],
  stage: ClusteredStage,
  reading: ReadingOptions & { readonly entities?: (article: LabelledArticle) => readonly Entity[] },
): Promise<{ readonly replay: StoryReplay; readonly ids: readonly string[] }> {
  const replay = storyReplay(stage, reading)
  const ids: string[] = []
  const isEnglish = articles.every(({ language }) => isReadAsEnglish(language))
  const vectors = isEnglish ? { ...reading, crossEncoder: null } : reading
  for (const article of articles) {
    const event = await analyzed(article, vectors)
    replay.article({ ...event, entities: reading.entities?.(article) ?? event.entities })
    ids.push(event.article_id)
  }
  replay.end()
  return { replay, ids }
}

/** The article as Layers 0 and 1 would emit it. Only fields that the clusterer reads are filled. */
export async function analyzed(
  article: LabelledArticle,
  { encoder, crossEncoder = null, arrival, namespace, genres }: ReadingOptions,
): Promise<ArticleAnalyzed> {
  const { title, text, url, source, published, language } = article
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
    language,
    quality_score: 1,
    genre: genres === undefined ? 'report' : genreOf({ url, title, source, author: null, body, language }, genres),
    semantic_hash: content_hash.slice(0, 16),
    title_vector: i8(`${encoder.model}:title`, encoder.dim, [headline]),
    lead_vector: i8(`${encoder.model}:lead`, encoder.dim, [lead]),
    ...(crossEncoder === null ? NO_CROSS_VECTORS : await crossVectors(crossEncoder, article)),
    direct: false,
    sentences: [],
    sentence_vectors: i8(`${encoder.model}:sentence`, encoder.dim, []),
    entities: [],
    locations: [],
    sentiment_score: 0,
    sentiment_label: 'neutral',
    article_embedding: i8(`${encoder.model}:article`, encoder.dim, [lead]),
    truncated: false,
    analyzed_chars: text.length,
    models: {},
  }
}

async function crossVectors(encoder: CrossEncoder, { title, text, language }: LabelledArticle): Promise<CrossVectors> {
  const body = bodyOf(title, text)
  const passage = { title: title ?? '', sentences: firstSentences(body, sentences(body), PASSAGE_CHARS) }
  const read = { language, passage }
  return (await crossVectorsOf(encoder, [read]))(read)
}

async function windows(title: string, body: string, encoder: LeadEncoder) {
  const headline = title === '' || body === '' ? [] : [{ title, body: '' }]
  const [lead, titled = lead] = await encoder.leads([{ title, body }, ...headline])
  if (lead === undefined || titled === undefined) throw new Error('The encoder gave no vector')
  return { lead, headline: titled }
}
