import { type ArticleAnalyzed, NO_CROSS_VECTORS } from '../../events/articles.ts'
import { articleId, contentHash, derivedId } from '../../events/ids.ts'
import { i8 } from '../../events/vector.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { fraction, mixBits, mixPair } from './mixing.ts'
import { schedule } from './schedule.ts'
import { textWriter } from './texts.ts'
import { vectorMixer, type BaseVectors } from './vectors.ts'

/** A real article with its vectors, which generated articles are recombined from. */
export interface BaseArticle extends BaseVectors {
  readonly title: string
  readonly text: string
}

export interface Bases {
  /** The model of the vectors. */
  readonly model: string
  readonly articles: readonly BaseArticle[]
}

export interface StateWorld {
  readonly articles: number
  readonly events: number
  /** The article at an index: a pure function of the bases, the size of the world and the index. */
  article(index: number): ArticleAnalyzed
  /** The number of the event that it reports. */
  eventOf(index: number): number
}

export const NAMESPACE = 'bench'
const SEED = 'state'
const OUTLETS = 400
const PRODUCED_BY = { stage: 'bench', version: '1' }
/** The share of an event's later articles that reprint its first, without their last sentences. */
const REPRINTS = 0.03

/**
 * A world of so many articles. Each event has the names, rare words and numbers of its own, and articles on it share
 * many of them; frequencies of words are those of the base articles. Nothing is stored but the schedule.
 */
export function stateWorld({ model, articles: bases }: Bases, articles: number): StateWorld {
  const plan = schedule(articles, SEED)
  const seed = Math.floor(seeded(SEED)() * 2 ** 32)
  const texts = textWriter(bases, articles)
  const vectorsOf = vectorMixer(bases)
  return {
    articles,
    events: plan.events,
    eventOf: (index) => plan.event[index] ?? 0,
    article: (index) => {
      const event = mixPair(seed, plan.event[index] ?? 0)
      const ordinal = plan.ordinal[index] ?? 0
      const isReprint = ordinal > 0 && fraction(mixPair(event, 1_000 + ordinal)) < REPRINTS
      const seeds = { event, own: mixPair(event, 100_000 + (isReprint ? 0 : ordinal)) }
      const written = texts(seeds)
      const text = isReprint ? written.text.slice(0, Math.floor(written.text.length * 0.9)) : written.text
      const time = plan.time[index] ?? 0
      return asAnalyzed({ index, time, model, title: written.title, text, ...vectorsOf(seeds) })
    },
  }
}

interface GeneratedArticle extends BaseArticle {
  readonly index: number
  readonly time: number
  readonly model: string
}

/** The article as Layers 0 and 1 would emit it. Only fields that the clusterer reads are filled. */
function asAnalyzed({ index, time, model, title, text, leadVector, titleVector }: GeneratedArticle): ArticleAnalyzed {
  const outlet = mixBits(index + 1) % OUTLETS
  const url = `https://outlet-${outlet}.example/news/${index}`
  const article_id = articleId(NAMESPACE, url, text)
  const content_hash = contentHash(title, text)
  return {
    event_id: derivedId(PRODUCED_BY, `${article_id}\n${content_hash}`),
    namespace: NAMESPACE,
    occurred_at: time,
    caused_by: null,
    produced_by: PRODUCED_BY,
    article_id,
    content_hash,
    url,
    title,
    source: `Outlet ${outlet}`,
    author: null,
    published_date: time,
    dated: true,
    text,
    language: 'en',
    quality_score: 1,
    genre: 'report',
    semantic_hash: content_hash.slice(0, 16),
    title_vector: i8(`${model}:title`, titleVector.length, [titleVector]),
    lead_vector: i8(`${model}:lead`, leadVector.length, [leadVector]),
    ...NO_CROSS_VECTORS,
    direct: false,
    sentences: [],
    sentence_vectors: i8(`${model}:sentence`, leadVector.length, []),
    entities: [],
    locations: [],
    sentiment_score: 0,
    sentiment_label: 'neutral',
    article_embedding: i8(`${model}:article`, leadVector.length, [leadVector]),
    truncated: false,
    analyzed_chars: text.length,
    models: {},
  }
}
