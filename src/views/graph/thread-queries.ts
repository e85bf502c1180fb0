import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { COUNTRIES, FEW, PUBLISHER, withOrigins } from '../clusters/as-of.ts'

/** The CTE `placed`: the stories that are in a thread as of a point in time and match the condition. */
const placed = (sorted: string): string => `placed AS (
      SELECT cluster_id AS story, argMax((action, thread_id), (caused_offset, _offset)) AS entry
      FROM thread_places FINAL
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY story
      HAVING entry.1 != 'removed' AND ${sorted}
    )`

/**
 * CTEs on the articles of the stories in `placed`: `assignments` has the story of each article, `facts` its newest revision.
 */
const belongingTo = (columns: string): string => `
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT story FROM placed)
    ),
    assignments AS (
      SELECT article_id, argMax(cluster_id, _offset) AS cluster_id FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    facts AS (
      SELECT article_id, occurred_at, ${columns} FROM members FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    )`

/**
 * A page of threads as of a point in time, the most important first; `total` counts all pages. `confidence_score` is
 * the mean confidence of the `evolved_into` links between its stories. `importance_score` is 1 - exp(-(stories / 20 +
 * publishers / 40 + countries / 20)), with the distinct publishers and countries of all its stories. An empty page has
 * one row, the first thread with `shown` = false, because it carries the total.
 */
export const threadPage = query({
  name: 'graph.threads',
  sql: `
    WITH ${placed("({id: String} = '' OR entry.2 = {id: String})")},
    ${belongingTo(`${PUBLISHER} AS house,
        ${COUNTRIES}`)},
    stories AS (
      SELECT
        assignments.cluster_id AS cluster_id, count() AS articles, min(facts.occurred_at) AS first_at,
        max(facts.occurred_at) AS last_at,
        groupUniqArrayIf(ifNull(facts.house, ''), facts.house IS NOT NULL) AS houses,
        sumMap(facts.countries, arrayMap(country -> 1, facts.countries)) AS by_country,
        arrayFilter((country, named) -> named >= if(articles < ${FEW}, 1, 2), by_country.1, by_country.2) AS spread
      FROM assignments INNER JOIN facts ON assignments.article_id = facts.article_id
      WHERE assignments.cluster_id IN (SELECT story FROM placed)
      GROUP BY assignments.cluster_id
    ),
    links AS (
      SELECT source, target, argMax((action, confidence), (caused_offset, _offset)) AS entry
      FROM relationships FINAL
      WHERE namespace = {namespace: String} AND type = 'evolved_into'
        AND valid_from <= {as_of: DateTime64(3, 'UTC')}
        AND source IN (SELECT story FROM placed) AND target IN (SELECT story FROM placed)
      GROUP BY source, target
      HAVING entry.1 != 'removed'
    ),
    bonds AS (
      SELECT placed.entry.2 AS thread_id, avg(links.entry.2) AS confidence
      FROM links INNER JOIN placed ON links.source = placed.story
      GROUP BY thread_id
    ),
    threads AS (
      SELECT
        placed.entry.2 AS thread_id, count() AS clusters,
        greatest(1, length(groupUniqArrayArray(stories.houses))) AS publishers,
        length(groupUniqArrayArray(stories.spread)) AS countries,
        min(stories.first_at) AS first_seen, max(stories.last_at) AS last_updated,
        arrayMap(
          story -> story.2, arraySort(groupArray((stories.first_at, stories.cluster_id)))
        ) AS cluster_ids
      FROM stories INNER JOIN placed ON stories.cluster_id = placed.story
      GROUP BY thread_id
      HAVING clusters >= {least: UInt32}
    ),
    ranked AS (
      SELECT
        threads.*, round(bonds.confidence, 9) AS confidence_score,
        round(1 - exp(-(clusters / 20 + publishers / 40 + countries / 20)), 9) AS importance_score,
        toUnixTimestamp64Milli({as_of: DateTime64(3, 'UTC')}) - toUnixTimestamp64Milli(last_updated) AS quiet,
        multiIf(
          quiet <= {active_ms: Int64}, 'active', quiet > {concluded_ms: Int64}, 'concluded', 'dormant'
        ) AS status
      FROM threads INNER JOIN bonds ON threads.thread_id = bonds.thread_id
      WHERE confidence_score >= {shown: Float64} AND ({status: String} = '' OR status = {status: String})
    ),
    counted AS (
      SELECT
        *, count() OVER () AS total, row_number() OVER (ORDER BY importance_score DESC, thread_id) AS place,
        countIf(
          importance_score > {after_importance: Float64}
          OR (importance_score = {after_importance: Float64} AND thread_id <= {after_id: String})
        ) OVER () AS before
      FROM ranked
    )
    SELECT
      thread_id, clusters, publishers, countries, first_seen, last_updated, cluster_ids, confidence_score,
      importance_score, status, total,
      toBool(place > before + {offset: UInt32} AND place <= before + {offset: UInt32} + {limit: UInt32}) AS shown
    FROM counted
    WHERE shown OR (place = 1 AND before + {offset: UInt32} >= total)
    ORDER BY place`,
  params: z.object({
    as_of: moment,
    /** Empty for any thread. */
    id: z.string(),
    status: z.enum(['', 'active', 'dormant', 'concluded']),
    least: z.int(),
    shown: z.number(),
    active_ms: z.int(),
    concluded_ms: z.int(),
    after_importance: z.number(),
    after_id: z.string(),
    limit: z.int(),
    offset: z.int(),
  }),
  row: z.object({
    thread_id: z.string(),
    clusters: z.number(),
    publishers: z.number(),
    countries: z.number(),
    first_seen: z.string(),
    last_updated: z.string(),
    /** Ordered by their first article, the earliest first. */
    cluster_ids: z.array(z.string()),
    confidence_score: z.number(),
    importance_score: z.number(),
    status: z.enum(['active', 'dormant', 'concluded']),
    total: z.number(),
    shown: z.boolean(),
  }),
})

