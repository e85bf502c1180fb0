import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import kafkajs, { Kafka } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { livingInGroup } from '../builders/processes.ts'
import { clickhouseStore } from '../../src/adapters/clickhouse/store.ts'
import { refreshAnalystViews } from '../../src/engines/analysts/views.ts'
import { migrate } from '../../src/views/migrate.ts'
import { anyFreePort, answers } from '../../src/engines/free-port.ts'
import { sendSignal } from '../../src/engines/leash.ts'
import { type Engines, startEngines } from '../../src/engines/start-engines.ts'

const shared = inject('engines')
const soon = { timeout: 60_000, interval: 50 }

interface Login {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly database: string
}
const connect = ({ url, user: username, password, database }: Login) =>
  createClient({ url, username, password, database, log: { level: ClickHouseLogLevel.OFF } })

const freePorts = async () => ({
  kafka: await anyFreePort(),
  registry: await anyFreePort(),
  clickhouse: await anyFreePort(),
})

const onProgress = (line: string) => console.error(line)

describe('ClickHouse from the npm package chdb', () => {
  const client = connect(shared.clickhouse)
  afterAll(() => client.close())

  const rows = async (query: string) => (await client.query({ query, format: 'JSONEachRow' })).json()

  it('is the pinned server version, started through an undocumented entry point', async () => {
    expect(await rows('SELECT version() AS version')).toMatchObject([{ version: '26.7.2.1' }])
  })

  it('stores acknowledged rows on disk, and its own logs in memory', async () => {
    expect(
      await rows(`
        SELECT name, value FROM system.merge_tree_settings
        WHERE name IN ('fsync_after_insert', 'fsync_part_directory') ORDER BY name`),
    ).toEqual([
      { name: 'fsync_after_insert', value: '1' },
      { name: 'fsync_part_directory', value: '1' },
    ])
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    expect(await rows("SELECT engine FROM system.tables WHERE database = 'system' AND name = 'query_log'")).toEqual([
      { engine: 'Memory' },
    ])
  })

  it('accepts a parameter of a million numbers', async () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, i) => i)
    const response = await client.query({
      query: 'SELECT length({numbers: Array(UInt64)}) AS count',
      query_params: { numbers },
      use_multipart_params: true,
      format: 'JSONEachRow',
    })

    expect(await response.json()).toMatchObject([{ count: 1000000 }])
  })

  it('has a hard limit on memory', async () => {
    expect(await rows("SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'")).toEqual([
      { value: '1500000000' },
    ])
  })

  it.each([
    ['a bare expression', '1 + 1', '62'],
    ['a file', "SELECT * FROM file('/etc/hostname', 'LineAsString')", '497'],
    ['a URL', "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", '497'],
    ['another server', "SELECT * FROM remote('127.0.0.1', 'system.one')", '497'],
    ['new users, which are defined in files', 'CREATE USER mallory', '514'],
    ['to grant more than reading', 'GRANT INSERT ON story.* TO analyst', '497'],
  ])('denies the service %s', async (_, query, code) => {
    await expect(client.command({ query })).rejects.toMatchObject({ code })
  })

  it('rejects connections without a password, so that no one can close the listener', async () => {
    const stranger = connect({ ...shared.clickhouse, user: 'default', password: '' })
    await expect(stranger.command({ query: 'SYSTEM STOP LISTEN HTTP' })).rejects.toMatchObject({ code: '201' })
    await stranger.close()

    const guesser = connect({ ...shared.clickhouse, password: 'guessed' })
    await expect(guesser.command({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '516' })
    await guesser.close()
  })
})

