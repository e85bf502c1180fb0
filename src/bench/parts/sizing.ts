import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { clickhouseStore } from '../../adapters/clickhouse/store.ts'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import { benchSizing, type SizingFigures } from '../sizing/sizing-bench.ts'
import { openEngines } from '../../config/kafka.ts'
import { anyFreePort } from '../../engines/free-port.ts'
import { startEngines, type Engines } from '../../engines/start-engines.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import { pipeline } from '../../pipeline.ts'
import { viewGroup, type Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { thisCli } from '../../wiring/up/service.ts'
import { prepare } from '../../wiring/up/steps.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

export const sizing: BenchPart = {
  says: 'cost of an article with one process per stage: CPU and memory by process, bytes by topic and table',
  alone: measure,
}

/** As in docker/kubernetes: a process a stage, the views together. */
const ROLES: readonly string[] = [...Object.keys(pipeline.stages), 'views', 'api', 'scheduler']

async function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // no model takes the cores of what is measured
  const home = await mkdtemp(join(tmpdir(), 'story-bench-'))
  const ports = { kafka: await anyFreePort(), registry: await anyFreePort(), clickhouse: await anyFreePort() }
  const onProgress = (line: string): void => wiring.out.progress(line)
  const engines = await startEngines({ home, cache: wiring.config.cache, ports, onProgress })
  const log = new KafkaLog({ brokers: engines.brokers, clientId: 'bench' })
  const store = clickhouseStore(engines.clickhouse)
  try {
    await prepare(engines, { topics: { partitions: 'one' } })
    const { command, args } = thisCli(wiring.environment)
    const processes = await Promise.all(
      ROLES.map(async (name) => ({ name, roles: [name], metricsPort: await anyFreePort() })),
    )
    const figures = await benchSizing({
      ...{ home, articles, onProgress, processes, engines: engines.pids() },
      program: { command: [command, ...args] as const, environment: await environmentOf(wiring, home, engines) },
      joined: () => joined(log),
      tables: () => tableBytes(store),
      stories: () => storiesIn(store),
    })
    return { figures, lines: lines(figures) }
  } finally {
    await store.close()
    await log.close()
    await engines.stop()
    await rm(home, { recursive: true, force: true })
  }
}

const environmentOf = async ({ environment }: BenchSetting['wiring'], home: string, engines: Engines) => ({
  ...environment,
  ...openEngines,
  ...{ STORY_HOME: home, LOG_LEVEL: 'error', PORT: String(await anyFreePort()) },
  ...{ KAFKA_BROKERS: engines.brokers.join(','), REGISTRY_URL: engines.registryUrl, ENCODER_PROCESSES: '1' },
  ...{ CLICKHOUSE_URL: engines.clickhouse.url, CLICKHOUSE_PASSWORD: engines.clickhouse.password },
  SECRETS_KEY: 'of a bench that keeps no secrets at all',
})

const LOOK_MS = 500
/** So long after the last group has joined, what a start costs is done. */
const SETTLE_MS = 10_000

/** Offsets can be deleted only of a group without members. */
async function joined(log: Log): Promise<void> {
  const groups = [...Object.keys(pipeline.stages), ...pipeline.views.map(({ name }) => viewGroup(name))]
  for (const group of groups) {
    while (await isEmpty(log, group)) await setTimeout(LOOK_MS)
  }
  await setTimeout(SETTLE_MS)
}

const isEmpty = (log: Log, group: string): Promise<boolean> =>
  log.forget(group).then(
    () => true,
    () => false,
  )

const Bytes = z.object({ name: z.string(), bytes: z.number() })

async function tableBytes(store: Store): Promise<Readonly<Record<string, number>>> {
  const rows = await store.query({
    name: 'bench.tables',
    sql: `SELECT table AS name, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table ORDER BY bytes DESC`,
    params: {},
    parse: (row) => Bytes.parse(row),
  })
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}

async function storiesIn(store: Store): Promise<number> {
  const rows = await store.query({
    name: 'bench.stories',
    sql: `SELECT uniqExact(cluster_id) AS stories FROM
      (SELECT argMax(cluster_id, _offset) AS cluster_id FROM placements WHERE namespace = {namespace: String} GROUP BY article_id)`,
    params: { namespace: SHARED },
    parse: (row) => z.object({ stories: z.number() }).parse(row).stories,
  })
  return rows[0] ?? 0
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(2).padStart(8)} kB`

function lines(f: SizingFigures): readonly string[] {
  const part = (title: string, bytes: Readonly<Record<string, number>>): readonly string[] => [
    `  ${title}, an article:`,
    ...Object.entries(bytes).map(([name, size]) => `    ${name.padEnd(28)} ${kilobytes(size)}`),
    `    ${'together'.padEnd(28)} ${kilobytes(Object.values(bytes).reduce((sum, size) => sum + size, 0))}`,
  ]
  return [
    `  ${f.articles} articles of ${f.text_characters} characters, ${f.stories} stories`,
    ...f.processes.map(
      ({ process, cpu_ms, idle_percent, idle_mb, peak_mb }) =>
        `    ${process.padEnd(14)} ${cpu_ms.toFixed(2).padStart(8)} ms of CPU an article, ` +
        `${idle_percent.toFixed(1).padStart(5)} % of a core at rest; ` +
        `${idle_mb.toFixed(0).padStart(5)} MB at rest, ${peak_mb.toFixed(0).padStart(5)} MB at most`,
    ),
    ...part('topics', f.topics),
    ...part('tables', f.tables),
  ]
}
