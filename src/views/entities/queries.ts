import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * Entities named in a window of event time, most mentioned first. Only the newest analysis of an article counts, the
 * pipeline's own before a direct one. All figures of a row are of that window; `article_ids` are the newest first.
 */
export const entityList = query({
  name: 'entities.list',
  sql: `
    WITH newest AS (
      SELECT
        article_id, min(direct) AS best_direct,
        argMax(content_hash, (NOT direct, _offset)) AS best_hash,
        argMax(occurred_at, (NOT direct, _offset)) AS best_time
      FROM analyzed_articles FINAL
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
      HAVING best_time > {from: DateTime64(3, 'UTC')}
    ),
    named AS (
      SELECT
        entity_id, any(name) AS entity_name, any(type) AS entity_type, count() AS mention_count,
        groupUniqArray((occurred_at, article_id)) AS articles
      FROM mentions FINAL
      WHERE namespace = {namespace: String}
        AND (article_id, content_hash, direct) IN (SELECT article_id, best_hash, best_direct FROM newest)
        AND type IN {types: Array(String)}
        AND ({query: String} = '' OR positionCaseInsensitiveUTF8(name, {query: String}) > 0)
      GROUP BY entity_id
      HAVING mention_count >= {min_mentions: UInt32}
    ),
    counted AS (
      SELECT *, count() OVER () AS total FROM named
    )
    SELECT
      entity_id, entity_name AS name, entity_type AS type, mention_count, length(articles) AS article_count, total,
      arrayMin(articles).1 AS first_seen, arrayMax(articles).1 AS last_seen,
      arrayMap(article -> article.2, arraySlice(arrayReverseSort(articles), 1, {max_articles: UInt32})) AS article_ids
    FROM counted
    WHERE mention_count < {after_count: UInt64}
      OR (mention_count = {after_count: UInt64} AND entity_id > {after_id: String})
    ORDER BY mention_count DESC, entity_id
    LIMIT {limit: UInt32} OFFSET {offset: UInt32}`,
  params: z.object({
    from: moment,
    as_of: moment,
    types: z.array(z.string()),
    query: z.string(),
    min_mentions: z.int(),
    max_articles: z.int(),
    after_count: z.int(),
    after_id: z.string(),
    limit: z.int(),
    offset: z.int(),
  }),
  row: z.object({
    entity_id: z.string(),
    name: z.string(),
    type: z.string(),
    mention_count: z.number(),
    article_count: z.number(),
    first_seen: z.string(),
    last_seen: z.string(),
    article_ids: z.array(z.string()),
    /** Entities on all pages. */
    total: z.number(),
  }),
})
