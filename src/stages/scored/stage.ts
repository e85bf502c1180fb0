import { derivedEnvelope } from '../../state/derived-envelope.ts'
import {
  articlesIngested,
  articlesScored,
  type ArticleIngested,
  type ArticleScored,
  type CrossVectors,
  NO_CROSS_VECTORS,
  type Token,
} from '../../events/articles.ts'
import { STAGES } from '../../events/stages.ts'
import { contentHash, embeddingId } from '../../events/ids.ts'
import { f32, i8 } from '../../events/vector.ts'
import { genreOf, type GenreModel } from '../../language/genre/genre.ts'
import { credibility as credibilityOf, type Credibility } from '../../language/quality/credibility.ts'
import { quality as qualityOf } from '../../language/quality/quality.ts'
import { read } from '../../language/quality/reading.ts'
import { semanticHash, bodyOf } from '../../language/body-text.ts'
import { type TokenReading, tokensOf, rescaled, type PlacedToken } from '../../language/tokens/tokens.ts'
import type { CrossEncoder } from '../../ports/cross-encoder.ts'
import type { Encoder, PassageVectors } from '../../ports/encoder.ts'
import { emit, refuse, type Input, type Outcome, type Stage } from '../../runtime/shapes.ts'
import { type CrossArticle, crossTexts, crossVectors } from './cross-vectors.ts'
import { cleaned, type CleanArticle } from './clean-article.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import { languageOf } from '../../language/language-of.ts'
import { sentences, type Span, firstSentences } from '../../language/sentences.ts'

export interface ScoredDependencies {
  readonly encoder: Encoder
  /** `null` if only English is read. */
  readonly crossEncoder: CrossEncoder | null
  readonly credibility: Credibility
  readonly genres: GenreModel
  readonly tokens: TokenReading
  /** Minimum quality at which an article of the shared namespace is forwarded, 0 to 1. */
  readonly gate: number
}

/** Layer 0: cleans an article and determines its language, quality, tokens and vectors. */
export const scored = (dependencies: ScoredDependencies): Stage<ArticleIngested, ArticleScored> => ({
  name: STAGES.scored.stage,
  version: STAGES.scored.version,
  reads: articlesIngested,
  writes: articlesScored,

  handle: async (inputs) => {
    const articles = await Promise.all(
      inputs.map(async ({ event }) => {
        const article = cleaned(event)
        return typeof article === 'string' ? article : readArticle(article, dependencies.tokens)
      }),
    )
    const accepted = articles.filter((article) => typeof article !== 'string')
    const [vectors, cross] = await Promise.all([
      vectorsOf(dependencies.encoder, accepted),
      crossVectorsOf(dependencies.crossEncoder, accepted),
    ])
    return inputs.map((input, i): Outcome<ArticleScored> => {
      const article = articles[i] ?? 'text_too_short'
      if (typeof article === 'string') return refuse(article)
      return emit(score(input, article, { ...dependencies, vectors: vectors(article), cross: cross(article) }))
    })
  },
})

/** One call to the encoder for all articles. */
async function vectorsOf(
  encoder: Encoder,
  articles: readonly ReadArticle[],
): Promise<(of: ReadArticle) => PassageVectors> {
  const given = articles.length === 0 ? [] : await encoder.passages(articles.map(({ passage }) => passage))
  const byArticle = new Map(articles.map((article, i) => [article, given[i]]))
  return (article) => {
    const vectors = byArticle.get(article)
    if (vectors === undefined) throw new Error('The encoder returned fewer results than it was given passages')
    return vectors
  }
}

/** One call to the encoder for all articles; no vectors if only English is read. */
export async function crossVectorsOf<Article extends CrossArticle>(
  encoder: CrossEncoder | null,
  articles: readonly Article[],
): Promise<(of: Article) => CrossVectors> {
  if (encoder === null || articles.length === 0) return () => NO_CROSS_VECTORS
  return crossVectors(articles, await encoder.encode(crossTexts(articles)), encoder.model)
}

interface ScoredVectors {
  readonly vectors: PassageVectors
  readonly cross: CrossVectors
}

