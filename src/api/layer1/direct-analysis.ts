import { type ArticleAnalyzed, type ArticleFacts, NO_CROSS_VECTORS } from '../../events/articles.ts'
import { contentHash, derivedId } from '../../events/ids.ts'
import { i8 } from '../../events/vector.ts'
import { analyse, type ReadingTools } from '../../language/analysis/analyse.ts'
import { bodyOf, semanticHash } from '../../language/body-text.ts'
import { genreOf, type GenreModel } from '../../language/genre/genre.ts'
import { languageOf } from '../../language/language-of.ts'
import { plainText, shortLine } from '../../language/plain-text.ts'
import { credibility as credibilityOf, type Credibility } from '../../language/quality/credibility.ts'
import { quality } from '../../language/quality/quality.ts'
import { read } from '../../language/quality/reading.ts'
import { sentences, firstSentences } from '../../language/sentences.ts'
import type { Encoder } from '../../ports/encoder.ts'
import type { ArticleToAnalyze } from './given-article.ts'

const BY = { stage: 'direct', version: '1' } as const

/** How much of the text is encoded, in characters: more than the encoder's window holds, as in Layer 0. */
const PASSAGE_CHARS = 1_700

interface AnalyzesWith {
  readonly reading: ReadingTools
  readonly credibility: Credibility
  readonly genres: GenreModel
}

/** The event of an analysis, and the vectors of the first sentences, float32[dim], unit length. */
interface DirectAnalysis {
  readonly event: ArticleAnalyzed
  readonly sentenceVectors: readonly Float32Array[]
}

/**
 * The event of an article that did not come through Layer 0, with the fields that Layer 0 would extract. Its id is
 * derived from namespace, article and content, so that a repeat is the same event. `null` if the mark-up contains no
 * text. `now` is in milliseconds since 1970.
 */
export async function directAnalysis(
  article: ArticleToAnalyze,
  { namespace, now }: { readonly namespace: string; readonly now: number },
  { reading, ...rules }: AnalyzesWith,
): Promise<DirectAnalysis | null> {
  const { article_id, published } = article
  const text = plainText(article.content)
  if (text === '') return null

  const title = shortLine(article.title)
  const body = bodyOf(title, text) || text
  const language = await languageOf(body, title ?? '')
  const clean = { article_id, published, text, url: article.url, title, body, language }
  const [[analysis], facts] = await Promise.all([
    analyse(reading, [{ text, language, published }]),
    factsOf(clean, { encoder: reading.encoder, ...rules }),
  ])
  if (analysis === undefined) throw new Error('The analysis returned no result for an article')
  const event = {
    event_id: derivedId(BY, [namespace, article_id, facts.content_hash].join('\n')),
    namespace,
    occurred_at: published === null ? now : Math.min(published, now),
    caused_by: null,
    produced_by: BY,
    ...facts,
    direct: true,
    ...analysis.fields,
  }
  return { event, sentenceVectors: analysis.sentenceVectors }
}

interface CleanText extends Omit<ArticleToAnalyze, 'content'> {
  readonly text: string
  /** Without a leading copy of the title. */
  readonly body: string
  /** ISO 639-1, or `und`. */
  readonly language: string
}

async function factsOf(
  { article_id, published, text, url, title, body, language }: CleanText,
  { encoder, credibility, genres }: Omit<AnalyzesWith, 'reading'> & { readonly encoder: Encoder },
): Promise<ArticleFacts> {
  const spans = sentences(body)
  const passage = { title: title ?? '', sentences: firstSentences(body, spans, PASSAGE_CHARS), terms: [] }
  const [vectors] = await encoder.passages([passage])
  if (vectors === undefined) throw new Error('The encoder returned fewer results than it was given passages')
  return {
    article_id,
    content_hash: contentHash(title, text),
    ...{ url, title, text, language },
    source: null,
    author: null,
    published_date: published,
    dated: published !== null,
    quality_score: quality(read(body, language, spans), credibilityOf(credibility, { url, source: null })).score,
    genre: genreOf({ url, title, source: null, author: null, body, language }, genres),
    semantic_hash: semanticHash(body),
    title_vector: i8(`${encoder.model}:title`, encoder.dim, [vectors.title]),
    lead_vector: i8(`${encoder.model}:lead`, encoder.dim, [vectors.lead]),
    ...NO_CROSS_VECTORS, // the article is never clustered
  }
}