describe('an analyst', () => {
  const service = connect(shared.clickhouse)
  const store = clickhouseStore(shared.clickhouse)
  const password = shared.clickhouse.analystPassword
  const analyst = connect({ ...shared.clickhouse, user: 'analyst', password, database: 'analyst' })

  beforeAll(async () => {
    await migrate(store, { replicated: false })
    await refreshAnalystViews(store, 'story')
  })
  afterAll(async () => {
    await Promise.all([service.close(), analyst.close(), store.close()])
  })

  it('reads the views', async () => {
    const answer = await analyst.query({
      query: "SELECT count() AS n FROM articles WHERE article_id = ''",
      format: 'JSONEachRow',
    })
    expect(await answer.json()).toEqual([{ n: 0 }])
  })

  it.each([
    ['to write', 'INSERT INTO trends (name) VALUES (1)', '497'],
    ['to drop', 'DROP VIEW trends', '497'],
    ['to create', 'CREATE TABLE mine (n UInt64) ENGINE = Memory', '497'],
    ['a file', "SELECT * FROM file('/etc/hostname', 'LineAsString')", '497'],
    ['a URL', "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", '497'],
    ['an object store', "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'LineAsString')", '497'],
    ['another server', "SELECT * FROM remote('127.0.0.1', 'system.one')", '497'],
    ['a program', "SELECT * FROM executable('id', 'LineAsString', 'x String')", '497'],
    ['the log of queries', 'SELECT * FROM system.query_log', '497'],
    ['the settings of the server', 'SELECT * FROM system.server_settings', '497'],
    ['to end queries', "KILL QUERY WHERE user = 'story'", '497'],
    ['more result rows than allowed', 'SELECT number FROM numbers(200000)', '396'],
    ['more time', 'SELECT 1 SETTINGS max_execution_time = 0', '452'],
    ['another timeout behaviour', "SELECT 1 SETTINGS timeout_overflow_mode = 'break'", '452'],
    ['more memory', 'SELECT 1 SETTINGS max_memory_usage = 0', '452'],
    ['more memory for all queries', 'SELECT 1 SETTINGS max_memory_usage_for_user = 0', '452'],
    ['more result rows', 'SELECT 1 SETTINGS max_result_rows = 0', '452'],
    ['more result bytes', 'SELECT 1 SETTINGS max_result_bytes = 0', '452'],
    ['more rows to read', 'SELECT 1 SETTINGS max_rows_to_read = 0', '452'],
    ['more threads', 'SELECT 1 SETTINGS max_threads = 64', '452'],
    ['a higher priority than the service', 'SELECT 1 SETTINGS priority = 1', '452'],
    ['to spill to disk', 'SELECT 1 SETTINGS max_bytes_before_external_sort = 1', '452'],
    ['to stop being read-only', 'SELECT 1 SETTINGS readonly = 0', '164'],
  ])('is refused %s', async (_, query, code) => {
    // the complete response or the error: a response cut within its rows is a broken connection to the client
    const whole = { clickhouse_settings: { wait_end_of_query: 1 } } as const
    await expect(analyst.command({ query, ...whole })).rejects.toMatchObject({ code })
  })

  it('is stopped at its limits of memory and rows', async () => {
    await expect(
      analyst.command({
        query: 'SELECT groupArray(toString(a.number) || toString(b.number)) FROM numbers(200000) a, numbers(200000) b',
      }),
    ).rejects.toThrow(/memory limit/i)
    await expect(
      analyst.command({ query: 'SELECT sum(a.number) FROM numbers(9) a CROSS JOIN numbers(1e12) b' }),
    ).rejects.toThrow(/Limit for rows/i)
  })
})

