import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** UTC days of event time with a revision of an article, through whatever layer it came: `rows` are of two tables. */
const days = (rows: (table: 'articles' | 'analyzed_articles') => string): string => `
    SELECT DISTINCT day
    FROM
    (
      SELECT toDate32(occurred_at) AS day FROM ${rows('articles')}
      UNION ALL
      SELECT toDate32(occurred_at) AS day FROM ${rows('analyzed_articles')}
    )
    ORDER BY day DESC
    LIMIT {limit: UInt8}`

const UP_TO = "WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}"
const lastDays = { params: z.object({ as_of: moment, limit: z.int() }), row: z.object({ day: z.string() }) }

/**
 * The last ingestion days as of a moment, newest first, and days besides on which what was known came again: of revisions
 * that repeat the first counts, but to leave the others out one must look at every row.
 */
export const daysWithRows = query({
  ...{ name: 'trends.days_with_rows', ...lastDays },
  sql: days((table) => `${table} ${UP_TO}`),
})

/** The last ingestion days, none besides. */
export const ingestionDays = query({
  ...{ name: 'trends.ingestion_days', ...lastDays },
  sql: days((table) => `${table} FINAL ${UP_TO}`),
})

/** Those of some days on which one of the first articles at hand came and did not repeat. */
export const daysWithNews = query({
  name: 'trends.days_with_news',
  sql: days(
    (table) => `${table} FINAL
      PREWHERE article_id IN
      (
        SELECT article_id FROM ${table}
        ${UP_TO} AND occurred_at >= {from: DateTime64(3, 'UTC')}
        LIMIT 10 BY toDate32(occurred_at)
      )
      ${UP_TO} AND occurred_at >= {from: DateTime64(3, 'UTC')}`,
  ),
  params: lastDays.params.extend({ from: moment }),
  row: lastDays.row,
})

/** `named`: the entities that counted analyses name since a moment, with their velocity as `entityVelocity` has it. */
const velocitySql = (rows: 'entity_articles' | 'entity_articles FINAL'): string => `
    WITH touched AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String}
        AND occurred_at >= {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    analyses AS (
      SELECT
        argMax(_offset, (NOT direct, _offset)) AS place,
        argMax(if(occurred_at >= {from: DateTime64(3, 'UTC')}, mention_count, 0), (NOT direct, _offset)) AS all_mentions
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM touched)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    named AS (
      SELECT
        entity_id, any(type) AS of_type, sumIf(mention_count, toDate32(occurred_at) = {latest_day: Date32}) AS mentions,
        sum(mention_count) - mentions AS before,
        uniqExactIf(toDate32(occurred_at), toDate32(occurred_at) != {latest_day: Date32}) AS days_of_history,
        if(before = 0, 1., mentions * {prior_days: UInt8} / before) AS velocity
      FROM ${rows}
      PREWHERE occurred_at >= {from: DateTime64(3, 'UTC')} AND _offset IN (SELECT place FROM analyses)
      WHERE namespace = {namespace: String}
      GROUP BY entity_id
    )
    SELECT
      sum(mentions + before) > (SELECT sum(all_mentions) FROM analyses) AS is_repeated,
      countIf(of_type IN {types: Array(String)} AND velocity > {above: Float64}) AS count_above,
      arrayMap(
        entity -> (entity.3, -entity.2, entity.4, entity.5),
        arrayPartialSort(
          {limit: UInt32},
          groupArrayIf(
            (-velocity, -toInt64(mentions), entity_id, before, days_of_history),
            of_type IN {types: Array(String)} AND velocity >= {min_velocity: Float64}
          )
        )
      ) AS reaching,
      arraySlice(reaching, 1, {limit: UInt32}) AS entities
    FROM named`

/**
 * One row: the entities named since a moment whose mentions on the latest day reach a multiple of their mean over
 * `prior_days` before it, the fastest first, as tuples; and how many of all exceed another. As in `entityVelocity`.
 *
 * Repeats of an event are no news, but to leave them out costs as much again as the rest: so rows are read as they lie, and
 * `is_repeated` says whether they come to more mentions than the analyses that count have. Then the same is asked `FINAL`.
 */
const velocities = (name: string, rows: 'entity_articles' | 'entity_articles FINAL') =>
  query({
    name,
    sql: velocitySql(rows),
    params: z.object({
      from: moment,
      as_of: moment,
      latest_day: z.string(),
      prior_days: z.int(),
      types: z.array(z.string()),
      min_velocity: z.number(),
      above: z.number(),
      limit: z.int(),
    }),
    row: z.object({
      is_repeated: z.number(),
      count_above: z.number(),
      /** Id, mentions on the latest day, on the days before it, and on how many of these. */
      entities: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
    }),
  })

export const velocitiesAsTheyLie = velocities('trends.velocities', 'entity_articles')
export const velocitiesExact = velocities('trends.velocities_exact', 'entity_articles FINAL')

/**
 * What some entities are called, and how many independent accounts name each from a moment on (0: none), as in
 * `independentAccounts`: re-prints of a text are its first one's among them, what a house publishes is one. Repeats of an
 * event make no difference to that.
 */
export const entityAccounts = query({
  name: 'trends.accounts',
  sql: `
    WITH concerned AS (
      SELECT article_id FROM entity_articles
      WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
        AND occurred_at >= {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    analyses AS (
      SELECT
        argMax(_offset, (NOT direct, _offset)) AS place, argMax(semantic_hash, (NOT direct, _offset)) AS body,
        argMax(coalesce(lower(source), domainWithoutWWW(url), ''), (NOT direct, _offset)) AS outlet
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    facts AS (
      SELECT entity_id, article_id, occurred_at, _offset FROM entity_articles
      WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
        AND occurred_at >= {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    texts AS (
      SELECT article_id, argMax(syndication_group, _offset) AS syndication_group
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    houses AS (
      SELECT article_id, argMax(coalesce(publisher_family, publisher), _offset) AS house
      FROM members FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    accounts AS (
      SELECT
        facts.entity_id AS entity_id, facts.article_id AS article_id, facts.occurred_at AS at,
        if(texts.syndication_group = '', analyses.body, texts.syndication_group) AS text_of,
        if(houses.house = '', analyses.outlet, houses.house) AS of_house,
        if(of_house = '', concat('text ', text_of), concat('house ', of_house)) AS account
      FROM facts
      INNER JOIN analyses ON facts._offset = analyses.place
      LEFT JOIN texts ON facts.article_id = texts.article_id
      LEFT JOIN houses ON facts.article_id = houses.article_id
    ),
    firsts AS (
      SELECT entity_id, text_of, argMin(account, (at, article_id)) AS account
      FROM accounts
      GROUP BY entity_id, text_of
    ),
    independent AS (
      SELECT entity_id, uniqExact(account) AS origins FROM firsts GROUP BY entity_id
    ),
    called AS (
      SELECT entity_id, any(name) AS entity_name, any(type) AS entity_type
      FROM entity_articles
      WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
        AND occurred_at >= {first_day: DateTime64(3, 'UTC')}
      GROUP BY entity_id
    )
    SELECT called.entity_id AS entity_id, entity_name, entity_type, independent.origins AS origins
    FROM called LEFT JOIN independent ON called.entity_id = independent.entity_id`,
  params: z.object({
    ids: z.array(z.string()),
    /** All of them were named since. */
    first_day: moment,
    from: moment,
    as_of: moment,
  }),
  row: z.object({
    entity_id: z.string(),
    entity_name: z.string(),
    entity_type: z.string(),
    origins: z.number(),
  }),
})
