import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

/** A window of event time: `from` (exclusive) to `as_of`, milliseconds since 1970. */
export interface Window extends AsOf {
  readonly from: number
}

/** The analyses of a window that count: all up to a log offset, but those that were replaced. */
export interface CurrentAnalyses extends Window {
  readonly up_to: number
  /** Log offsets. */
  readonly replaced: number[]
}

/** The parameters of `IN_CURRENT_ANALYSES`. */
export const currentAnalysesParams = z.object({
  from: moment,
  as_of: moment,
  up_to: z.int(),
  replaced: z.array(z.number()),
})

/**
 * A condition on rows of analyses. Few articles have several analyses, so it is faster to exclude those that do not count
 * than to look up those that do. A list of 200,000 log offsets as a parameter takes ClickHouse minutes.
 */
export const IN_CURRENT_ANALYSES = `occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND _offset <= {up_to: UInt64} AND _offset NOT IN {replaced: Array(UInt64)}`

export const IN_ORDER = 'SETTINGS optimize_aggregation_in_order = 1'

/**
 * The log offset up to which analyses are complete in all tables: their row here is inserted last. Without this limit, the
 * entities of one that arrives meanwhile would look like repeated rows.
 */
const completeUpTo = query({
  name: 'entities.complete_up_to',
  sql: `SELECT max(_offset) AS up_to FROM analyzed_articles WHERE namespace = {namespace: String}`,
  params: z.object({}),
  row: z.object({ up_to: z.number() }),
})

/** The log offsets of analyses in the window that do not count, since their articles have a newer one as of its end. */
const replacedAnalyses = query({
  name: 'entities.replaced',
  sql: `
    WITH several AS (
      SELECT article_id FROM analyzed_articles WHERE namespace = {namespace: String}
      GROUP BY article_id
      HAVING count() > 1
    ),
    each AS (
      SELECT article_id, direct, min(_offset) AS first, groupUniqArray((_offset, occurred_at)) AS places
      FROM analyzed_articles
      PREWHERE article_id IN (SELECT article_id FROM several)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')} AND _offset <= {up_to: UInt64}
      GROUP BY article_id, content_hash, direct
    ),
    counted AS (
      SELECT arrayFlatten(groupArray(places)) AS places, argMax(first, (NOT direct, first)) AS current
      FROM each
      GROUP BY article_id
    ),
    replaced AS (
      SELECT arrayJoin(places) AS one FROM counted WHERE one.1 != current
    )
    SELECT one.1 AS place FROM replaced WHERE one.2 > {from: DateTime64(3, 'UTC')}
    LIMIT {limit: UInt32}
    ${IN_ORDER}`,
  params: z.object({ from: moment, as_of: moment, up_to: z.int(), limit: z.int() }),
  row: z.object({ place: z.number() }),
})

/** More are not a parameter any more. */
const MOST_REPLACED = 100_000

/** `null` if too many analyses do not count. */
export async function currentAnalyses(store: Store, window: Window): Promise<CurrentAnalyses | null> {
  const [{ up_to } = { up_to: 0 }] = await completeUpTo(store)(window)
  const found = await replacedAnalyses(store)({ ...window, up_to, limit: MOST_REPLACED + 1 })
  if (found.length > MOST_REPLACED) return null
  const { namespace, from, as_of } = window
  return { namespace, from, as_of, up_to, replaced: found.map(({ place }) => place) }
}
