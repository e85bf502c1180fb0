import type { z } from 'zod'
import type { BoundQuery, Store } from '../ports/store.ts'

/** The scope of a query: a namespace as of a point in time, in milliseconds since 1970. */
export interface AsOf {
  readonly namespace: string
  readonly as_of: number
}

/** A window of event time: `from` (exclusive) to `as_of`, milliseconds since 1970. */
export interface Window extends AsOf {
  readonly from: number
}

export interface QueryDefinition<Params extends z.ZodObject, Out> {
  readonly name: string
  /** Static text; values from outside are passed only as `{name: Type}` parameters. */
  readonly sql: string
  readonly params: Params
  readonly row: z.ZodType<Out>
  /** Maximum execution time. Default: the store's limit for API queries. */
  readonly maxSeconds?: number
  /** See `BoundQuery`: for cursors that continue after the last row and never go back. */
  readonly sequential?: true
}

/** Runs the query in one namespace, which is a required parameter. */
export type QueryAsk<Params, Out> = (store: Store) => (params: BoundParameters<Params>) => Promise<readonly Out[]>

/** A row of a query's result. */
export type RowOf<Ask extends (store: Store) => (params: never) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<ReturnType<Ask>>
>[number]

type BoundParameters<Params> = (Params extends Record<string, never> ? unknown : Params) & {
  readonly namespace: string
}

/**
 * The only way to read a view. Throws at definition time if the SQL reads a table without filtering by namespace, or if
 * its parameters do not match `params`. A row that does not match `row` is a bug of ours and throws.
 */
export function query<Params extends z.ZodObject, Out>(
  definition: QueryDefinition<Params, Out>,
): QueryAsk<z.input<Params>, Out> {
  checkNamespace(definition)
  checkParams(definition)
  const { name, sql, row, maxSeconds, sequential } = definition
  const shape = definition.params

  return (store) => async (given) => {
    const bound: BoundQuery<Out> = {
      name,
      sql,
      params: { ...shape.parse(given), namespace: given.namespace },
      parse: (found) => row.parse(found),
      ...(maxSeconds === undefined ? {} : { maxSeconds }),
      ...(sequential === undefined ? {} : { sequential }),
    }
    return store.query(bound)
  }
}

const ARGUMENT = /\{(\w+):/g
const SOURCE = /(?<!\bARRAY )\b(?:FROM|JOIN)\s+([a-z_]+)\b/g
const CTE = /(?:\bWITH|,)\s+([a-z_]+) AS \(/g
const NAMESPACE_FILTER = /\bnamespace = \{namespace: String\}/g
const all = (pattern: RegExp, sql: string): string[] => [...sql.matchAll(pattern)].map((match) => match[1] ?? match[0])

function checkNamespace({ name, sql }: { readonly name: string; readonly sql: string }): void {
  const ctes = new Set(all(CTE, sql))
  const tables = all(SOURCE, sql).filter((table) => !ctes.has(table))
  const filters = all(NAMESPACE_FILTER, sql).length
  if (filters === 0 || filters < tables.length) {
    throw new Error(
      `Query ${name} reads ${tables.join(', ')} but says "namespace = {namespace: String}" ${filters} times: once for each table`,
    )
  }
}

function checkParams({ name, sql, params }: { name: string; sql: string; params: z.ZodObject }): void {
  const used = new Set(all(ARGUMENT, sql))
  used.delete('namespace')
  const given = new Set(Object.keys(params.shape))
  const wrong = [...used].filter((one) => !given.has(one)).concat([...given].filter((one) => !used.has(one)))
  if (wrong.length > 0) throw new Error(`Query ${name}: SQL and params do not agree on ${wrong.join(', ')}`)
}
