import { setImmediate } from 'node:timers/promises'
import pMap from 'p-map'
import type { ArticleAnalyzed, ArticleFacts } from '../../events/articles.ts'
import type { Envelope } from '../../events/envelope.ts'
import { f32, i8 } from '../../events/vector.ts'
import type { Encoder, SentenceReading } from '../../ports/encoder.ts'
import type { Tagger } from '../../ports/tagger.ts'
import { isOfPlace } from '../places/places.ts'
import { type EntitySpan, type NameLists, namedSpans } from '../recogniser/named-spans.ts'
import { readWords } from '../recogniser/words.ts'
import { sentences, type Span } from '../sentences.ts'
import { meanScore, meanVector } from '../vectors.ts'
import { sentimentLabel } from '../sentiment/sentiment.ts'
import { entitiesOf } from './entities-of.ts'

/** Maximum number of sentences that get a vector and a sentiment. */
export const ENCODED_SENTENCES = 32

/** The models and tables of Layer 1. */
export interface AnalysisTools {
  readonly encoder: Encoder
  readonly tagger: Tagger
  readonly lists: NameLists
}

/** A text to analyse. */
interface AnalysedText {
  /** Plain text. */
  readonly text: string
  /** Milliseconds since 1970, the reference for dates such as "last Tuesday"; `null` if unknown. */
  readonly published: number | null
}

/** The result of Layer 1 for a text. */
export type Analysis = Omit<ArticleAnalyzed, keyof Envelope | keyof ArticleFacts | 'direct'>

/** Number of texts analysed concurrently: while this thread finds the names of one, the models process the next ones. */
const CONCURRENCY = 4

/**
 * Analyses texts; returns one result per text, in order. Pure apart from the models. Yields to the event loop between
 * two texts, so that a long batch blocks neither the models' processes nor other work.
 */
export function analyse(tools: AnalysisTools, articles: readonly AnalysedText[]): Promise<Analysis[]> {
  return pMap(articles, (article) => analyseOne(tools, article), { concurrency: CONCURRENCY })
}

async function analyseOne({ encoder, tagger, lists }: AnalysisTools, article: AnalysedText): Promise<Analysis> {
  const { text, published } = article
  const spans = sentences(text)
  const read = readWords(text, spans)
  // There may be tags for fewer sentences than requested: the tagger reads a limited number of word pieces.
  const tags = read.length === 0 ? [] : await tagger.tags(read.map(({ words }) => words.texts))
  const tagged = read.slice(0, tags.length)
  const names = namedSpans(text, { read: tagged, tags }, lists)
  const readings = await encoded(encoder, text, { spans, names })
  await setImmediate()

  const vectors = readings.map(({ vector }) => vector)
  const lengths = spans.slice(0, vectors.length).map(({ start, end }) => end - start)
  const score = rounded(meanScore(readings.map(({ sentiment }, i) => ({ score: sentiment, length: lengths[i] ?? 0 }))))
  // Sentences past the limit have no sentiment of their own: the article's is the best estimate.
  const scored = spans.map(({ start, end }, i) => ({
    ...{ start, end },
    sentiment_score: rounded(readings[i]?.sentiment ?? score),
  }))
  const targetScores = readings.flatMap(({ targets }) => targets.map(rounded))
  const entities = entitiesOf(text, { sentences: scored, names: names.flat(), targetScores, tagged, published, lists })
  const analyzed = tagged.at(-1)?.end ?? 0
  return {
    sentences: scored,
    sentence_vectors: i8(`${encoder.model}:sentence`, encoder.dim, vectors),
    entities,
    locations: [...new Set(entities.filter(isOfPlace).map(({ name }) => name))],
    sentiment_score: score,
    sentiment_label: sentimentLabel(score),
    article_embedding: f32(`${encoder.model}:sentence-mean`, meanVector(vectors, lengths, encoder.dim)),
    truncated: spans.length > vectors.length || analyzed < (spans.at(-1)?.end ?? 0),
    analyzed_chars: analyzed,
    models: { encoder: encoder.model, recogniser: tagger.model, sentiment: encoder.sentiment },
  }
}

async function encoded(
  encoder: Encoder,
  text: string,
  { spans, names }: { readonly spans: readonly Span[]; readonly names: readonly (readonly EntitySpan[])[] },
): Promise<readonly SentenceReading[]> {
  const encoded = spans.slice(0, ENCODED_SENTENCES).map(({ start, end }, i) => ({
    text: text.slice(start, end),
    targets: (names[i] ?? []).map((name) => ({ start: name.start - start, end: name.end - start })),
  }))
  const readings = encoded.length === 0 ? [] : await encoder.readings(encoded)
  if (readings.length !== encoded.length)
    throw new Error(`The encoder returned ${readings.length} results for ${encoded.length} sentences`)
  return readings
}

/** Rounds to four decimals. */
const rounded = (score: number): number => Math.round(score * 1e4) / 1e4
