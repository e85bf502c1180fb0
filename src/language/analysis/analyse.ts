import { setImmediate } from 'node:timers/promises'
import pMap from 'p-map'
import type { ArticleAnalyzed, ArticleFacts } from '../../events/articles.ts'
import type { Envelope } from '../../events/envelope.ts'
import { bf16, f32 } from '../../events/vector.ts'
import type { Encoder, SentenceReading } from '../../ports/encoder.ts'
import type { Tagger } from '../../ports/tagger.ts'
import { isOfPlace } from '../places/places.ts'
import { type EntitySpan, type NameLists, namedSpans } from '../recogniser/named-spans.ts'
import { readWords } from '../recogniser/words.ts'
import { sentences, type Span } from '../sentences.ts'
import { meanScore, meanVector } from '../vectors.ts'
import { sentimentLabel } from '../sentiment/sentiment.ts'
import { entitiesOf } from './entities-of.ts'

/** Sentence vectors and sentiment are made for the first this many sentences. */
export const ENCODED_SENTENCES = 32

/** Everything Layer 1 reads with. */
export interface AnalysisTools {
  readonly encoder: Encoder
  readonly tagger: Tagger
  readonly lists: NameLists
}

/** What is analysed. */
interface AnalysedText {
  /** Plain text. */
  readonly text: string
  /** Milliseconds since 1970, what "last Tuesday" counts from; null: not known. */
  readonly published: number | null
}

/** What Layer 1 says of a text. */
export type Analysis = Omit<ArticleAnalyzed, keyof Envelope | keyof ArticleFacts | 'direct'>

/** Texts in hand at once: while one is read for names, the models have the next ones. */
const AHEAD = 4

/**
 * Analyses texts; pure but for the models. One result a text, in order. The event loop gets in between two texts, so
 * that a long batch holds up neither the models' processes nor anybody else's work.
 */
export function analyse(reading: AnalysisTools, articles: readonly AnalysedText[]): Promise<Analysis[]> {
  return pMap(articles, (article) => analyseOne(reading, article), { concurrency: AHEAD })
}

async function analyseOne({ encoder, tagger, lists }: AnalysisTools, article: AnalysedText): Promise<Analysis> {
  const { text, published } = article
  const spans = sentences(text)
  const read = readWords(text, spans)
  // Tags of fewer sentences than asked for when they are long: the tagger reads so many word pieces and no more.
  const tags = read.length === 0 ? [] : await tagger.tags(read.map(({ words }) => words.texts))
  const reached = read.slice(0, tags.length)
  const names = namedSpans(text, { read: reached, tags }, lists)
  const readings = await encoded(encoder, text, { spans, names })
  await setImmediate()

  const vectors = readings.map(({ vector }) => vector)
  const lengths = spans.slice(0, vectors.length).map(({ start, end }) => end - start)
  const score = rounded(meanScore(readings.map(({ sentiment }, i) => ({ score: sentiment, length: lengths[i] ?? 0 }))))
  // A sentence past the cap was not read for its feeling: the article's is the best guess.
  const felt = spans.map(({ start, end }, i) => ({
    ...{ start, end },
    sentiment_score: rounded(readings[i]?.sentiment ?? score),
  }))
  const towards = readings.flatMap(({ targets }) => targets.map(rounded))
  const entities = entitiesOf(text, { sentences: felt, names: names.flat(), towards, reached, published, lists })
  const analyzed = reached.at(-1)?.end ?? 0
  return {
    sentences: felt,
    sentence_vectors: bf16(`${encoder.model}:sentence`, encoder.dim, vectors),
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
    throw new Error(`${readings.length} readings came for ${encoded.length} sentences`)
  return readings
}

/** Four places: as much as a reader can distinguish. */
const rounded = (score: number): number => Math.round(score * 1e4) / 1e4
