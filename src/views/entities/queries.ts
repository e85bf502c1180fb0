import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { ALWAYS, moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

/** CTE: the log offset of the current analysis of each article in another CTE. */
export const analysesOf = (articles: 'concerned' | 'touched'): string => `    analyses AS (
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
