import { z } from 'zod'
import { DAY_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import {
  ANALYSES_OF_WINDOW,
  currentAnalyses,
  currentAnalysesParams,
  IN_CURRENT_ANALYSES,
  IN_ORDER,
  mentionsIn,
} from './current-analyses.ts'

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

/**
 * `named` for a long window. Rows are grouped in the order of the table, in little memory. A repeated row is counted
 * twice: see `mentionsIn`.
 */
const namedInOrder = (name: string): string => `
    named AS (
      SELECT
        entity_id, sum(entity_articles.mention_count) AS mention_count, count() AS article_count,
        min(occurred_at) AS first_seen, max(occurred_at) AS last_seen, any(type) AS of_type, ${name} AS called
      FROM entity_articles
      PREWHERE ${IN_CURRENT_ANALYSES}
      WHERE namespace = {namespace: String}
      GROUP BY entity_id
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

const PAGE_COLUMNS = 'entity_id, mention_count, article_count, first_seen, last_seen, total'
const PAGE_ORDER = `
    WHERE mention_count < {after_count: UInt64}
      OR (mention_count = {after_count: UInt64} AND entity_id > {after_id: String})
    ORDER BY mention_count DESC, entity_id
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
  first_seen: z.string(),
  last_seen: z.string(),
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
    SELECT ${PAGE_COLUMNS} FROM counted
    ${PAGE_ORDER}`,
    params: PageParams,
    row: PageRow,
  })

const pageExactly = pageOf('entities.page', NAMED)
const pageShortly = pageOf('entities.page_short', NAMED_SHORTLY)

const pageInOrder = (name: string, called: string) =>
  query({
    name,
    sql: `
    WITH ${namedInOrder(called)},
    listed AS (
      SELECT
        *, sum(mention_count) OVER () AS in_all,
        of_type IN {types: Array(String)} AND mention_count >= {min_mentions: UInt32}
          AND ({query: String} = '' OR positionCaseInsensitiveUTF8(called, {query: String}) > 0) AS is_listed
      FROM named
    ),
    counted AS (
      SELECT *, count() OVER () AS total FROM listed WHERE is_listed
    )
    SELECT ${PAGE_COLUMNS}, in_all FROM counted
    ${PAGE_ORDER}
    ${IN_ORDER}`,
    params: PageParams.extend(currentAnalysesParams.shape),
    row: PageRow.extend({ in_all: z.number() }),
  })

/** Names are long to read, and only needed to look for a part of them. */
const listInOrder = pageInOrder('entities.page_in_order', "''")
const searchInOrder = pageInOrder('entities.search_in_order', 'any(name)')

export interface EntityPage {
  readonly rows: readonly z.output<typeof PageRow>[]
  /** The log offsets of analyses that do not count, if the page was read without looking up those that count. */
  readonly replaced: readonly number[] | null
}

/**
 * A page of entities mentioned in a window of event time, most mentioned first: ids with their figures in the window;
 * `total` counts all pages. Only the current analysis of an article counts.
 */
export async function entityPage(store: Store, params: EntityPageParams): Promise<EntityPage> {
  if (isShort(params)) return { rows: await pageShortly(store)(params), replaced: null }
  return (await entityPageInOrder(store, params)) ?? { rows: await pageExactly(store)(params), replaced: null }
}

/** `null` if too many analyses do not count, or if the table has repeated rows. */
async function entityPageInOrder(store: Store, params: EntityPageParams): Promise<EntityPage | null> {
  const { namespace, from, as_of } = params
  const { replaced, ...window } = await currentAnalyses(store, { namespace, from, as_of })
  if (replaced === null) return null
  const current = { ...window, replaced }
  const [rows, [counted]] = await Promise.all([
    (params.query === '' ? listInOrder : searchInOrder)(store)({ ...params, ...current }),
    mentionsIn(store)(current),
  ])
  return rows.every(({ in_all }) => in_all === counted?.mentions) ? { rows, replaced } : null
}
