import { z } from 'zod'
import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { ANALYSES_OF_WINDOW, currentAnalyses } from './current-analyses.ts'
import { hasRepeatedRows, PARTS, partsOf, SumsParams, type CountedAnalyses, type WindowPart } from './window-sums.ts'

/**
 * The rows of current analyses in a short window, read from the projection `by_time`. It does not know which rows are
 * repeated, so they are grouped; in a long window that would be more than reading by entity. `GLOBAL`: the rows may be on
 * shards, which do not have the analyses; in a PREWHERE the setting that adds it has no effect.
 */
export const ROWS_OF_SHORT_WINDOW = `entity_articles
      PREWHERE occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND _offset GLOBAL IN (SELECT place FROM analyses)`

/** Whether a window is short enough for `ROWS_OF_SHORT_WINDOW`. */
export const isShort = ({ from, as_of }: { readonly from: number; readonly as_of: number }): boolean =>
  as_of - from <= 2 * DAY_MS

/** `named` for a short window. */
const NAMED_SHORTLY = `
    each AS (
      SELECT entity_id, any(mention_count) AS mentions
      FROM ${ROWS_OF_SHORT_WINDOW}
      WHERE namespace = {namespace: String} AND type IN {types: Array(String)}
        AND ({query: String} = '' OR positionCaseInsensitiveUTF8(name, {query: String}) > 0)
      GROUP BY entity_id, _offset
    ),
    named AS (
      SELECT entity_id, sum(mentions) AS mention_count, count() AS article_count FROM each
      GROUP BY entity_id
      HAVING mention_count >= {min_mentions: UInt32}
    )`

/**
 * The CTE `named`: the figures of each entity. The PREWHERE on the log offset is applied before FINAL; this is safe
 * because all rows of one key at that offset are equal.
 */
const NAMED = `
    named AS (
      SELECT entity_id, sum(entity_articles.mention_count) AS mention_count, count() AS article_count
      FROM entity_articles FINAL
      PREWHERE occurred_at > {from: DateTime64(3, 'UTC')} AND type IN {types: Array(String)}
        AND _offset GLOBAL IN (SELECT place FROM analyses)
      WHERE namespace = {namespace: String}
        AND ({query: String} = '' OR positionCaseInsensitiveUTF8(name, {query: String}) > 0)
      GROUP BY entity_id
      HAVING mention_count >= {min_mentions: UInt32}
    )`

/** The 16 characters of an entity's id as a number, as in the projections; in the same order, and faster to group by. */
const numberOf = (id: string): string => `reinterpretAsUInt128(reverse(substring(${id}, 5)))`
const ENTITY = numberOf('entity_id')
const ENTITY_ID = "concat('ent_', reverse(reinterpretAsString(entity)))"

const [DAYS, ...OTHERS] = PARTS

/**
 * The CTE `named`: the figures of each entity in all analyses of the window, as stored by day and by hour, less those in
 * the analyses that do not count. Few entities are in other parts than whole days, so they are joined to these. A repeated
 * row is counted twice: see `hasRepeatedRows`.
 */
function namedBySums(name: string): string {
  const sums = ([condition, sign]: WindowPart): string => `
        SELECT
          ${ENTITY} AS entity, ${name} AS of_name, ${sign}toInt64(sum(mention_count)) AS mentions,
          ${sign}toInt64(count()) AS articles
        FROM entity_articles
        WHERE namespace = {namespace: String} AND type IN {types: Array(String)} AND ${condition}
        GROUP BY entity`
  return `
    days AS (${sums(DAYS)}
    ),
    others AS (
      SELECT entity, any(parts.of_name) AS of_name, sum(parts.mentions) AS mentions, sum(parts.articles) AS articles
      FROM
      (${OTHERS.map(sums).join(`
        UNION ALL`)}
      ) AS parts
      GROUP BY entity
    ),
    named AS (
      SELECT
        if(days.entity = 0, others.entity, days.entity) AS entity,
        if(days.entity = 0, others.of_name, days.of_name) AS name,
        days.mentions + others.mentions AS mention_count, days.articles + others.articles AS article_count
      FROM days FULL JOIN others ON days.entity = others.entity
      WHERE mention_count > 0 AND mention_count >= {min_mentions: UInt32}
        AND ({query: String} = '' OR positionCaseInsensitiveUTF8(name, {query: String}) > 0)
    )`
}

