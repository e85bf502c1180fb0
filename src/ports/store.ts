export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [name: string]: Cell } | VectorCell

/** A vector: float32 components for a column of such, or the bytes of a narrower column as it keeps them (bfloat16). */
export type VectorCell = Float32Array | Uint8Array
export type Row = Readonly<Record<string, Cell>>

/** A query with its parameters, ready to be sent; made only by `views/query.ts`, which demands a namespace. */
export interface BoundQuery<Out> {
  readonly name: string
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  readonly parse: (row: unknown) => Out
  /** Longest time it may take, seconds; 10 where nothing is said. */
  readonly maxSeconds?: number
  /**
   * The answer must hold every row whose insert has been acknowledged. A replica that lacks one does not answer, which is
   * `StoreAway`; without replicas every answer is like that.
   */
  readonly sequential?: true
  /** Of the HTTP request it is asked for, where there is one. */
  readonly request_id?: string
}

/** Thrown when the store did not answer: away, too busy, out of time. Trying again may help; anything else it throws is our bug. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway'
}

/** Thrown when the store could not be reached or does not answer at all, unlike one that is too busy for a query. */
export class StoreUnreachable extends StoreAway {}

/** Thrown where a query reads or answers more than any may: asked for less of, it may do. */
export class QueryTooLarge extends Error {
  override readonly name = 'QueryTooLarge'
}

/** The store of the query views (ClickHouse). A store that is away throws `StoreAway`: try again. */
export interface Store {
  /** Durable when it resolves. */
  insert(table: string, rows: readonly Row[]): Promise<void>
  query<Out>(query: BoundQuery<Out>): Promise<readonly Out[]>
  /** DDL and maintenance; never with user input. */
  command(sql: string): Promise<void>
  ping(): Promise<boolean>
  close(): Promise<void>
}
