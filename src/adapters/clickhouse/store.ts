import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient, ClickHouseClientConfigOptions, ClickHouseSettings } from '@clickhouse/client'
import { QueryTooLarge, QueryTooSlow, StoreUnavailable, StoreUnreachable } from '../../ports/store.ts'
import type { BoundQuery, Store } from '../../ports/store.ts'
import { failureOf, isTooSlow, isUnreachable, throughRestart } from './failure.ts'
import { insertInto } from './insert.ts'

export interface ClickHouseStoreOptions {
  /** `http://host:port`. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** Created by the first DDL statement if it does not exist. */
  readonly database: string
  /**
   * Memory limit of one read, bytes. Default: half the memory of the small server in `docker/clickhouse/config.xml`.
   */
  readonly readMemoryBytes?: number
  /** Timeout without any data from the server. */
  readonly timeoutMs?: number
  /** How long a read is repeated while the server refuses connections. Default: 5 s. */
  readonly restartMs?: number
}

const READ_MEMORY_BYTES = 750_000_000
const REQUEST_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2_000
/** Time after `max_execution_time` until the client aborts a query that the server has not ended. */
const GRACE_MS = 10_000

const MAX_SECONDS = 10
/**
 * For migrations and for reads that request more time than the default; both may take hours. The server sends progress
 * headers, so that proxies do not treat the connection as idle. A step without progress may take an hour.
 */
const LONG_TIMEOUT_MS = 3_600_000
const LONG_SETTINGS: ClickHouseSettings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '10000',
}
/** Progress headers take about 250 bytes every ten seconds, so this is enough for days. */
const LONG_HEADERS_BYTES = 16 * 1024 * 1024

/**
 * Limits of one read: ten seconds, and bounds on bytes read, memory and result size, so that one query cannot take the
 * whole server. A query that exceeds a limit fails; results are never truncated.
 * `max_rows_to_read` would make ClickHouse plan a query over projections of a large table for a second.
 */
const READ_SETTINGS: ClickHouseSettings = {
  readonly: '2', // with it, a client disconnect also cancels the query on the server
  cancel_http_readonly_queries_on_client_close: 1,
  max_execution_time: MAX_SECONDS,
  max_result_rows: '200000',
  max_result_bytes: '268435456',
  max_bytes_to_read: '8000000000',
  result_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  wait_end_of_query: 1, // an error is returned as an error, not appended to a partial result
  date_time_output_format: 'iso', // 2018-12-31T00:00:00.000Z
  output_format_json_quote_64bit_integers: 0, // counts and offsets stay below 2^53
  prefer_global_in_and_join: 1, // shards have no other tables than those that are spread over them,
  allow_push_predicate_ast_for_distributed_subqueries: 0, // nor what a condition outside a subquery reads
}

const INSERT_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  async_insert: 0, // the response means durable
}

/** The view store on ClickHouse over HTTP. Throws `StoreUnavailable` if a retry may succeed. */
export function clickhouseStore(options: ClickHouseStoreOptions): Store {
  const { database } = options
  const client = connect(options)
  const longRunning = connectLongRunning(options)
  // its own connection, so that a ping never waits behind queries
  const probe = connect({ ...options, timeoutMs: PROBE_TIMEOUT_MS }, { max_open_connections: 1 })
  const longestMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS
  const insert = insertInto(client, database, INSERT_SETTINGS)
  const retrying = throughRestart(options.restartMs)
  let pinging: Promise<boolean> | null = null
  const ping = async (): Promise<boolean> => (await probe.ping()).success

  return {
    insert: (table, rows) => withStoreErrors(insert(table, rows)),
    query: async (query) => {
      const { parse, maxSeconds = 0 } = query
      const fits = maxSeconds * 1_000 < longestMs
      const read = () => select(fits ? client : longRunning, query, options)
      const rows = await explainingMissing(withStoreErrors(retrying(read)), database)
      return rows.map(parse)
    },
    command: (sql) => withStoreErrors(define(longRunning, options, sql)),
    // one at a time for all who wait: on one connection, frequent pings of a slow server would queue for ever
    ping: () => (pinging ??= ping().finally(() => (pinging = null))),
    close: async () => {
      await Promise.all([client.close(), longRunning.close(), probe.close()])
    },
  }
}

