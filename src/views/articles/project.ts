import { articlesScored } from '../../events/articles.ts'
import type { ArticleScored } from '../../events/articles.ts'
import { bf16, vectors } from '../../events/vector.ts'
import type { Row } from '../../ports/store.ts'
import { on } from '../../runtime/shapes.ts'
import type { Input, TableRow, View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { placeOf } from '../place.ts'
import { completedJobs } from './completed-jobs.ts'

/** Every article and each of its revisions, as Layer 0 left it. */
export const articles: View = {
  name: 'articles',
  projections: [on(articlesScored, articleRows), completedJobs],
}

/** The rows of one scored article, its tokens' included. */
export function articleRows(input: Input<ArticleScored>): readonly TableRow[] {
  const place = placeOf(input)
  return [
    { table: 'articles', row: { ...articleRow(input.event), ...place } },
    { table: 'article_vectors', row: { ...vectorRow(input.event), ...place } },
    ...tokenRows(input.event).map((row) => ({ table: 'tokens', row: { ...row, ...place } })),
  ]
}

const articleRow = (event: ArticleScored): Row => ({
  namespace: event.namespace,
  article_id: event.article_id,
  content_hash: event.content_hash,
  event_id: event.event_id,
  occurred_at: instant(event.occurred_at),
  dated: event.dated,
  url: event.url,
  title: event.title,
  source: event.source,
  author: event.author,
  published_date: instantOrNull(event.published_date),
  text: event.text,
  language: event.language,
  quality_score: event.quality_score,
  genre: event.genre,
  quality_rating: event.quality.rating,
  quality_depth: event.quality.depth,
  quality_coherence: event.quality.coherence,
  quality_credibility: event.quality.credibility,
  quality_spam: event.quality.spam,
  semantic_hash: event.semantic_hash,
  token_count: event.token_count,
  embedding_id: event.embedding_id,
  embedding_model: event.embedding.model,
  embedding: vectors(event.embedding)[0] ?? new Float32Array(),
  forwarded: event.forwarded,
  gate_reason: event.gate_reason,
})

const vectorRow = (event: ArticleScored): Row => ({
  namespace: event.namespace,
  article_id: event.article_id,
  content_hash: event.content_hash,
  occurred_at: instant(event.occurred_at),
  dated: event.dated,
  title: event.title,
  url: event.url,
  source: event.source,
  published_date: instantOrNull(event.published_date),
  quality_score: event.quality_score,
  vector: bf16(event.embedding.model, event.embedding.dim, vectors(event.embedding)).data,
})

/** The vectors stay the bytes they are: 768 of each token's own. */
function tokenRows({ namespace, article_id, content_hash, tokens, token_vectors }: ArticleScored): readonly Row[] {
  const { model, data } = token_vectors
  const width = tokens.length === 0 ? 0 : data.length / tokens.length
  return tokens.map(({ text, pos_tag, entity_type, importance, context_sentiment }, ordinal) => ({
    namespace,
    article_id,
    content_hash,
    ordinal,
    ...{ text, pos_tag, entity_type, importance, context_sentiment },
    vector_model: model,
    vector: data.subarray(ordinal * width, (ordinal + 1) * width),
  }))
}