function score(
  { event, place, loggedAt }: Input<ArticleIngested>,
  { article, body, language, spans, tokens }: ReadArticle,
  { encoder, credibility, genres, gate: minimum, vectors, cross }: ScoredDependencies & ScoredVectors,
): ArticleScored {
  const reading = read(body, language, spans)
  const quality = qualityOf(reading, credibilityOf(credibility, article))
  const article_id = articlesIngested.key(event)
  const occurred_at = occurredAt(event.published_date, loggedAt)
  const content_hash = contentHash(article.title, article.text)
  const model = `${encoder.model}:${encoder.kinds.article}`
  const found = tokensWithVectors(tokens, vectors.terms)

  return {
    ...derivedEnvelope(STAGES.scored, { event: { ...event, occurred_at }, place }),
    job_id: event.job_id,
    text_source: textSourceOf(event),
    article_id,
    content_hash,
    ...article,
    published_date: event.published_date,
    dated: event.published_date !== null,
    language,
    quality_score: quality.score,
    quality: quality.parts,
    genre: genreOf({ ...article, body, language }, genres),
    semantic_hash: semanticHash(body),
    token_count: reading.words.length,
    title_vector: f32(`${encoder.model}:title`, vectors.title),
    lead_vector: f32(`${encoder.model}:lead`, vectors.lead),
    ...cross,
    embedding: f32(model, vectors.article),
    embedding_id: embeddingId(model, article_id, content_hash),
    tokens: found.tokens,
    token_vectors: i8(`${encoder.model}:${encoder.kinds.term}`, encoder.dim, found.vectors),
    ...gate(event.namespace, quality.score, minimum),
  }
}

/** A foreign producer may have written anything. */
const textSourceOf = ({ text_source }: ArticleIngested): ArticleScored['text_source'] =>
  text_source === 'page' || text_source === 'feed' ? text_source : null

/** Event time: the publication date, but not after the arrival. The arrival if there is no date. */
export const occurredAt = (published: number | null, loggedAt: number): number =>
  published === null ? loggedAt : Math.min(published, loggedAt)

/** The quality gate. It applies only to the shared namespace. */
export function gate(
  namespace: string,
  quality: number,
  minimum: number,
): Pick<ArticleScored, 'forwarded' | 'gate_reason'> {
  if (namespace !== SHARED) return { forwarded: true, gate_reason: 'private_bypass' }
  return quality >= minimum
    ? { forwarded: true, gate_reason: 'passed' }
    : { forwarded: false, gate_reason: 'below_gate' }
}

/** Characters of the body passed to the encoder; more than fit into its window. */
export const PASSAGE_CHARS = 1_700
/**
 * About 95 words, the rest of the encoder's window after a title. A term outside it has no vector, and name recognition
 * is the most expensive step.
 */
const TOKEN_CHARS = 460

/** An article before it is encoded. */
export interface ReadArticle {
  readonly article: CleanArticle
  /** Without a leading copy of the title. A text that consists only of its headline is kept as it is. */
  readonly body: string
  readonly language: string
  /** The body's sentences. */
  readonly spans: readonly Span[]
  readonly tokens: readonly PlacedToken[]
  /** The input of the encoder: `Passage` of the port. */
  readonly passage: {
    readonly title: string
    readonly sentences: readonly string[]
    readonly terms: readonly PlacedToken['term'][]
  }
}

export async function readArticle(article: CleanArticle, reading: TokenReading): Promise<ReadArticle> {
  const { text } = article
  const title = article.title ?? ''
  const own = bodyOf(title, text)
  const body = own || text
  const language = await languageOf(body, title)
  const spans = sentences(body)
  const read = own === '' ? [] : spans // otherwise the headline would be read twice
  const tokens = tokensOf({ title, sentences: firstSentences(body, read, TOKEN_CHARS), language }, reading)
  const passage = { title, sentences: firstSentences(body, read, PASSAGE_CHARS), terms: tokens.map(({ term }) => term) }
  return { article, body, language, spans, tokens, passage }
}

/** The tokens inside the encoder's windows, each with a vector. */
export function tokensWithVectors(
  tokens: readonly PlacedToken[],
  vectors: readonly (Float32Array | null)[],
): { readonly tokens: readonly Token[]; readonly vectors: readonly Float32Array[] } {
  const kept = tokens.flatMap(({ token }, i) => {
    const vector = vectors[i] ?? null
    return vector === null ? [] : [{ token, vector }]
  })
  return { tokens: rescaled(kept.map(({ token }) => token)), vectors: kept.map(({ vector }) => vector) }
}
