import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** Light columns first: PREWHERE is safe beside FINAL for what is part of the sorting key, and skips the vectors. */
const PLACED_AS_OF = `
  FROM cluster_members FINAL
  PREWHERE article_id IN (SELECT article_id FROM concerned)
  WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
  ORDER BY _offset DESC
  LIMIT 1 BY article_id`

/**
 * A page of clusters, best first, as ids with their place in the order; `total` counts all pages. A cluster is in the
 * window when its last member is. Relevance: coverage x freshness (half after a quarter of the window) x share of
 * members that match the topic.
 */
export const clusterPage = query({
  name: 'clusters.page',
  sql: `
    WITH touched AS (
      SELECT cluster_id FROM cluster_members
      WHERE namespace = {namespace: String}
        AND valid_from > {from: DateTime64(3, 'UTC')} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
    ),
    concerned AS (
      SELECT article_id FROM cluster_members
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT cluster_id FROM touched)
    ),
    members AS (
      SELECT
        cluster_id, article_id, valid_from, semantic_hash, coalesce(lower(source), domainWithoutWWW(url)) AS publisher,
        concat(ifNull(title, ''), ' ', arrayStringConcat(entity_names, ' ')) AS about
      ${PLACED_AS_OF}
    ),
    stories AS (
      SELECT
        cluster_id, count() AS articles, greatest(1, uniqExact(publisher)) AS sources,
        uniqExact(semantic_hash) AS origins, max(valid_from) AS updated_at,
        countIf(arrayAll(at -> at > 0, multiSearchAllPositionsCaseInsensitiveUTF8(about, {words: Array(String)}))) AS matching,
        toUnixTimestamp64Milli({as_of: DateTime64(3, 'UTC')}) AS until,
        toUnixTimestamp64Milli({from: DateTime64(3, 'UTC')}) AS since,
        (until - toUnixTimestamp64Milli(updated_at)) / ((until - since) / 4) AS age
      FROM members
      GROUP BY cluster_id
      HAVING updated_at > {from: DateTime64(3, 'UTC')} AND matching > 0
        AND articles >= {min_articles: UInt32} AND sources >= {min_sources: UInt32}
    ),
    ranked AS (
      SELECT
        cluster_id,
        multiIf(
          {sort: String} = 'recency', toFloat64(toUnixTimestamp64Milli(updated_at)),
          {sort: String} = 'coverage', toFloat64(origins),
          round(log2(1 + origins) * exp2(-age) * matching / articles, 9)
        ) AS rank,
        if({sort: String} = 'coverage', toFloat64(articles), 0.) AS second_rank,
        count() OVER () AS total
      FROM stories
    )
    SELECT cluster_id, rank, second_rank, total
    FROM ranked
    WHERE (rank, second_rank) < ({after_rank: Float64}, {after_second_rank: Float64})
      OR ((rank, second_rank) = ({after_rank: Float64}, {after_second_rank: Float64}) AND cluster_id > {after_id: String})
    ORDER BY rank DESC, second_rank DESC, cluster_id
    LIMIT {limit: UInt32} OFFSET {offset: UInt32}`,
  params: z.object({
    from: moment,
    as_of: moment,
    /** All of them must stand in the title or the entity names of one member; none: every cluster matches. */
    words: z.array(z.string()).max(250),
    min_sources: z.int(),
    min_articles: z.int(),
    sort: z.enum(['relevance', 'recency', 'coverage']),
    after_rank: z.number(),
    after_second_rank: z.number(),
    after_id: z.string(),
    limit: z.int(),
    offset: z.int(),
  }),
  row: z.object({ cluster_id: z.string(), rank: z.number(), second_rank: z.number(), total: z.number() }),
})

/** Members of some clusters as of a moment, each with its cosine to the centre (the sum of the members' vectors). */
const MEMBERS_AND_CENTRES = `
  WITH concerned AS (
    SELECT article_id FROM cluster_members
    WHERE namespace = {namespace: String} AND cluster_id IN {ids: Array(String)}
  ),
  placed AS (
    SELECT cluster_id, article_id, event_id
    ${PLACED_AS_OF}
  ),
  whole AS (
    SELECT * FROM cluster_members FINAL
    PREWHERE cluster_id IN {ids: Array(String)}
      AND (cluster_id, article_id, event_id) IN (SELECT cluster_id, article_id, event_id FROM placed)
    WHERE namespace = {namespace: String}
  ),
  centred AS (
    SELECT *, sumForEach(vector) OVER (PARTITION BY cluster_id) AS centre FROM whole
  ),
  members AS (
    SELECT
      * EXCEPT (vector, centre), round(1 - cosineDistance(vector, centre), 6) AS similarity,
      coalesce(lower(source), domainWithoutWWW(url)) AS publisher,
      arrayFilter(entity -> entity.3 NOT IN ('DATE', 'MONEY'), arrayZip(entity_ids, entity_names, entity_types, entity_mentions)) AS named
    FROM centred
  )`

