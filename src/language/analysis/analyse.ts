import { setImmediate } from 'node:timers/promises'
import pMap from 'p-map'
import type { ArticleAnalyzed, ArticleFacts } from '../../events/articles.ts'
import type { Envelope } from '../../events/envelope.ts'
import { i8 } from '../../events/vector.ts'
import type { Encoder } from '../../ports/encoder.ts'
import type { Reader, SentenceInWords, SentenceReading } from '../../ports/reader.ts'
import { isReadAsEnglish } from '../language-of.ts'
import { placesIn } from '../foreign/places.ts'
import { isOfPlace } from '../places/places.ts'
import { type NameLists, namedSpans } from '../recogniser/named-spans.ts'
import { readWords, sentenceAt } from '../recogniser/words.ts'
import { sentences, type Span } from '../sentences.ts'
import { meanScore, meanVector } from '../vectors.ts'
import { sentimentLabel } from '../sentiment/sentiment.ts'
import { entitiesOf } from './entities-of.ts'

/** Number of sentences that always have a vector and a sentiment, and whose vectors are returned. */
export const RETURNED_VECTORS = 32

/** The model and tables of Layer 1. */
export interface AnalysisTools {
  /** Of English, and of texts whose language is not known. */
  readonly reader: Reader
  /** Of other languages; `null` if they are read as English. */
  readonly crossReader: Reader | null
  readonly lists: NameLists
}

/** The tools of texts whose vectors are compared with those of articles. */
export interface ReadingTools extends AnalysisTools {
  readonly encoder: Encoder
}

/** A text to analyse. */
interface AnalysedText {
  /** Plain text. */
  readonly text: string
  /** ISO 639-1, or `und`. */
  readonly language: string
  /** Milliseconds since 1970, the reference for dates such as "last Tuesday"; `null` if unknown. */
  readonly published: number | null
}

/** The tables for a language: its names of places, too. */
const listsFor = ({ lists }: AnalysisTools, language: string): NameLists =>
  isReadAsEnglish(language) ? lists : { ...lists, places: placesIn(language) }

/** The result of Layer 1 for a text. */
export interface Analysis {
  readonly fields: Omit<ArticleAnalyzed, keyof Envelope | keyof ArticleFacts | 'direct'>
  /** Vectors of the first sentences, float32[dim], unit length. Events do not have them: no consumer of the log needs them. */
  readonly sentenceVectors: readonly Float32Array[]
}

/** Number of texts analysed concurrently: while this thread finds the names of one, the model reads the next ones. */
const CONCURRENCY = 4

/**
 * Analyses texts; returns one result per text, in order. Pure apart from the model. Yields to the event loop between
 * two texts, so that a long batch blocks neither the model's processes nor other work.
 */
export function analyse(tools: AnalysisTools, articles: readonly AnalysedText[]): Promise<Analysis[]> {
  return pMap(articles, (article) => analyseOne(tools, article), { concurrency: CONCURRENCY })
}

/** The reader of a language. */
export const readerFor = (
  { reader, crossReader }: Pick<AnalysisTools, 'reader' | 'crossReader'>,
  language: string,
): Reader => (isReadAsEnglish(language) ? reader : (crossReader ?? reader))

async function analyseOne(tools: AnalysisTools, article: AnalysedText): Promise<Analysis> {
  const { text, published } = article
  const language = tools.crossReader === null ? 'en' : article.language
  const reader = readerFor(tools, language)
  const lists = listsFor(tools, language)
  const spans = sentences(text)
  const { read, readings } = await readBy(reader, readWords(text, spans))
  const names = namedSpans(text, { read, tags: readings.map(({ tags }) => tags) }, lists)
  const sentiments = readings.map(({ sentiment }, i) => sentiment(names[i] ?? []))
  await setImmediate()
  const rest = await readBeginnings(reader, text, spans.slice(read.length, RETURNED_VECTORS))

  const lengths = spans.map(({ start, end }) => end - start)
  const scores = [...sentiments, ...rest.map(({ sentiment }) => sentiment([]))].map(({ sentence }) => sentence)
  const score = rounded(meanScore(scores.map((each, i) => ({ score: each, length: lengths[i] ?? 0 }))))
  // Sentences past the limit have no sentiment of their own: the article's is the best estimate.
  const scored = spans.map(({ start, end }, i) => ({
    ...{ start, end },
    sentiment_score: rounded(scores[i] ?? score),
  }))
  const targetScores = sentiments.flatMap(({ targets }) => targets.map(rounded))
  const entities = entitiesOf(text, {
    sentences: scored,
    names: names.flat(),
    targetScores,
    tagged: read,
    ...{ language, published, lists },
  })
  const vectors = [...readings, ...rest].map(({ vector }) => vector)
  const sentenceVectors = vectors.slice(0, RETURNED_VECTORS)
  const analyzed = read.at(-1)?.end ?? 0
  const fields = {
    sentences: scored,
    sentence_vectors: i8(`${reader.models.encoder}:sentence`, reader.dim, []),
    entities,
    locations: [...new Set(entities.filter(isOfPlace).map(({ name }) => name))],
    sentiment_score: score,
    sentiment_label: sentimentLabel(score),
    article_embedding: i8(`${reader.models.encoder}:sentence-mean`, reader.dim, [
      meanVector(vectors, lengths, reader.dim),
    ]),
    truncated: spans.length > sentenceVectors.length || analyzed < (spans.at(-1)?.end ?? 0),
    analyzed_chars: analyzed,
    models: { ...reader.models },
  }
  return { fields, sentenceVectors }
}

/** The sentences that the model read, and its readings: it reads a limited number of word pieces. */
async function readBy(
  reader: Reader,
  sentences: readonly SentenceInWords[],
): Promise<{ readonly read: readonly SentenceInWords[]; readonly readings: readonly SentenceReading[] }> {
  const readings = sentences.length === 0 ? [] : await reader.read(sentences)
  if (readings.length > sentences.length || (readings.length === 0 && sentences.length > 0))
    throw new Error(`The model returned ${readings.length} results for ${sentences.length} sentences`)
  return { read: sentences.slice(0, readings.length), readings }
}

/** Characters that are read of a sentence past the part that is searched for names: about a window of the model. */
const BEGINNING_CHARS = 600

/** Reads the beginnings of sentences, each alone, so that the limit of the model for an article does not apply. */
const readBeginnings = (reader: Reader, text: string, spans: readonly Span[]): Promise<readonly SentenceReading[]> =>
  Promise.all(
    spans.map(async ({ start, end }) => {
      const { readings } = await readBy(reader, [sentenceAt(text, start, Math.min(end, start + BEGINNING_CHARS))])
      return readings
    }),
  ).then((each) => each.flat())

/** Rounds to four decimals. */
const rounded = (score: number): number => Math.round(score * 1e4) / 1e4
