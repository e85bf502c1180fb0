import { articlesIngested, articlesScored, type ArticleIngested, type ArticleScored } from '../../events/articles.ts'
import { STAGES } from '../../events/stages.ts'
import { contentHash, derivedId, embeddingId } from '../../events/ids.ts'
import { bf16, f32 } from '../../events/vector.ts'
import { genreOf, type GenreModel } from '../../language/genre/genre.ts'
import { credibility as credibilityOf, type Credibility } from '../../language/quality/credibility.ts'
import { quality as qualityOf } from '../../language/quality/quality.ts'
import { read } from '../../language/quality/reading.ts'
import { semanticHash } from '../../language/body-text.ts'
import type { TokenReading } from '../../language/tokens/tokens.ts'
import type { Encoder, PassageVectors } from '../../ports/encoder.ts'
import { emit, refuse, type Input, type Outcome, type Stage } from '../../runtime/shapes.ts'
import { cleaned } from './clean-article.ts'
import { gate as gateOf } from './gate.ts'
import { readArticle, tokensWithVectors, type ReadArticle } from './read-article.ts'

export interface ScoredDependencies {
  readonly encoder: Encoder
  readonly credibility: Credibility
  readonly genres: GenreModel
  readonly tokens: TokenReading
  /** Quality an article of the shared namespace needs to be forwarded, 0 to 1. */
  readonly gate: number
}

/** Layer 0: what an article says, in which language, how well, by which words, and where it stands among others. */
export const scored = (dependencies: ScoredDependencies): Stage<ArticleIngested, ArticleScored> => ({
  name: STAGES.scored.stage,
  version: STAGES.scored.version,
  reads: articlesIngested,
  writes: articlesScored,

  handle: async (inputs) => {
    const articles = inputs.map(({ event }) => {
      const article = cleaned(event)
      return typeof article === 'string' ? article : readArticle(article, dependencies.tokens)
    })
    const vectors = await vectorsOf(
      dependencies.encoder,
      articles.filter((article) => typeof article !== 'string'),
    )
    return inputs.map((input, i): Outcome<ArticleScored> => {
      const article = articles[i] ?? 'text_too_short'
      if (typeof article === 'string') return refuse(article)
      return emit(score(input, article, { ...dependencies, vectors: vectors(article) }))
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
    if (vectors === undefined) throw new Error('The encoder gave fewer passages than it was given')
    return vectors
  }
}

function score(
  { event, topic, place, loggedAt }: Input<ArticleIngested>,
  { article, body, language, spans, tokens }: ReadArticle,
  { encoder, credibility, genres, gate, vectors }: ScoredDependencies & { readonly vectors: PassageVectors },
): ArticleScored {
  const reading = read(body, language, spans)
  const quality = qualityOf(reading, credibilityOf(credibility, article))
  const article_id = articlesIngested.key(event)
  const content_hash = contentHash(article.title, article.text)
  const model = `${encoder.model}:${encoder.kinds.article}`
  const found = tokensWithVectors(tokens, vectors.terms)

  return {
    event_id: derivedId(STAGES.scored, event.event_id),
    namespace: event.namespace,
    occurred_at: occurredAt(event.published_date, loggedAt),
    caused_by: { topic, partition: place.partition, offset: place.offset },
    produced_by: STAGES.scored,
    job_id: event.job_id,
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
    embedding: f32(model, vectors.article),
    embedding_id: embeddingId(model, article_id, content_hash),
    tokens: found.tokens,
    token_vectors: bf16(`${encoder.model}:${encoder.kinds.term}`, encoder.dim, found.vectors),
    ...gateOf(event.namespace, quality.score, gate),
  }
}

/** Event time: the publication, at most the arrival; the arrival where there is no date. */
export const occurredAt = (published: number | null, loggedAt: number): number =>
  published === null ? loggedAt : Math.min(published, loggedAt)
