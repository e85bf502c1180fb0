import { DAY_MS } from '../../domain/days.ts'
import { z } from 'zod'
import { ENTITY_VELOCITY_SQL } from '../../domain/trends/velocity.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * UTC days of event time with a revision of an article, from either layer: `rows` selects from each of the two tables.
 */
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
 * The last days with rows as of a point in time, newest first. May include days that have only repeats of known
 * revisions: only the first of equal revisions counts, but excluding the others requires reading every row.
 */
export const daysWithRows = query({
  ...lastDays,
  name: 'trends.days_with_rows',
  sql: days((table) => `${table} ${UP_TO}`),
})

/** The last ingestion days, exactly. */
export const ingestionDays = query({
  ...lastDays,
  name: 'trends.ingestion_days',
  sql: days((table) => `${table} FINAL ${UP_TO}`),
})

/** The days since `from` on which at least one of ten sampled articles has a row that is not a repeat. */
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

type EntityRowsSource = 'entity_articles' | 'entity_articles FINAL'

/**
 * `analyses`: one row per article of the latest day and the prior days, with its current analysis. `named`: one row per
 * entity in these analyses, with the mentions that `entityVelocity` needs.
 */
const namedSql = (rows: EntityRowsSource): string => `
    touched AS (
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
        entity_id, any(type) AS of_type, sum(mention_count) AS in_all,
        sumIf(mention_count, occurred_at >= {latest: DateTime64(3, 'UTC')}) AS mentions,
        sumIf(
          mention_count,
          occurred_at < {latest: DateTime64(3, 'UTC')}
            AND positiveModulo(toUnixTimestamp64Milli(occurred_at), ${DAY_MS}) <= {time_of_day: UInt32}
        ) AS by_this_time,
        uniqExactIf(toDate32(occurred_at), occurred_at < {latest: DateTime64(3, 'UTC')}) AS days_of_history
      FROM ${rows}
      PREWHERE occurred_at >= {from: DateTime64(3, 'UTC')} AND _offset GLOBAL IN (SELECT place FROM analyses)
      WHERE namespace = {namespace: String}
      GROUP BY entity_id
    )`

/**
 * `sources`: the number of independent sources that mention an entity on the latest day, as in `independentAccounts`:
 * reprints count with the first publication of the text, and all texts of a publisher count once. Repeated events do
 * not change the result. Texts and sources are hashed per article, because an article has about fifteen entities and
 * all of them are joined.
 */
const SOURCES = `
    on_latest AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String}
        AND occurred_at >= {latest: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    latest_analyses AS (
      SELECT
        article_id,
        argMax(_offset, (NOT direct, _offset)) AS place, argMax(semantic_hash, (NOT direct, _offset)) AS body,
        argMax(coalesce(lower(source), domainWithoutWWW(url), ''), (NOT direct, _offset)) AS outlet
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM on_latest)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    texts AS (
      SELECT article_id, argMax(syndication_group, _offset) AS syndication_group
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM on_latest)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    houses AS (
      SELECT article_id, argMax(coalesce(publisher_family, publisher), _offset) AS house
      FROM members FINAL
      PREWHERE article_id IN (SELECT article_id FROM on_latest)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    article_sources AS (
      SELECT
        latest_analyses.place AS place,
        if(texts.syndication_group = '', latest_analyses.body, texts.syndication_group) AS text_of,
        if(houses.house = '', latest_analyses.outlet, houses.house) AS of_house,
        sipHash64(text_of) AS text,
        sipHash64(if(of_house = '', concat('text ', text_of), concat('house ', of_house))) AS source
      FROM latest_analyses
      LEFT JOIN texts ON latest_analyses.article_id = texts.article_id
      LEFT JOIN houses ON latest_analyses.article_id = houses.article_id
    ),
    namings AS (
      SELECT entity_id, article_id, occurred_at, _offset FROM entity_articles
      PREWHERE occurred_at >= {latest: DateTime64(3, 'UTC')}
      WHERE namespace = {namespace: String}
    ),
    firsts AS (
      SELECT
        namings.entity_id AS entity_id, article_sources.text AS text,
        argMin(article_sources.source, (namings.occurred_at, namings.article_id)) AS source
      FROM namings INNER JOIN article_sources ON namings._offset = article_sources.place
      GROUP BY entity_id, text
    ),
    sources AS (
      SELECT entity_id, uniqExact(source) AS origins FROM firsts GROUP BY entity_id
    )`

