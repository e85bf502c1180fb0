import { setImmediate } from 'node:timers/promises'
import type { ArticleAnalyzed, ArticleFacts } from '../../events/articles.ts'
import type { Envelope } from '../../events/envelope.ts'
import { bf16, f32 } from '../../events/vector.ts'
import type { Encoder } from '../../ports/encoder.ts'
import type { Places } from '../places/places.ts'
import { recognisedChars, type Recogniser } from '../recogniser/recognise.ts'
import { sentences, type Span } from '../sentences.ts'
import { sentimentLabel } from '../sentiment/label.ts'
import { meanScore } from '../sentiment/mean-score.ts'
import type { Sentiment } from '../sentiment/sentiment.ts'
import { entitiesOf } from './entities-of.ts'
import { meanVector } from './mean-vector.ts'

/** Sentence vectors and sentiment are made for the first this many sentences. */
export const ENCODED_SENTENCES = 32

/** Everything Layer 1 reads with. */
export interface Reading {
  readonly encoder: Encoder
  readonly recogniser: Recogniser
  readonly places: Places
  readonly sentiment: Sentiment
}

/** What Layer 1 says of a text. */
export type Analysis = Omit<ArticleAnalyzed, keyof Envelope | keyof ArticleFacts | 'direct'>

/** Texts in hand at once: while one is read for names, the encoder has the next ones. */
const AHEAD = 4

/**
 * Analyses texts; pure but for the encoder. One result a text, in order. The event loop gets in between two texts, so
 * that a long batch holds up neither the encoder's processes nor anybody else's work.
 */
export async function analyse(reading: Reading, texts: readonly string[]): Promise<Analysis[]> {
  const results: Analysis[] = []
  const rest = texts.entries()
  const readOn = async (): Promise<void> => {
    for (const [i, text] of rest) results[i] = await analyseOne(reading, text)
  }
  await Promise.all(Array.from({ length: AHEAD }, readOn))
  return results
}

async function analyseOne(reading: Reading, text: string): Promise<Analysis> {
  const spans = sentences(text)
  const asked = spans.slice(0, ENCODED_SENTENCES).map(({ start, end }) => text.slice(start, end))
  const vectors = asked.length === 0 ? [] : await reading.encoder.sentences(asked)
  if (vectors.length !== asked.length) throw new Error(`${vectors.length} vectors came for ${asked.length} sentences`)
  await setImmediate()
  return analysisOf(reading, { text, spans, vectors })
}

interface Encoded {
  readonly text: string
  readonly spans: readonly Span[]
  /** One for each of the first sentences. */
  readonly vectors: readonly Float32Array[]
}

function analysisOf(reading: Reading, { text, spans, vectors }: Encoded): Analysis {
  const { encoder, recogniser, places, sentiment } = reading
  const lengths = spans.slice(0, vectors.length).map(({ start, end }) => end - start)
  const scores = vectors.map((vector, i) => sentiment.score(vector, text.slice(spans[i]?.start, spans[i]?.end)))
  const score = rounded(meanScore(scores.map((each, i) => ({ score: each, length: lengths[i] ?? 0 }))))
  // A sentence past the cap was not read for its feeling: the article's is the best guess.
  const read = spans.map(({ start, end }, i) => ({ start, end, sentiment_score: rounded(scores[i] ?? score) }))
  const entities = entitiesOf(text, { sentences: read, found: recogniser.recognise(text, spans), places })
  const analyzed = recognisedChars(spans)
  return {
    sentences: read,
    sentence_vectors: bf16(`${encoder.model}:sentence`, encoder.dim, vectors),
    entities,
    locations: [...new Set(entities.filter(({ type }) => type === 'GPE' || type === 'LOC').map(({ name }) => name))],
    sentiment_score: score,
    sentiment_label: sentimentLabel(score),
    article_embedding: f32(`${encoder.model}:sentence-mean`, meanVector(vectors, lengths, encoder.dim)),
    truncated: spans.length > vectors.length || analyzed < (spans.at(-1)?.end ?? 0),
    analyzed_chars: analyzed,
    models: { encoder: encoder.model, recogniser: recogniser.model, sentiment: sentiment.model },
  }
}

/** Four places: what a reader can tell apart. */
const rounded = (score: number): number => Math.round(score * 1e4) / 1e4
