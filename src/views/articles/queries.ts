import { z } from 'zod'
import { GENRES } from '../../events/articles.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { originalsOf } from '../clusters/as-of.ts'

/**
 * Columns of `articles` that `GET /layer0/v1/article/{article_id}` returns unchanged. Add a new returned field of the
 * article record here.
 */
export const ARTICLE_FACTS = {
  title: z.string().nullable(),
  url: z.string().nullable(),
  source: z.string().nullable(),
  author: z.string().nullable(),
  semantic_hash: z.string().describe('16 hexadecimal digits; equal for reprints.'),
  token_count: z.int(),
  language: z.string().describe('ISO 639-1 code, or `und` if undetermined.'),
  forwarded: z.boolean().describe('Whether the article proceeded to Layer 1.'),
  gate_reason: z
    .string()
    .describe('`passed`; `below_gate`: quality too low; `private_bypass`: private namespaces have no quality gate.'),
  text_source: z
    .enum(['page', 'feed'])
    .nullable()
    .describe(
      '`page`: extracted from the page of the article. `feed`: from the item of a feed, often a summary, because the ' +
        'page gave no article. `null`: as it was sent.',
    ),
}

/**
 * At most one row: an article as of a point in time, in its newest revision. `revision` counts content hashes in log
 * order from 1. `first_alike` is the earliest article (possibly this one) whose newest revision has the same body;
 * clustered articles take precedence. Times are ISO 8601.
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
    alike AS (
      SELECT article_id, content_hash, semantic_hash, occurred_at
      FROM articles FINAL
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')} AND article_id IN
      (
        SELECT article_id FROM articles
        WHERE namespace = {namespace: String} AND semantic_hash IN (SELECT semantic_hash FROM wanted)
      )
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    ),
    clustered AS (
      SELECT article_id, content_hash FROM origins
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM alike)
    ),
    originals AS (
      SELECT
        semantic_hash,
        count() AS articles,
        min((article_id, content_hash) NOT IN (SELECT * FROM clustered)) = 0 AS any_clustered,
        argMin(article_id, ((article_id, content_hash) NOT IN (SELECT * FROM clustered), occurred_at, article_id)) AS original
      FROM alike
      WHERE semantic_hash IN (SELECT semantic_hash FROM wanted)
      GROUP BY semantic_hash
    )
    SELECT
      article_id, ${Object.keys(ARTICLE_FACTS).join(', ')},
      content_hash, revision, published_date, occurred_at, quality_score, genre,
      quality_rating, quality_depth, quality_coherence, quality_credibility, quality_spam,
      embedding_id, if({include_embedding: Bool}, embedding, []) AS embedding,
      if(articles > 1, toNullable(original), NULL) AS first_alike,
      toBool(any_clustered) AS first_alike_clustered, _log_at AS created_at
    FROM wanted INNER JOIN originals USING (semantic_hash)`,
  params: z.object({ article_id: z.string(), as_of: moment, include_embedding: z.boolean() }),
  row: z.object({
    article_id: z.string(),
    ...ARTICLE_FACTS,
    content_hash: z.string(),
    revision: z.int().positive(),
    published_date: z.string().nullable(),
    occurred_at: z.string(),
    quality_score: z.number(),
    genre: z.enum(GENRES),
    quality_rating: z.enum(['Excellent', 'Good', 'Medium', 'Low', 'Noise']),
    quality_depth: z.number(),
    quality_coherence: z.number(),
    quality_credibility: z.number(),
    quality_spam: z.number(),
    embedding_id: z.string(),
    /** Empty unless requested. */
    embedding: z.array(z.number()),
    /** `null` if no other article has this body. */
    first_alike: z.string().nullable(),
    /** Whether its revision with this body was clustered. */
    first_alike_clustered: z.boolean(),
    created_at: z.string(),
  }),
})

