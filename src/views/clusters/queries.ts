import { z } from 'zod'
import { moment } from '../instant.ts'
import { originalsOf } from '../originals.ts'
import { query } from '../query.ts'

/** Light columns first: PREWHERE is safe beside FINAL for what is part of the sorting key, and skips the vectors. */
const PLACED_AS_OF = `
  FROM cluster_members FINAL
  PREWHERE article_id IN (SELECT article_id FROM concerned)
  WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
  ORDER BY _offset DESC
  LIMIT 1 BY article_id`

/** The text each article is of, by its newest clustered revision; none of a decision older than the search for origins. */
const TEXTS_AS_OF = `
  FROM origins FINAL
  PREWHERE article_id IN (SELECT article_id FROM concerned)
  WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
  ORDER BY _offset DESC
  LIMIT 1 BY article_id`

/** What members of one origin have in common. */
const ORIGIN = "if(syndication_group = '', semantic_hash, syndication_group)"

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
    placed AS (
      SELECT
        cluster_id, article_id, valid_from, semantic_hash, coalesce(lower(source), domainWithoutWWW(url)) AS publisher,
        concat(ifNull(title, ''), ' ', arrayStringConcat(entity_names, ' ')) AS about
      ${PLACED_AS_OF}
    ),
    texts AS (
      SELECT article_id, syndication_group
      ${TEXTS_AS_OF}
    ),
    members AS (
      SELECT placed.*, ${ORIGIN} AS origin FROM placed LEFT JOIN texts ON placed.article_id = texts.article_id
    ),
    stories AS (
      SELECT
        cluster_id, count() AS articles, greatest(1, uniqExact(publisher)) AS sources,
        uniqExact(origin) AS origins, max(valid_from) AS updated_at,
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
  texts AS (
    SELECT article_id, syndication_group
    ${TEXTS_AS_OF}
  ),
  centred AS (
    SELECT whole.*, ${ORIGIN} AS origin, sumForEach(vector) OVER (PARTITION BY cluster_id) AS centre
    FROM whole LEFT JOIN texts ON whole.article_id = texts.article_id
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
      uniqExact(origin) AS origin_count, avg(similarity) AS confidence,
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

/**
 * Members of some clusters as of a moment, oldest first. A copy names the original of its syndication group, found as
 * in `articleOrigin` and wherever that one is; without a group, the first member with the same body.
 */
export const clusterMembers = query({
  name: 'clusters.members',
  sql: `
    ${MEMBERS_AND_CENTRES},
    ${originalsOf('texts')}
    SELECT
      article_id, title, source, url, published_date, similarity,
      nullIf(
        if(
          original = '', first_value(article_id) OVER (PARTITION BY origin ORDER BY valid_from, article_id), original
        ),
        article_id
      ) AS is_duplicate_of
    FROM members LEFT JOIN originals ON members.origin = originals.syndication_group
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