/** `id` and `after_id` are ids, or the numbers that they are. */
const pageInOrder = (id: string, after_id: string): string => `
    WHERE mention_count < {after_count: UInt64} OR (mention_count = {after_count: UInt64} AND ${id} > ${after_id})
    ORDER BY mention_count DESC, ${id}
    LIMIT {limit: UInt32} OFFSET {offset: UInt32}`

const PageParams = z.object({
  from: moment,
  as_of: moment,
  types: z.array(z.string()),
  query: z.string(),
  min_mentions: z.int(),
  after_count: z.int(),
  after_id: z.string(),
  limit: z.int(),
  offset: z.int(),
})

type EntityPageParams = z.input<typeof PageParams> & { readonly namespace: string }

const PageRow = z.object({
  entity_id: z.string(),
  mention_count: z.number(),
  article_count: z.number(),
  /** Entities on all pages. */
  total: z.number(),
})

const pageOf = (name: string, named: string) =>
  query({
    name,
    sql: `
    WITH ${ANALYSES_OF_WINDOW},
    ${named},
    counted AS (
      SELECT *, count() OVER () AS total FROM named
    )
    SELECT entity_id, mention_count, article_count, total FROM counted
    ${pageInOrder('entity_id', '{after_id: String}')}`,
    params: PageParams,
    row: PageRow,
  })

const pageExactly = pageOf('entities.page', NAMED)
const pageShortly = pageOf('entities.page_short', NAMED_SHORTLY)

const pageBySums = (name: string, nameOfEntity: string) =>
  query({
    name,
    sql: `
    WITH ${namedBySums(nameOfEntity)},
    counted AS (
      SELECT *, count() OVER () AS total FROM named
    )
    SELECT ${ENTITY_ID} AS entity_id, mention_count, article_count, total FROM counted
    ${pageInOrder('entity', numberOf('{after_id: String}'))}`,
    params: PageParams.extend(SumsParams.shape),
    row: PageRow,
  })

/** Names are long to read, and only needed to look for a part of them. */
const listBySums = pageBySums('entities.page_by_sums', "''")
const searchBySums = pageBySums('entities.search_by_sums', 'any(name)')

export interface EntityPage {
  /** Reads from the server that has these entities. */
  readonly store: Store
  readonly rows: readonly z.output<typeof PageRow>[]
  /** The analyses that count, if the page was read without looking them up. */
  readonly analyses: CountedAnalyses | null
}

/**
 * A page of entities mentioned in a window of event time, most mentioned first: ids with their figures in the window;
 * `total` counts all pages. Only the current analysis of an article counts.
 */
export async function entityPage(stores: Store, params: EntityPageParams): Promise<EntityPage> {
  const { namespace, from, as_of } = params
  const { store, analyses } = await currentAnalyses(stores, { namespace, from, as_of })
  const { replaced } = analyses
  const page = replaced === null ? null : await pageOfSums(store, params, { ...analyses, replaced })
  if (page !== null) return page
  return { store, rows: await (isShort(params) ? pageShortly : pageExactly)(store)(params), analyses: null }
}

/** `null` if the table has repeated rows. */
async function pageOfSums(
  store: Store,
  params: EntityPageParams,
  analyses: CountedAnalyses,
): Promise<EntityPage | null> {
  const [rows, isRepeated] = await Promise.all([
    (params.query === '' ? listBySums : searchBySums)(store)({ ...params, ...partsOf(analyses) }),
    hasRepeatedRows(store, analyses),
  ])
  return isRepeated ? null : { store, rows, analyses }
}
