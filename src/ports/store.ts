export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [name: string]: Cell } | VectorCell

/** A vector: float32 components, or the stored bytes of a narrower type (bfloat16, int8). */
export type VectorCell = Float32Array | Uint8Array
export type Row = Readonly<Record<string, Cell>>

/** A query with its parameters. Created only by `views/query.ts`, which requires a namespace. */
export interface BoundQuery<Out> {
  readonly name: string
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  readonly parse: (row: unknown) => Out
  /** Maximum duration, seconds; default 10. */
  readonly maxSeconds?: number
  /**
   * The result must contain every acknowledged insert. A replica that lacks one does not respond, which throws
   * `StoreUnavailable`. Without replicas every read is sequential.
   */
  readonly sequential?: true
  /** See `StorePin`. */
  readonly pin?: StorePin
  /** Id of the HTTP request that caused the query, if any. */
  readonly request_id?: string
}

/**
 * Reads with the same pin go to one server: where several servers hold the views, the first of them chooses it, and the
 * others fail with `PinnedServerLost` if it stops responding. For reads that build on each other.
 */
export interface StorePin {
  /** The name of the server; `null` before the first read. */
  server: string | null
}

/** A store whose reads all have the pin. */
export const pinnedTo = (store: Store, pin: StorePin): Store => ({
  query: (query) => store.query({ ...query, pin }),
  insert: (table, rows) => store.insert(table, rows),
  command: (sql) => store.command(sql),
  ping: () => store.ping(),
  close: () => store.close(),
})

/** Pins all reads to one server, since another one may have read more or less of the log. */
export const onOneServer = (store: Store): Store => pinnedTo(store, { server: null })

/**
 * The store did not respond: unavailable, too busy, timeout. A retry may help. Any other error of the store is a bug in
 * this service.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** A query took longer than allowed: the store is busy, or a smaller query may succeed. */
export class QueryTooSlow extends StoreUnavailable {
  override readonly name: string = 'QueryTooSlow'
}

/** The store cannot be reached or does not respond. Not thrown if it is only too busy for a query. */
export class StoreUnreachable extends StoreUnavailable {}

/** The server of a pin stopped responding. The reads with this pin may succeed on another server if all are repeated. */
export class PinnedServerLost extends StoreUnreachable {}

/** A query would read or return more than allowed. A smaller query may succeed. */
export class QueryTooLarge extends Error {
  override readonly name = 'QueryTooLarge'
}

/** The store of the query views (ClickHouse). Throws `StoreUnavailable` if it is unavailable, so that the caller retries. */
export interface Store {
  /** The rows are durable when it resolves. */
  insert(table: string, rows: readonly Row[]): Promise<void>
  query<Out>(query: BoundQuery<Out>): Promise<readonly Out[]>
  /** Runs DDL and maintenance statements; never pass user input. */
  command(sql: string): Promise<void>
  ping(): Promise<boolean>
  close(): Promise<void>
}
