import { articlesScored, type ArticleScored } from '../../events/articles.ts'
import { bf16, inBytes, vectors, type Vector } from '../../events/vector.ts'
import type { Row } from '../../ports/store.ts'
import { on, type Input, type TableRow, type View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { pick, withLogPosition } from '../rows.ts'

/** Projected last, so that a client can read the article as soon as its job is completed. */
export const completedJobs = on(articlesScored, (input) => {
  const { namespace, job_id, article_id } = input.event
  return job_id === null
    ? []
    : withLogPosition(input, [{ table: 'jobs_completed', row: { namespace, job_id, article_id } }])
})

/** Every revision of every article after Layer 0. */
export const articles: View = {
  name: 'articles',
  projections: [on(articlesScored, articleRows), completedJobs],
}

/** The rows of one scored article, including those of its tokens. */
export function articleRows(input: Input<ArticleScored>): readonly TableRow[] {
  return withLogPosition(input, [
    { table: 'articles', row: articleRow(input.event) },
    { table: 'article_vectors', row: vectorRow(input.event) },
    ...tokenRows(input.event).map((row) => ({ table: 'tokens', row })),
  ])
}

/** The columns that `articles` and `article_vectors` share. */
const revisionRow = (event: ArticleScored): Row => ({
  ...pick(event, 'namespace', 'article_id', 'content_hash', 'dated', 'url', 'title', 'source', 'quality_score'),
  occurred_at: instant(event.occurred_at),
  published_date: instantOrNull(event.published_date),
})

const articleRow = (event: ArticleScored): Row => ({
  ...revisionRow(event),
  ...pick(event, 'event_id', 'author', 'text', 'text_source', 'language', 'genre', 'semantic_hash', 'token_count'),
  ...pick(event, 'embedding_id', 'forwarded', 'gate_reason'),
  quality_rating: event.quality.rating,
  quality_depth: event.quality.depth,
  quality_coherence: event.quality.coherence,
  quality_credibility: event.quality.credibility,
  quality_spam: event.quality.spam,
  embedding_model: event.embedding.model,
  embedding: vectors(event.embedding)[0] ?? new Float32Array(),
})

const vectorRow = (event: ArticleScored): Row => ({
  ...revisionRow(event),
  language: event.language,
  vector: inHalves(event.embedding),
  cross_vector: inHalves(crossVectorOf(event)),
})

const inHalves = (vector: Vector): Buffer => bf16(vector.model, vector.dim, vectors(vector)).data

/** Of the text if the article is not in English, else of the title: both are in the space of all languages. */
const crossVectorOf = ({ cross_vector, cross_title_vector }: ArticleScored): Vector =>
  cross_vector.dim === 0 ? cross_title_vector : cross_vector

function tokenRows({ namespace, article_id, content_hash, tokens, token_vectors }: ArticleScored): readonly Row[] {
  const { model, dim, data } = inBytes(token_vectors)
  return tokens.map(({ text, pos_tag, entity_type, importance, context_sentiment }, ordinal) => ({
    namespace,
    article_id,
    content_hash,
    ordinal,
    text,
    pos_tag,
    entity_type,
    importance,
    context_sentiment,
    vector_model: model,
    components: data.subarray(ordinal * dim, (ordinal + 1) * dim),
  }))
}
