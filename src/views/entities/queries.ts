import { z } from 'zod'
import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { ALWAYS, moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

/** CTE: the log offset of the current analysis of each article in another CTE. */
const analysesOf = (articles: 'concerned' | 'touched'): string => `    analyses AS (
      SELECT argMax(_offset, (NOT direct, _offset)) AS place
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM ${articles})
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )`

/**
 * CTEs on the entities `ids`: `facts` has one row per entity and article that mentions it in the window of event time
 * `from` (exclusive) to `as_of`. Only the current analysis of an article counts: the newest as of that time, one from
 * the pipeline before a direct one. Its rows have the same log offset.
 */
export const FACTS = `
    concerned AS (
      SELECT article_id FROM entity_articles
      WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
${analysesOf('concerned')},
    facts AS (
      SELECT * FROM entity_articles FINAL
      PREWHERE entity_id IN {ids: Array(String)}
      WHERE namespace = {namespace: String} AND _offset IN (SELECT place FROM analyses)
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    )`

/** CTE: the current analysis of each article that was analysed in the window. */
const ANALYSES_OF_WINDOW = `touched AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
${analysesOf('touched')}`

/**
 * The rows of current analyses in a short window, read from the projection `by_time`. It does not know which rows are
 * repeated, so they are grouped; in a long window that would be more than reading by entity. `GLOBAL`: the rows may be on
 * shards, which do not have the analyses; in a PREWHERE the setting that adds it has no effect.
 */
const ROWS_OF_SHORT_WINDOW = `entity_articles
      PREWHERE occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND _offset GLOBAL IN (SELECT place FROM analyses)`
const SHORT_MS = 7 * DAY_MS

/**
 * The CTE `named`: the figures of each entity. The PREWHERE on the log offset is applied before FINAL; this is safe
 * because all rows of one key at that offset are equal.
 */
const NAMED = `
    named AS (
      SELECT
        entity_id, sum(entity_articles.mention_count) AS mention_count, count() AS article_count,
        min(occurred_at) AS first_seen, max(occurred_at) AS last_seen
      FROM entity_articles FINAL
      PREWHERE occurred_at > {from: DateTime64(3, 'UTC')} AND type IN {types: Array(String)}
        AND _offset GLOBAL IN (SELECT place FROM analyses)
      WHERE namespace = {namespace: String}
        AND ({query: String} = '' OR positionCaseInsensitiveUTF8(name, {query: String}) > 0)
      GROUP BY entity_id
      HAVING mention_count >= {min_mentions: UInt32}
    )`

/** `named` for a short window. */
const NAMED_SHORTLY = `
    each AS (
      SELECT entity_id, any(mention_count) AS mentions, any(occurred_at) AS at
      FROM ${ROWS_OF_SHORT_WINDOW}
      WHERE namespace = {namespace: String} AND type IN {types: Array(String)}
        AND ({query: String} = '' OR positionCaseInsensitiveUTF8(name, {query: String}) > 0)
      GROUP BY entity_id, _offset
    ),
    named AS (
      SELECT
        entity_id, sum(mentions) AS mention_count, count() AS article_count, min(at) AS first_seen, max(at) AS last_seen
      FROM each
      GROUP BY entity_id
      HAVING mention_count >= {min_mentions: UInt32}
    )`

const pageOf = (name: string, named: string) =>
  query({
    name,
    sql: `
    WITH ${ANALYSES_OF_WINDOW},
    ${named},
    counted AS (
      SELECT *, count() OVER () AS total FROM named
    )
    SELECT entity_id, mention_count, article_count, first_seen, last_seen, total
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
      after_count: z.int(),
      after_id: z.string(),
      limit: z.int(),
      offset: z.int(),
    }),
    row: z.object({
      entity_id: z.string(),
      mention_count: z.number(),
      article_count: z.number(),
      first_seen: z.string(),
      last_seen: z.string(),
      /** Entities on all pages. */
      total: z.number(),
    }),
  })

/**
 * A page of entities mentioned in a window of event time, most mentioned first: ids with their figures in the window;
 * `total` counts all pages. Only the current analysis of an article counts.
 */
export const entityPage = byLength(pageOf('entities.page', NAMED), pageOf('entities.page_short', NAMED_SHORTLY))

const itemsOf = (name: string, facts: string) =>
  query({
    name,
    sql: `
    WITH ${facts}
    SELECT
      entity_id, any(name) AS entity_name, any(type) AS entity_type,
      arrayMap(
        article -> article.2,
        arraySlice(arrayReverseSort(groupUniqArray((occurred_at, article_id))), 1, {max_articles: UInt32})
      ) AS article_ids
    FROM facts
    GROUP BY entity_id`,
    params: z.object({ ids: z.array(z.string()), from: moment, as_of: moment, max_articles: z.int() }),
    row: z.object({
      entity_id: z.string(),
      entity_name: z.string(),
      entity_type: z.string(),
      article_ids: z.array(z.string()),
    }),
  })

/** Names of some entities and the articles of a window that mention them, unordered; `article_ids` newest first. */
export const entityItems = byLength(
  itemsOf('entities.items', FACTS),
  itemsOf(
    'entities.items_short',
    `${ANALYSES_OF_WINDOW},
    facts AS (
      SELECT entity_id, name, type, occurred_at, article_id FROM ${ROWS_OF_SHORT_WINDOW}
      WHERE namespace = {namespace: String} AND entity_id IN {ids: Array(String)}
    )`,
  ),
)

/** The first query for a long window, the second for a short one. */
function byLength<Params extends { readonly from: number; readonly as_of: number }, Row>(
  long: (store: Store) => (params: Params) => Promise<readonly Row[]>,
  short: (store: Store) => (params: Params) => Promise<readonly Row[]>,
) {
  return (store: Store) => (params: Params) => (params.as_of - params.from > SHORT_MS ? long : short)(store)(params)
}

/** The ids of the entities with a canonical name, case-insensitive: one per type, more if names differ only in case. */
export const entitiesNamed = query({
  name: 'entities.named',
  sql: `
    SELECT DISTINCT entity_id FROM entity_articles
    WHERE namespace = {namespace: String} AND _name = lowerUTF8({name: String}) AND type IN {types: Array(String)}
    ORDER BY entity_id
    LIMIT 100`,
  params: z.object({ name: z.string(), types: z.array(z.string()) }),
  row: z.object({ entity_id: z.string() }),
})

/** The entity that most articles mean by an alias, such as "USA" or "the Fed". */
const entitiesCalled = query({
  name: 'entities.called',
  sql: `
    SELECT entity_id FROM mentions
    WHERE namespace = {namespace: String} AND lowerUTF8(surface) = lowerUTF8({name: String}) AND type IN {types: Array(String)}
    GROUP BY entity_id
    ORDER BY uniq(article_id) DESC, entity_id
    LIMIT 1`,
  params: z.object({ name: z.string(), types: z.array(z.string()) }),
  row: z.object({ entity_id: z.string() }),
})

/**
 * Total mentions of some entities as of a point in time, the most mentioned first; entities without mentions have no
 * row.
 */
export const entityFigures = query({
  name: 'entities.figures',
  sql: `
    WITH ${FACTS}
    SELECT entity_id, any(facts.name) AS name, any(facts.type) AS type, sum(facts.mention_count) AS mention_count
    FROM facts
    GROUP BY entity_id
    ORDER BY mention_count DESC, entity_id`,
  params: z.object({ ids: z.array(z.string()), from: moment, as_of: moment }),
  row: z.object({ entity_id: z.string(), name: z.string(), type: z.string(), mention_count: z.number() }),
})

/**
 * Mentions of some entities in the articles of a window, and their sentiment, by bucket of event time (UTC); buckets
 * without a mention have no row. Each article counts once, in one bucket; if it mentions several of the entities, its
 * sentiment is the mean over their mentions. `article_ids` newest first.
 */
export const entityBuckets = query({
  name: 'entities.buckets',
  sql: `
    WITH ${FACTS},
    named AS (
      SELECT
        article_id, toUnixTimestamp64Milli(any(occurred_at)) AS at, sum(mention_count) AS mentions,
        round(sum(sentiment_score * mention_count) / sum(mention_count), 6) AS score
      FROM facts
      GROUP BY article_id
    )
    SELECT
      at - positiveModulo(at, {bucket_ms: Int64}) AS starts_at, sum(mentions) AS mention_count, count() AS article_count,
      sum(score) AS sentiment_sum, countIf(score >= {feels: Float64}) AS positive,
      countIf(score <= -{feels: Float64}) AS negative,
      arrayMap(
        article -> article.2, arraySlice(arrayReverseSort(groupArray((at, article_id))), 1, {max_articles: UInt32})
      ) AS article_ids
    FROM named
    GROUP BY starts_at`,
  params: z.object({
    ids: z.array(z.string()),
    from: moment,
    as_of: moment,
    bucket_ms: z.int(),
    /** Sentiment from this value on is positive, up to its negative it is negative. */
    feels: z.number(),
    max_articles: z.int(),
  }),
  row: z.object({
    /** Milliseconds since 1970. */
    starts_at: z.number(),
    mention_count: z.number(),
    article_count: z.number(),
    /** Sum over the articles. */
    sentiment_sum: z.number(),
    positive: z.number(),
    negative: z.number(),
    article_ids: z.array(z.string()),
  }),
})

export interface EntityQuery extends AsOf {
  /**
   * An entity's id, or a name, case-insensitive: a canonical name, or else an alias, which resolves to its most
   * frequent entity.
   */
  readonly entity: string
  /** `null` for any type. */
  readonly type: string | null
  /** The types that a name may resolve to if `type` is `null`. */
  readonly types: readonly string[]
}

const ID = /^ent_[a-z2-7]{16}$/

/** The entities that an id or a name may mean, whether or not they count as of a point in time. */
export async function idsOf(store: Store, { namespace, entity, type, types }: EntityQuery): Promise<string[]> {
  if (ID.test(entity)) return [entity]
  const params = { namespace, name: entity, types: type === null ? [...types] : [type] }
  const named = await entitiesNamed(store)(params)
  const found = named.length > 0 ? named : await entitiesCalled(store)(params)
  return found.map(({ entity_id }) => entity_id)
}

/**
 * The entities of one name, one per type or spelling, treated as one: their ids, the most mentioned first, with the
 * name and type of the first. `null` if no current analysis mentions such an entity as of the point in time.
 */
export async function knownOf(store: Store, { namespace, type: only, as_of }: EntityQuery, ids: readonly string[]) {
  const rows = await entityFigures(store)({ namespace, ids: [...ids], from: ALWAYS, as_of })
  const known = rows.filter(({ type }) => only === null || type === only)
  const [first] = known
  return first === undefined
    ? null
    : { ids: known.map(({ entity_id }) => entity_id), name: first.name, type: first.type }
}