/** `velocities`: one row per entity, with its velocity as in `entityVelocity` and its support as in `hasLowSupport`. */
const VELOCITIES = `
    velocities AS (
      SELECT
        named.entity_id AS entity_id, of_type, in_all, mentions, by_this_time, days_of_history, sources.origins AS origins,
        ${Object.entries(ENTITY_VELOCITY_SQL)
          .map(([name, expression]) => `${expression} AS ${name}`)
          .join(',\n        ')}
      FROM named LEFT JOIN sources ON named.entity_id = sources.entity_id
    )`

const velocitySql = (rows: EntityRowsSource): string => `
    WITH ${namedSql(rows)},
    ${SOURCES},
    ${VELOCITIES}
    SELECT
      sum(in_all) > (SELECT sum(all_mentions) FROM analyses) AS is_repeated,
      countIf(of_type IN {types: Array(String)} AND velocity > {above: Float64}) AS count_above,
      arrayMap(
        entity -> (entity.3, -entity.2, entity.4, entity.5, entity.6),
        arrayPartialSort(
          {limit: UInt32},
          groupArrayIf(
            (-velocity, -toInt64(mentions), entity_id, origins, by_this_time, days_of_history),
            of_type IN {types: Array(String)} AND velocity >= {min_velocity: Float64}
              AND NOT ({supported: Bool} AND low_support)
          )
        )
      ) AS reaching,
      arraySlice(reaching, 1, {limit: UInt32}) AS entities
    FROM velocities`

/**
 * One row: the entities whose velocity is at least `min_velocity`, fastest first, as tuples, and the number of entities
 * faster than `above`.
 *
 * Excluding repeated events (`FINAL`) doubles the cost of the query. So rows are first read without it, and
 * `is_repeated` says whether they have more mentions than the current analyses. If so, the query is repeated with
 * `FINAL`.
 */
const velocities = (name: string, rows: EntityRowsSource) =>
  query({
    name,
    sql: velocitySql(rows),
    params: z.object({
      /** Start of the first prior day. */
      from: moment,
      /** Start of the latest day. */
      latest: moment,
      as_of: moment,
      /** Mentions on prior days count up to this time of day, in milliseconds, inclusive. */
      time_of_day: z.int(),
      prior_days: z.int(),
      types: z.array(z.string()),
      min_velocity: z.number(),
      above: z.number(),
      supported: z.boolean(),
      limit: z.int(),
    }),
    row: z.object({
      is_repeated: z.number(),
      count_above: z.number(),
      /** Id; mentions and sources on the latest day; mentions on the prior days, and on how many of these days. */
      entities: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()])),
    }),
  })

export const velocitiesWithRepeats = velocities('trends.velocities', 'entity_articles')
export const velocitiesExact = velocities('trends.velocities_exact', 'entity_articles FINAL')

/** Names and types of some entities. */
export const entityNames = query({
  name: 'trends.names',
  sql: `
    SELECT entity_id, any(name) AS entity_name, any(type) AS entity_type
    FROM entity_articles
    WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
      AND occurred_at >= {from: DateTime64(3, 'UTC')}
    GROUP BY entity_id`,
  params: z.object({
    ids: z.array(z.string()),
    /** All of the entities were mentioned since then. */
    from: moment,
  }),
  row: z.object({ entity_id: z.string(), entity_name: z.string(), entity_type: z.string() }),
})