async function select(
  client: ClickHouseClient,
  query: BoundQuery<unknown>,
  { readMemoryBytes = READ_MEMORY_BYTES }: ClickHouseStoreOptions,
): Promise<unknown[]> {
  const { sql, params } = query
  const result = await client.query({
    query: sql,
    query_params: { ...params },
    format: 'JSONEachRow',
    clickhouse_settings: { ...settingsOf(query), max_memory_usage: String(readMemoryBytes) },
    abort_signal: AbortSignal.timeout((query.maxSeconds ?? MAX_SECONDS) * 1_000 + GRACE_MS),
  })
  return result.json()
}

/** `log_comment` puts the query's name and the request id into `system.query_log`. */
const settingsOf = ({ name, request_id, maxSeconds, sequential }: BoundQuery<unknown>): ClickHouseSettings => ({
  ...READ_SETTINGS,
  ...(maxSeconds === undefined ? {} : { max_execution_time: maxSeconds }),
  ...(sequential === true ? { select_sequential_consistency: '1' } : {}),
  log_comment: request_id === undefined ? name : `${name} ${request_id}`,
})

/**
 * A server without the database or a table cannot answer, so a copy is read: it is new, or its disk was lost. Only an
 * operator can mend that.
 */
async function explainingMissing<Out>(answer: Promise<Out>, database: string): Promise<Out> {
  try {
    return await answer
  } catch (cause) {
    if (!isUnknownDatabase(cause) && !isUnknownTable(cause)) throw cause
    const what = isUnknownTable(cause)
      ? `The database ${database} lacks a table`
      : `There is no database ${database} yet`
    throw new StoreUnreachable(`${what}: \`story migrate\` makes it`, { cause })
  }
}

const isUnknownDatabase = (cause: unknown): boolean => cause instanceof ClickHouseError && cause.code === '81'
const isUnknownTable = (cause: unknown): boolean => cause instanceof ClickHouseError && cause.code === '60'

const connectLongRunning = (options: ClickHouseStoreOptions): ClickHouseClient =>
  connect(
    { ...options, timeoutMs: LONG_TIMEOUT_MS },
    { clickhouse_settings: LONG_SETTINGS, max_response_headers_size: LONG_HEADERS_BYTES },
  )

const connect = (
  { url, user, password, database, timeoutMs = REQUEST_TIMEOUT_MS }: ClickHouseStoreOptions,
  { clickhouse_settings, ...more }: ClickHouseClientConfigOptions = {},
): ClickHouseClient =>
  createClient({
    url,
    username: user,
    password,
    database,
    application: 'story',
    use_multipart_params_auto: true, // a long list of ids does not fit in a URL
    request_timeout: timeoutMs,
    max_open_connections: 16,
    compression: { request: false, response: false }, // vectors hardly compress; saves 0.5 ms of CPU per article
    log: { level: ClickHouseLogLevel.OFF }, // errors are thrown
    clickhouse_settings: { ...clickhouse_settings, implicit_select: 0 }, // reject a bare `1 + 1`, as in production
    ...more,
  })

/** The response comes after the statement and its mutations have finished, and reports their errors. */
const SYNCHRONOUS = { wait_end_of_query: 1, mutations_sync: '1' } as const

/** Runs DDL. Creates the database first if it does not exist. */
async function define(client: ClickHouseClient, options: ClickHouseStoreOptions, sql: string): Promise<void> {
  const run = () => client.command({ query: sql, clickhouse_settings: SYNCHRONOUS })
  try {
    await run()
  } catch (cause) {
    if (!isUnknownDatabase(cause)) throw cause

    await createDatabase(options)
    await run()
  }
}

/** Uses its own connection: one that names a missing database cannot run any statement. */
async function createDatabase(options: ClickHouseStoreOptions): Promise<void> {
  const client = connect({ ...options, database: 'default' })
  try {
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${options.database} ENGINE = Atomic` })
  } finally {
    await client.close()
  }
}

async function withStoreErrors<Out>(answer: Promise<Out>): Promise<Out> {
  try {
    return await answer
  } catch (cause) {
    const failure = failureOf(cause)
    if (failure === 'too_large') throw new QueryTooLarge('the query exceeds the limits of the store', { cause })
    if (failure === 'defect') throw cause
    if (isTooSlow(cause)) throw new QueryTooSlow('the query took too long', { cause })
    throw isUnreachable(cause)
      ? new StoreUnreachable('the store did not answer', { cause })
      : new StoreUnavailable('the store is too busy', { cause })
  }
}