describe('under supervision', () => {
  const home = mkdtempSync(join(tmpdir(), 'story-supervised-'))
  let engines: Engines

  beforeAll(async () => {
    engines = await startEngines({ home, cache: shared.cache, ports: await freePorts(), onProgress })
  })
  afterAll(async () => {
    await engines.stop()
    rmSync(home, { recursive: true, force: true })
  })

  /** Kills an engine and waits for another process in its place. */
  const kill = async (name: 'kafka' | 'registry' | 'clickhouse') => {
    const before = engines.pids()[name]
    sendSignal(before, 'SIGKILL')
    await vi.waitFor(() => expect(engines.pids()[name]).not.toBe(before), soon)
  }

  it('ClickHouse restarts with its data after kill -9', async () => {
    const client = connect(engines.clickhouse)
    await client.command({ query: 'CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n' })
    await client.insert({ table: 'kept', values: [{ n: 7 }], format: 'JSONEachRow' })

    await kill('clickhouse')

    const answer = await client.query({ query: 'SELECT n FROM kept', format: 'JSONEachRow' })
    expect(await answer.json()).toEqual([{ n: 7 }])
    await client.close()
  })

  it('Kafka restarts with its data after kill -9, and sets the timestamp of records when it appends them', async () => {
    const retry = { retries: 60, initialRetryTime: 100, maxRetryTime: 500 }
    const kafka = new Kafka({ brokers: engines.brokers, clientId: 'test', logLevel: kafkajs.logLevel.NOTHING, retry })
    const [admin, producer] = [kafka.admin(), kafka.producer()]
    await Promise.all([admin.connect(), producer.connect()])
    await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 1 }], waitForLeaders: true })
    await producer.send({ topic: 'kept', acks: -1, messages: [{ value: 'a', timestamp: '1000' }] })

    await kill('kafka')

    await producer.send({ topic: 'kept', acks: -1, messages: [{ value: 'b' }] })
    expect(await admin.fetchTopicOffsets('kept')).toMatchObject([{ low: '0', high: '2' }])
    // sent with a timestamp of 1970, stored with the current one
    expect(await admin.fetchTopicOffsetsByTimestamp('kept', 1_700_000_000_000)).toMatchObject([{ offset: '0' }])
    await Promise.all([admin.disconnect(), producer.disconnect()])
  })

  it('the registry returns the same id for a schema after kill -9', async () => {
    const register = async () => {
      const response = await fetch(`${engines.registryUrl}/subjects/kept-value/versions`, {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
        body: JSON.stringify({ schema: '{"type":"record","name":"Kept","fields":[{"name":"n","type":"long"}]}' }),
      })
      return response.json()
    }
    const before = await register()

    await kill('registry')

    expect(await register()).toEqual(before)
  })

  it('stores passwords where only the owner can read them', () => {
    const file = join(home, 'secrets.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ clickhouse_password: engines.clickhouse.password })
  })
})

describe('a taken port', () => {
  it('that was configured is named, with the variable to set, and no process is left running', async () => {
    const server = createServer().listen(await anyFreePort(), '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const home = mkdtempSync(join(tmpdir(), 'story-port-'))

    const starting = startEngines({
      home,
      cache: shared.cache,
      ports: { ...(await freePorts()), clickhouse: port },
      onProgress,
    })

    await expect(starting).rejects.toThrow(`port ${port} (CLICKHOUSE_PORT) is taken; set CLICKHOUSE_PORT to a free one`)
    expect(existsSync(join(home, 'logs'))).toBe(false)
    server.close()
    rmSync(home, { recursive: true })
  })
})

describe('the parent of the engines', () => {
  it('leaves no process behind, not even after kill -9', async () => {
    const home = mkdtempSync(join(tmpdir(), 'story-orphans-'))
    const ports = await freePorts()
    const script = join(import.meta.dirname, 'engines-parent.ts')
    const args = ['--import', 'tsx', script, home, shared.cache, ...Object.values(ports).map(String)]
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines: unknown[] = await once(createInterface({ input: parent.stdout }), 'line')
    const pids = Object.values(z.record(z.string(), z.number()).parse(JSON.parse(String(lines[0]))))
    expect(pids).toHaveLength(3)
    // each with its orphan guard
    expect(pids.map(livingInGroup)).toEqual([2, 2, 2])

    parent.kill('SIGKILL')

    await vi.waitFor(async () => {
      expect(pids.map(livingInGroup)).toEqual([0, 0, 0])
      expect(await Promise.all(Object.values(ports).map(answers))).toEqual([false, false, false])
    }, soon)
    rmSync(home, { recursive: true })
  })
})