/**
 * The independent sources of all stories of some threads as of a point in time, and the leading story of each thread:
 * the one with most independent sources (ties: the newest article).
 */
export const threadOrigins = query({
  name: 'graph.thread_origins',
  sql: `
    WITH ${placed('entry.2 IN {threads: Array(String)}')},
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT story FROM placed)
    ),
    ${withOrigins("'' AS nothing_more")},
    stories AS (
      SELECT
        cluster_id, max(occurred_at) AS last_at,
        toInt64(uniqExact(origin)) - toInt64(uniqExactIf(origin, from_origin != '')) AS origins
      FROM looked
      WHERE cluster_id IN (SELECT story FROM placed)
      GROUP BY cluster_id
    )
    SELECT
      placed.entry.2 AS thread_id, sum(stories.origins) AS all_origins,
      argMax(stories.cluster_id, (stories.origins, stories.last_at, stories.cluster_id)) AS lead
    FROM stories INNER JOIN placed ON stories.cluster_id = placed.story
    GROUP BY thread_id`,
  params: z.object({ threads: z.array(z.string()), as_of: moment }),
  row: z.object({ thread_id: z.string(), all_origins: z.number(), lead: z.string() }),
})

/** The entities that most stories of each thread mention, as of a point in time, without dates and amounts of money. */
export const threadEntities = query({
  name: 'graph.thread_entities',
  sql: `
    WITH ${placed('entry.2 IN {threads: Array(String)}')},
    ${belongingTo('arrayZip(entity_ids, entity_names, entity_types) AS entities')},
    named AS (
      SELECT placed.entry.2 AS thread_id, placed.story AS story, assignments.article_id AS article, entity
      FROM assignments INNER JOIN placed ON assignments.cluster_id = placed.story
      INNER JOIN facts ON assignments.article_id = facts.article_id
      ARRAY JOIN facts.entities AS entity
      WHERE entity.3 NOT IN ('DATE', 'MONEY')
    )
    SELECT
      thread_id, entity.1 AS id, any(entity.2) AS name, any(entity.3) AS type, uniqExact(story) AS cluster_count,
      uniqExact(article) AS article_count
    FROM named
    GROUP BY thread_id, id
    ORDER BY cluster_count DESC, article_count DESC, id
    LIMIT {limit: UInt32} BY thread_id`,
  params: z.object({ threads: z.array(z.string()), as_of: moment, limit: z.int() }),
  row: z.object({
    thread_id: z.string(),
    id: z.string(),
    name: z.string(),
    type: z.string(),
    cluster_count: z.number(),
    article_count: z.number(),
  }),
})
