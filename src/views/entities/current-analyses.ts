import { z } from 'zod'
import { onOneServer, type Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type Window } from '../query.ts'
import { analysesOf } from './queries.ts'
import { replacedIn, severalAnalyses } from './several-analyses.ts'

/** CTE: the current analysis of each article that was analysed in the window. */
export const ANALYSES_OF_WINDOW = `touched AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
${analysesOf('touched')}`

/** The analyses of a window that count: the newest of each article as of its end, one from the pipeline before a direct one. */
export interface CurrentAnalyses extends Window {
  readonly up_to: number
  /** Log offsets of all others up to `up_to`; `null` if they are too many, so that those that count are looked up. */
  readonly replaced: number[] | null
  /** Their event times, milliseconds since 1970. */
  readonly replaced_at: number[]
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

interface AnalysesQuery<Params extends z.ZodObject, Out> {
  readonly name: string
  /** CTEs, ended by a comma, and a condition that selects the rows of the analyses that count. */
  readonly sql: (ctes: string, condition: string) => string
  readonly params: Params
  readonly row: z.ZodType<Out>
}

type ParametersOf<Params extends z.ZodObject> =
  z.input<Params> extends Record<string, never> ? unknown : z.input<Params>

/** A query over the analyses of a window that count. */
export function overCurrentAnalyses<Params extends z.ZodObject, Out>(definition: AnalysesQuery<Params, Out>) {
  const { name, sql, params, row } = definition
  const shape: z.ZodObject = params
  const withoutReplaced = query({
    name,
    sql: sql('', IN_CURRENT_ANALYSES),
    params: shape.extend(currentAnalysesParams.shape),
    row,
  })
  const lookedUp = query({
    name: `${name}_looked_up`,
    sql: sql(`${ANALYSES_OF_WINDOW},`, '_offset GLOBAL IN (SELECT place FROM analyses)'),
    params: shape.extend({ from: moment, as_of: moment }),
    row,
  })
  return (store: Store) => (request: ParametersOf<Params> & CurrentAnalyses) => {
    const { namespace, replaced } = request
    const given: object = request
    return (replaced === null ? lookedUp : withoutReplaced)(store)({ ...given, namespace })
  }
}

export const IN_ORDER = 'SETTINGS optimize_aggregation_in_order = 1'

/** The mentions in the analyses that count, from the analyses themselves: more are found only if rows are repeated. */
export const mentionsIn = query({
  name: 'entities.mentions_in',
  sql: `
    WITH each AS (
      SELECT any(mention_count) AS mentions FROM analyzed_articles
      WHERE namespace = {namespace: String} AND ${IN_CURRENT_ANALYSES}
      GROUP BY _offset
    )
    SELECT sum(each.mentions) AS mentions FROM each`,
  params: currentAnalysesParams,
  row: z.object({ mentions: z.number() }),
})

/** With more, the analyses that count are looked up. */
const MOST_REPLACED = 20_000

/** `store` reads from the server that has these analyses: one that is behind, or ahead, has others. */
interface CurrentAnalysesOfServer {
  readonly store: Store
  readonly analyses: CurrentAnalyses
}

export async function currentAnalyses(stores: Store, window: Window): Promise<CurrentAnalysesOfServer> {
  const { namespace, from, as_of } = window
  const store = onOneServer(stores)
  const { up_to, articles } = await severalAnalyses(stores, store, namespace)
  const places = articles === null ? null : replacedIn(articles.values(), { from, as_of, up_to })
  const of = { namespace, from, as_of, up_to }
  if (places === null || places.length > MOST_REPLACED)
    return { store, analyses: { ...of, replaced: null, replaced_at: [] } }
  const [replaced, replaced_at] = [places.map(([offset]) => offset), places.map(([, at]) => at)]
  return { store, analyses: { ...of, replaced, replaced_at } }
}
