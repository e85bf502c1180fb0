import { z } from 'zod'
import { onOneServer, type Store } from '../../ports/store.ts'
import { query, type AsOf, type QueryAsk } from '../query.ts'
import { FIGURES } from './derived-rows.ts'
import {
  ASSIGNMENT_CONFIDENCE,
  concernedByWindow,
  OUTLET,
  SETTLED,
  settlementOf,
  withOrigins,
  type Grouping,
} from './as-of.ts'

/** The columns of `story_figures` that lists rank and filter by. */
export const RANKED_BY =
  'cluster_id, articles, sources, origins, updated_at, languages, min_confidence, days, revisions'
/** The columns from which trends are computed. */
export const TREND_COLUMNS = 'cluster_id, articles, min_confidence, days, revisions, times, sentiments, categories'
/** All columns of figures. `abouts` are large, and read only to look for words. */
export const FIGURE_COLUMNS = `${RANKED_BY}, times, sentiments, categories, abouts`

/**
 * A CTE, as of a point in time: one row per story of the CTE `touched` that has articles, computed from the facts
 * about the articles of the CTE `concerned`.
 */
export const figuresOfFacts = (from: Grouping = 'placements', name = 'figures'): string => `
    ${withOrigins(
      `
        language, sentiment_score, categories, ${OUTLET} AS outlet,
        concat(ifNull(title, ''), ' ', arrayStringConcat(entity_names, ' ')) AS about`,
      from,
    )},
    ${settlementOf('cluster_id IN (SELECT cluster_id FROM touched)')},
    ${name} AS (
      SELECT
        cluster_id, countIf(own) AS articles, greatest(1, uniqExact(outlet)) AS sources,
        toFloat64(uniqExact(origin)) - uniqExactIf(origin, from_origin != '') AS origins, max(occurred_at) AS updated_at,
        groupUniqArrayIf(language, own) AS languages,
        min(ifNull(${ASSIGNMENT_CONFIDENCE}, 0)) AS min_confidence,
        maxMap([toDate32(occurred_at)], [revised]) AS by_day, by_day.1 AS days, by_day.2 AS revisions,
        arraySort(groupArrayIf((occurred_at, sentiment_score), own)) AS timed, timed.1 AS times, timed.2 AS sentiments,
        sumMapIf(looked.categories, arrayMap(category -> 1, looked.categories), own) AS by_category,
        arrayFilter((category, count) -> count * 3 >= articles, by_category.1, by_category.2) AS categories,
        groupArrayIf(about, own) AS abouts
      FROM looked LEFT JOIN settlement ON looked.cluster_id = settlement.story
      WHERE cluster_id IN (SELECT cluster_id FROM touched)
      GROUP BY cluster_id
    )`

/** `settled_days`: one row, with the days that were reclustered and the log offsets of their last recluster. */
export const SETTLED_DAYS = `${SETTLED},
    settled_days AS (
      SELECT groupArray(day) AS each, groupArray(settled_at) AS at FROM settled
    )`
/** Whether all articles of a row of `figures` are settled. */
export const IS_SETTLED = `arrayAll(
          (day, revised) -> revised < (SELECT at FROM settled_days)[indexOf((SELECT each FROM settled_days), day)],
          days, revisions
        )`

/** Stories by their stored figures. A story without articles in the window is left out. */
const stored = (name: string, columns: string): string => `
    ${name} AS (
      SELECT ${columns} FROM story_figures FINAL
      WHERE namespace = {namespace: String} AND updated_at > {from: DateTime64(3, 'UTC')} AND articles > 0
    )`

/** The same, but the stories `outdated` by figures that are computed from their facts. */
const partlyStored = (columns: string): string => `
    ${stored('kept', columns)},
    touched AS (
      SELECT arrayJoin({outdated: Array(String)}) AS cluster_id
    ),
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN {outdated: Array(String)}
    ),
    ${figuresOfFacts('placements', 'computed')},
    figures AS (
      SELECT ${columns} FROM kept WHERE cluster_id NOT IN {outdated: Array(String)}
      UNION ALL
      SELECT ${columns} FROM computed
    )`

interface FiguresQuery<Params extends z.ZodObject, Out> {
  readonly name: string
  /** The columns of `figures` that are read. */
  readonly columns: string
  /** SQL that follows the CTE `figures`: one row per story with articles in the window, as of a point in time. */
  readonly select: string
  /** With `from` and `as_of`: the window. */
  readonly params: Params
  readonly row: z.ZodType<Out>
}

/** The query with all figures computed from the facts of the window. */
export const overFacts = <Params extends z.ZodObject, Out>(
  { name, select, params, row }: Omit<FiguresQuery<Params, Out>, 'columns'>,
  from: Grouping = 'placements',
): QueryAsk<z.input<Params>, Out> =>
  query({ name, sql: `WITH ${concernedByWindow(from)},${figuresOfFacts(from)},${select}`, params, row })

/** The query over stored figures, as far as these hold as of the point in time. */
export function overFigures<Params extends z.ZodObject, Out>(definition: FiguresQuery<Params, Out>) {
  const { name, columns, select, params, row } = definition
  const ofFacts = overFacts(definition)
  const ofStored = query({ name: `${name}_stored`, sql: `WITH ${stored('figures', columns)},${select}`, params, row })
  const withOutdated: z.ZodObject = params.extend({ outdated: z.array(z.string()) })
  const ofBoth = query({
    name: `${name}_partly_stored`,
    sql: `WITH ${partlyStored(columns)},${select}`,
    params: withOutdated,
    row,
  })
  return (stores: Store) => async (request: Parameters<ReturnType<typeof ofFacts>>[0] & AsOf) => {
    const store = onOneServer(stores)
    const outdated = await FIGURES.outdated(store, request)
    if (outdated === null) return ofFacts(store)(request)
    return outdated.length === 0 ? ofStored(store)(request) : ofBoth(store)({ ...request, outdated })
  }
}
