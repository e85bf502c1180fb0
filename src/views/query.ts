import type { z } from 'zod'
import type { BoundQuery, Store } from '../ports/store.ts'

/** What a question is asked of: a namespace as it stood at a moment, in milliseconds since 1970. */
export interface AsOf {
  readonly namespace: string
  readonly as_of: number
}

export interface QueryDefinition<Params extends z.ZodObject, Out> {
  readonly name: string
  /** Static text; what comes from outside goes in as `{name: Type}` only. */
  readonly sql: string
  readonly params: Params
  readonly row: z.ZodType<Out>
  /** Longest time it may take; the reader's limit when it is not given. */
  readonly maxSeconds?: number
  /** See `BoundQuery`: for cursors that go on behind the last row and never look back. */
  readonly sequential?: true
}

/** Asks one namespace: there is no way to leave it out. */
export type QueryAsk<Params, Out> = (store: Store) => (params: BoundParameters<Params>) => Promise<readonly Out[]>

/** A row that a query answers with. */
export type RowOf<Ask extends (store: Store) => (params: never) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<ReturnType<Ask>>
>[number]

type BoundParameters<Params> = (Params extends Record<string, never> ? unknown : Params) & {
  readonly namespace: string
}

/**
 * The one way to read a view. Refuses, when it is defined, SQL that reads a table without holding it to the namespace
 * or names a parameter it was not given. A row that does not fit is our bug and throws.
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
const READS = /(?<!\bARRAY )\b(?:FROM|JOIN)\s+([a-z_]+)\b/g
const NAMED = /(?:\bWITH|,)\s+([a-z_]+) AS \(/g
const HELD = /\bnamespace = \{namespace: String\}/g
const all = (pattern: RegExp, sql: string): string[] => [...sql.matchAll(pattern)].map((match) => match[1] ?? match[0])

function checkNamespace({ name, sql }: { readonly name: string; readonly sql: string }): void {
  const named = new Set(all(NAMED, sql))
  const tables = all(READS, sql).filter((table) => !named.has(table))
  const held = all(HELD, sql).length
  if (held === 0 || held < tables.length) {
    throw new Error(
      `Query ${name} reads ${tables.join(', ')} but says "namespace = {namespace: String}" ${held} times: once for each table`,
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
