import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient, ClickHouseClientConfigOptions, ClickHouseSettings } from '@clickhouse/client'
import { QueryTooLarge, StoreAway, StoreUnreachable } from '../../ports/store.ts'
import type { BoundQuery, Store } from '../../ports/store.ts'
import { failureOf, throughRestart } from './failure.ts'
import { insertInto } from './insert.ts'

export interface ClickHouseStoreOptions {
  /** `http://host:port`. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** Made by the first DDL when it is not there. */
  readonly database: string
  /** Memory of one read, bytes. Left out: half of what the small server of `docker/clickhouse/config.xml` has. */
  readonly readMemoryBytes?: number
  /** A request is given up after this long without a word from the server. */
  readonly timeoutMs?: number
}

const READ_MEMORY_BYTES = 750_000_000
const REQUEST_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2_000
/** A query that the server did not end in its time gives its connection back this much later. */
const GRACE_MS = 10_000

const MAX_SECONDS = 10
/**
 * Statements of migrations, and reads that ask for more time than a request has, may take hours. The server reports their
 * progress in headers, so that nothing between takes the connection for idle; a step without progress may take an hour.
 */
const LONG_TIMEOUT_MS = 3_600_000
const LONG_SETTINGS: ClickHouseSettings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '10000',
}
/** Some 250 bytes each ten seconds: enough for days. */
const LONG_HEADERS_BYTES = 16 * 1024 * 1024

/**
 * A reader waits ten seconds at most, and one query never takes the server from all others: what it reads, holds and
 * answers is bounded. Over a bound it fails as a whole; nothing is ever cut off in silence.
 */
const READ_SETTINGS: ClickHouseSettings = {
  readonly: '2', // with it, a reader who hangs up ends the query on the server too
  cancel_http_readonly_queries_on_client_close: 1,
  max_execution_time: MAX_SECONDS,
  max_result_rows: '200000',
  max_result_bytes: '268435456',
  max_rows_to_read: '1000000000',
  result_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  wait_end_of_query: 1, // a failure on the way comes as one, not as the tail of an answer
  date_time_output_format: 'iso', // 2018-12-31T00:00:00.000Z
  output_format_json_quote_64bit_integers: 0, // counts and offsets stay below 2^53
}

const INSERT_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  async_insert: 0, // durable when it answers
}

/** The store of the views on ClickHouse over HTTP. Throws `StoreAway` when trying again may help. */
export function clickhouseStore(options: ClickHouseStoreOptions): Store {
  const { database } = options
  const client = connect(options)
  const patient = connectPatiently(options)
  // a connection of its own: it never waits behind queries
  const probe = connect({ ...options, timeoutMs: PROBE_TIMEOUT_MS }, { max_open_connections: 1 })
  const longestMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS
  const insert = insertInto(client, database, INSERT_SETTINGS)
  const waiting = throughRestart()

  return {
    insert: (table, rows) => orAway(insert(table, rows)),
    query: async (query) => {
      const { parse, maxSeconds = 0 } = query
      const fits = maxSeconds * 1_000 < longestMs
      const read = () => select(fits ? client : patient, query, options)
      const rows = await orAway(madeOnly(waiting(read), database))
      return rows.map(parse)
    },
    command: (sql) => orAway(define(patient, options, sql)),
    ping: async () => (await probe.ping()).success,
    close: async () => {
      await Promise.all([client.close(), patient.close(), probe.close()])
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

/** `system.query_log` names the query, and the request it was for, in `log_comment`. */
const settingsOf = ({ name, request_id, maxSeconds, sequential }: BoundQuery<unknown>): ClickHouseSettings => ({
  ...READ_SETTINGS,
  ...(maxSeconds === undefined ? {} : { max_execution_time: maxSeconds }),
  ...(sequential === true ? { select_sequential_consistency: '1' } : {}),
  log_comment: request_id === undefined ? name : `${name} ${request_id}`,
})

/** A database that is not there is no bad day: somebody has to make it. */
async function madeOnly<Out>(answer: Promise<Out>, database: string): Promise<Out> {
  try {
    return await answer
  } catch (cause) {
    if (!isUnknownDatabase(cause)) throw cause
    throw new Error(`There is no database ${database} yet: \`story migrate\` makes it`, { cause })
  }
}

const isUnknownDatabase = (cause: unknown): boolean => cause instanceof ClickHouseError && cause.code === '81'

const connectPatiently = (options: ClickHouseStoreOptions): ClickHouseClient =>
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
    use_multipart_params_auto: true, // a long list of ids is no address
    request_timeout: timeoutMs,
    max_open_connections: 16,
    compression: { request: false, response: false }, // vectors hardly shrink, and half a millisecond of CPU an article
    log: { level: ClickHouseLogLevel.OFF }, // what goes wrong is thrown
    clickhouse_settings: { ...clickhouse_settings, implicit_select: 0 }, // `1 + 1` alone is an error, embedded as in production
    ...more,
  })

/** An answer comes when a statement is done, its mutations included, and names what went wrong. */
const SYNCHRONOUS = { wait_end_of_query: 1, mutations_sync: '1' } as const

/** DDL; a database that is not there yet is made by the first of it. */
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

/** A connection of its own: one that names a missing database can ask for nothing. */
async function createDatabase(options: ClickHouseStoreOptions): Promise<void> {
  const client = connect({ ...options, database: 'default' })
  try {
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${options.database} ENGINE = Atomic` })
  } finally {
    await client.close()
  }
}

async function orAway<Out>(answer: Promise<Out>): Promise<Out> {
  try {
    return await answer
  } catch (cause) {
    const failure = failureOf(cause)
    if (failure === 'too_large') throw new QueryTooLarge('the query exceeds the limits of the store', { cause })
    if (failure === 'defect') throw cause
    throw cause instanceof ClickHouseError
      ? new StoreAway('the store is too busy', { cause })
      : new StoreUnreachable('the store did not answer', { cause })
  }
}
