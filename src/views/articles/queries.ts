import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * At most one row: an article as of a moment, in its newest revision. `revision` counts content hashes in log order
 * from 1; `is_duplicate_of` names the earliest other article with the same body. Times are ISO 8601.
 */
export const article = query({
  name: 'articles.one',
  sql: `
    WITH wanted AS (
      SELECT * EXCEPT text, row_number() OVER (ORDER BY _offset) AS revision
      FROM articles FINAL
      WHERE namespace = {namespace: String} AND article_id = {article_id: String}
      QUALIFY occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY revision DESC
      LIMIT 1
    ),
    originals AS (
      SELECT semantic_hash, argMin(article_id, (occurred_at, article_id)) AS original
      FROM articles FINAL
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND semantic_hash IN (SELECT semantic_hash FROM wanted)
      GROUP BY semantic_hash
    )
    SELECT
      article_id, content_hash, revision, title, url, source, author, published_date, occurred_at, language,
      quality_score, quality_rating, quality_depth, quality_coherence, quality_credibility, quality_spam,
      semantic_hash, token_count, embedding_id, if({include_embedding: Bool}, embedding, []) AS embedding,
      forwarded, gate_reason, if(original = article_id, NULL, toNullable(original)) AS is_duplicate_of,
      _log_at AS created_at
    FROM wanted INNER JOIN originals USING (semantic_hash)`,
  params: z.object({ article_id: z.string(), as_of: moment, include_embedding: z.boolean() }),
  row: z.object({
    article_id: z.string(),
    content_hash: z.string(),
    revision: z.int().positive(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    source: z.string().nullable(),
    author: z.string().nullable(),
    published_date: z.string().nullable(),
    occurred_at: z.string(),
    language: z.string(),
    quality_score: z.number(),
    quality_rating: z.enum(['Excellent', 'Good', 'Medium', 'Low', 'Noise']),
    quality_depth: z.number(),
    quality_coherence: z.number(),
    quality_credibility: z.number(),
    quality_spam: z.number(),
    semantic_hash: z.string(),
    token_count: z.number(),
    embedding_id: z.string(),
    /** Empty unless asked for. */
    embedding: z.array(z.number()),
    forwarded: z.boolean(),
    gate_reason: z.string(),
    is_duplicate_of: z.string().nullable(),
    created_at: z.string(),
  }),
})

/** A vector as a query's parameter: base64 of its float32 bytes. */
const vector = z
  .custom<Float32Array>((given) => given instanceof Float32Array)
  .transform(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('base64'))

/** The articles nearest to a vector, each once and in its newest revision. `distance` is 0 to 2, nearest first. */
export const nearestArticles = query({
  name: 'articles.nearest',
  sql: `
    WITH newest AS (
      SELECT article_id, argMax(content_hash, _offset) AS content_hash
      FROM articles FINAL
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT
      article_id, title, url, source, published_date, quality_score,
      cosineDistance(
        _search_vector, CAST(reinterpret(base64Decode({vector: String}), 'Array(Float32)'), 'Array(BFloat16)')
      ) AS distance
    FROM articles FINAL
    WHERE namespace = {namespace: String} AND quality_score >= {min_quality: Float64}
      AND (article_id, content_hash) IN (SELECT article_id, content_hash FROM newest)
    ORDER BY distance, article_id
    LIMIT {limit: UInt32}`,
  params: z.object({ vector, as_of: moment, min_quality: z.number(), limit: z.int() }),
  row: z.object({
    article_id: z.string(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    source: z.string().nullable(),
    published_date: z.string().nullable(),
    quality_score: z.number(),
    distance: z.number(),
  }),
})

/** One row: how many articles a namespace has as of a moment, in how many revisions, and how many went on to Layer 1. */
export const articleCounts = query({
  name: 'articles.counts',
  sql: `
    SELECT uniqExact(article_id) AS articles, count() AS revisions, uniqExactIf(article_id, forwarded) AS forwarded
    FROM articles FINAL
    WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}`,
  params: z.object({ as_of: moment }),
  row: z.object({ articles: z.number(), revisions: z.number(), forwarded: z.number() }),
})