/** At most one row: a stored vector by its id. It always belongs to the same revision of an article. */
export const embedding = query({
  name: 'articles.embedding',
  sql: `
    SELECT embedding_id, article_id, revision, model, embedding FROM
    (
      SELECT
        embedding_id, article_id, embedding_model AS model, embedding,
        row_number() OVER (PARTITION BY article_id ORDER BY _offset) AS revision
      FROM articles FINAL
      WHERE namespace = {namespace: String} AND article_id IN
      (
        SELECT article_id FROM articles
        WHERE namespace = {namespace: String} AND embedding_id = {embedding_id: String}
      )
    )
    WHERE embedding_id = {embedding_id: String}
    LIMIT 1`,
  params: z.object({ embedding_id: z.string() }),
  row: z.object({
    embedding_id: z.string(),
    article_id: z.string(),
    revision: z.int().positive(),
    model: z.string(),
    embedding: z.array(z.number()),
  }),
})

/**
 * One row: the number of articles of a namespace as of a point in time, of their revisions, and of those forwarded to
 * Layer 1.
 */
export const articleCounts = query({
  name: 'articles.counts',
  sql: `
    SELECT uniqExact(article_id) AS articles, count() AS revisions, uniqExactIf(article_id, forwarded) AS forwarded
    FROM articles FINAL
    WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}`,
  params: z.object({ as_of: moment }),
  row: z.object({ articles: z.number(), revisions: z.number(), forwarded: z.number() }),
})

/**
 * One row: the number of articles of a namespace by ingestion time, and the period they cover (ISO 8601, `null` without
 * articles).
 */
export const intake = query({
  name: 'articles.intake',
  sql: `
    SELECT
      uniq(article_id) AS total,
      uniqIf(article_id, _log_at > {hour: DateTime64(3, 'UTC')}) AS last_hour,
      uniqIf(article_id, _log_at > {day: DateTime64(3, 'UTC')}) AS last_24h,
      minOrNull(occurred_at) AS first_published, maxOrNull(occurred_at) AS last_published
    FROM articles
    WHERE namespace = {namespace: String}`,
  params: z.object({ hour: moment, day: moment }),
  row: z.object({
    total: z.number(),
    last_hour: z.number(),
    last_24h: z.number(),
    first_published: z.string().nullable(),
    last_published: z.string().nullable(),
  }),
})

/** Articles scored per minute since a point in time, by log time; minutes without articles have no row. */
export const intakeByMinute = query({
  name: 'articles.intake_by_minute',
  sql: `
    SELECT toDateTime64(toStartOfMinute(_log_at), 3, 'UTC') AS time, uniq(article_id) AS articles
    FROM articles
    WHERE namespace = {namespace: String} AND _log_at > {from: DateTime64(3, 'UTC')}
    GROUP BY time
    ORDER BY time`,
  params: z.object({ from: moment }),
  row: z.object({ time: z.string(), articles: z.number() }),
})

/**
 * At most one row: the origin of an article as of a point in time, by the newest revisions then; no row if it was never
 * clustered. `syndication_group` is null if no other article is in the group. `is_duplicate_of` is the group's
 * original; null for the original itself.
 */
export const articleOrigin = query({
  name: 'articles.origin',
  sql: `
    WITH wanted AS (
      SELECT article_id, content_hash, syndication_group, derived_from, containment
      FROM origins FINAL
      WHERE namespace = {namespace: String} AND article_id = {article_id: String}
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1
    ),
    ${originalsOf('wanted')},
    known AS (
      SELECT article_id FROM origins
      WHERE namespace = {namespace: String} AND article_id IN (SELECT derived_from FROM wanted)
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    )
    SELECT
      content_hash,
      if(articles > 1, toNullable(wanted.syndication_group), NULL) AS syndication_group,
      if(original = article_id, NULL, toNullable(original)) AS is_duplicate_of,
      if(derived_from IN (SELECT article_id FROM known), derived_from, NULL) AS derived_from,
      containment
    FROM wanted INNER JOIN originals ON wanted.syndication_group = originals.syndication_group`,
  params: z.object({ article_id: z.string(), as_of: moment }),
  row: z.object({
    /** The revision that this origin was determined for. */
    content_hash: z.string(),
    syndication_group: z.string().nullable(),
    is_duplicate_of: z.string().nullable(),
    /** The article it quotes or rewrites. */
    derived_from: z.string().nullable(),
    /** Share of the shorter text's word 3-shingles that it has in common with the nearest text, 0 to 1. */
    containment: z.number(),
  }),
})