/** A cluster as of a moment, one row each in no order; `entities` best first: most articles, then most mentions. */
export const clusterItems = query({
  name: 'clusters.items',
  sql: `
    ${MEMBERS_AND_CENTRES}
    SELECT
      cluster_id, argMin(title, (-similarity, valid_from, article_id)) AS title,
      argMin(article_id, (-similarity, valid_from, article_id)) AS representative_article_id,
      count() AS article_count, greatest(1, uniqExact(publisher)) AS source_count,
      uniqExact(semantic_hash) AS origin_count, avg(similarity) AS confidence,
      min(valid_from) AS created_at, max(valid_from) AS updated_at,
      min(published_date) AS first_published, max(published_date) AS last_published,
      countIf(sentiment_label = 'positive') AS positive, countIf(sentiment_label = 'neutral') AS neutral,
      countIf(sentiment_label = 'negative') AS negative,
      arrayMap(member -> member.2, arraySort(groupArray((valid_from, article_id)))) AS articles,
      sumMap(
        arrayMap(entity -> (entity.1, entity.2, toString(entity.3)), named), arrayMap(entity -> 1, named),
        arrayMap(entity -> entity.4, named)
      ) AS counted,
      arrayMap(
        entity -> CAST(tuple(entity.1.1, entity.1.2, entity.1.3, entity.3, entity.2), 'Tuple(id String, name String, type String, mention_count UInt32, article_count UInt32)'),
        arraySlice(
          arraySort(entity -> (-entity.2, -entity.3, entity.1), arrayZip(counted.1, counted.2, counted.3)),
          1, {max_entities: UInt32}
        )
      ) AS entities
    FROM members
    GROUP BY cluster_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment, max_entities: z.int() }),
  row: z.object({
    cluster_id: z.string(),
    /** Of the member nearest to the centre that has one; of several, the earliest. */
    title: z.string().nullable(),
    representative_article_id: z.string(),
    article_count: z.number(),
    source_count: z.number(),
    origin_count: z.number(),
    /** Mean cosine of the members to the centre. */
    confidence: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
    first_published: z.string().nullable(),
    last_published: z.string().nullable(),
    positive: z.number(),
    neutral: z.number(),
    negative: z.number(),
    articles: z.array(z.string()),
    entities: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        mention_count: z.number(),
        article_count: z.number(),
      }),
    ),
  }),
})

/** Members of some clusters as of a moment, oldest first. A copy names the first member with the same body. */
export const clusterMembers = query({
  name: 'clusters.members',
  sql: `
    ${MEMBERS_AND_CENTRES}
    SELECT
      article_id, title, source, url, published_date, similarity,
      nullIf(first_value(article_id) OVER (PARTITION BY semantic_hash ORDER BY valid_from, article_id), article_id) AS is_duplicate_of
    FROM members
    ORDER BY valid_from, article_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({
    article_id: z.string(),
    title: z.string().nullable(),
    source: z.string().nullable(),
    url: z.string().nullable(),
    published_date: z.string().nullable(),
    similarity: z.number(),
    is_duplicate_of: z.string().nullable(),
  }),
})

/** What happened to a cluster up to a moment, other than growing; oldest first. */
export const clusterHistory = query({
  name: 'clusters.history',
  sql: `
    SELECT action AS type, valid_from AS at, article_id
    FROM cluster_members FINAL
    WHERE namespace = {namespace: String} AND cluster_id = {cluster_id: String}
      AND valid_from <= {as_of: DateTime64(3, 'UTC')} AND action = 'opened'
    ORDER BY at, article_id`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ type: z.string(), at: z.string(), article_id: z.string() }),
})

/** At most one row: the decision that holds for an article as of a moment, if it put it into this cluster. */
export const decisionWhy = query({
  name: 'clusters.why',
  sql: `
    SELECT * EXCEPT (namespace, content_hash, occurred_at, dated, _log_at, _partition, _offset), _log_at AS decided_at
    FROM
    (
      SELECT * FROM cluster_decisions FINAL
      WHERE namespace = {namespace: String} AND article_id = {article_id: String}
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1
    )
    WHERE cluster_id = {cluster_id: String}`,
  params: z.object({ cluster_id: z.string(), article_id: z.string(), as_of: moment }),
  row: z.object({
    cluster_id: z.string(),
    article_id: z.string(),
    event_id: z.string(),
    decided_at: z.string(),
    action: z.string(),
    chosen_cluster_id: z.string().nullable(),
    chosen_score: z.number().nullable(),
    chosen_features: z.record(z.string(), z.number()),
    runner_up_cluster_id: z.string().nullable(),
    runner_up_score: z.number().nullable(),
    runner_up_features: z.record(z.string(), z.number()),
    threshold: z.number(),
    versions: z.record(z.string(), z.string()),
  }),
})
