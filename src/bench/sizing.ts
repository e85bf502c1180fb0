import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { clickhouseStore } from '../adapters/clickhouse/store.ts'
import { openEngines } from '../config/kafka.ts'
import { SHARED } from '../domain/intake/articles.ts'
import { anyFreePort } from '../engines/free-port.ts'
import { pipeline } from '../pipeline.ts'
import { viewGroup, type Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { thisCli, type Cli } from '../wiring/up/service.ts'
import { prepare } from '../wiring/up/steps.ts'
import {
  asLine,
  endProcess,
  importableFile,
  importFile,
  startRoles,
  withOwnEngines,
  type OwnEngines,
} from './own-service.ts'
import type { BenchPart, BenchResult, BenchSetting } from './part.ts'
import { processTree, sumOf, type ProcessUse } from './processes.ts'
import { bytesPerArticle, bytesTable, totalBytes } from './stored-bytes.ts'

export const sizing: BenchPart = {
  about: 'cost of an article with one process per stage: CPU and memory by process, bytes by topic and table',
  alone: measure,
}

/** As in docker/kubernetes: one process per stage, and one for all views. */
const ROLES: readonly string[] = [...Object.keys(pipeline.stages), 'views', 'api', 'scheduler']
const MB = 1024 * 1024
const REST_MS = 20_000

function measure(setting: BenchSetting): Promise<BenchResult> {
  return withOwnEngines(setting.wiring, async (own) => {
    const store = clickhouseStore(own.engines.clickhouse)
    try {
      await prepare(own.engines, { topics: { partitions: 'one' } })
      const figures = await benchSizing(setting, own, store)
      return { figures, lines: table(figures) }
    } finally {
      await store.close()
    }
  })
}

/** Starts one process per role and imports articles. Reports the cost of an article by process, topic and table. */
async function benchSizing({ wiring, articles }: BenchSetting, { home, engines, log }: OwnEngines, store: Store) {
  const cli = thisCli(await environmentOf(wiring, { home, engines }))
  const ports = await Promise.all(ROLES.map(() => anyFreePort()))
  const children = ROLES.map((role, i) => startRoles(withMetricsPort(cli, ports[i]), [role]))
  const pids = { ...engines.pids(), ...Object.fromEntries(ROLES.map((role, i) => [role, children[i]?.pid ?? -1])) }
  try {
    await untilJoined(log)
    const resting = await during(pids, () => setTimeout(REST_MS))
    wiring.out.progress(`${articles.length} articles through ${children.length} processes ...`)
    const working = await during(pids, () => importAll(cli, home, articles))
    const bytes = await bytesPerArticle({ home, store }, articles.length)
    const processes = Object.keys(pids).map((name) => figure(name, { resting, working }, articles.length))
    return {
      articles: articles.length,
      /** Stories that contain articles at the end. */
      stories: await storiesIn(store),
      text_characters: Math.round(articles.reduce((sum, { text }) => sum + text.length, 0) / articles.length),
      processes,
      together: {
        cpu_ms: total(processes.map(({ cpu_ms }) => cpu_ms)),
        idle_mb: total(processes.map(({ idle_mb }) => idle_mb)),
        /** At most: the processes reach their peaks at different times. */
        peak_mb: total(processes.map(({ peak_mb }) => peak_mb)),
        log_bytes: totalBytes(bytes.topics),
        store_bytes: totalBytes(bytes.tables),
      },
      ...bytes,
    }
  } finally {
    await Promise.all(children.map(endProcess))
  }
}

const environmentOf = async (
  { environment }: BenchSetting['wiring'],
  { home, engines }: Pick<OwnEngines, 'home' | 'engines'>,
) => ({
  ...environment,
  ...openEngines,
  ...{ STORY_HOME: home, LOG_LEVEL: 'error', PORT: String(await anyFreePort()) },
  ...{ KAFKA_BROKERS: engines.brokers.join(','), REGISTRY_URL: engines.registryUrl, ENCODER_PROCESSES: '1' },
  ...{ CLICKHOUSE_URL: engines.clickhouse.url, CLICKHOUSE_PASSWORD: engines.clickhouse.password },
  SECRETS_KEY: 'of a bench that keeps no secrets at all',
})

const withMetricsPort = (cli: Cli, port: number | undefined): Cli => ({
  ...cli,
  environment: { ...cli.environment, METRICS_PORT: String(port) },
})

/** Imports the articles with the CLI, which waits until all of them are readable. */
async function importAll(cli: Cli, home: string, articles: BenchSetting['articles']): Promise<void> {
  const lines = articles.map((article) => ({ ...asLine(article), author: article.author }))
  const { accepted } = await importFile(cli, await importableFile(home, lines), '--wait')
  if (accepted !== articles.length) throw new Error(`only ${accepted} of ${articles.length} articles were accepted`)
}

const POLL_MS = 500
/** The time after the last consumer group has members until a start has finished its work. */
const SETTLE_MS = 10_000

/** Waits until every consumer group has members. Offsets can be deleted only while a group has none. */
async function untilJoined(log: Log): Promise<void> {
  const groups = [...Object.keys(pipeline.stages), ...pipeline.views.map(({ name }) => viewGroup(name))]
  for (const group of groups) {
    while (await isEmpty(log, group)) await setTimeout(POLL_MS)
  }
  await setTimeout(SETTLE_MS)
}

const isEmpty = (log: Log, group: string): Promise<boolean> =>
  log.forget(group).then(
    () => true,
    () => false,
  )

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

const total = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0)

type Uses = ReadonlyMap<string, readonly ProcessUse[]>

const usesOf = (pids: Readonly<Record<string, number>>): Uses =>
  new Map(Object.entries(pids).map(([name, pid]) => [name, processTree(pid)]))

/** Resource usage before and after an interval. */
interface Interval {
  readonly before: Uses
  readonly after: Uses
  readonly ms: number
}

async function during(pids: Readonly<Record<string, number>>, work: () => Promise<unknown>): Promise<Interval> {
  const [before, began] = [usesOf(pids), performance.now()]
  await work()
  return { before, after: usesOf(pids), ms: performance.now() - began }
}

const cpuOf = (name: string, { before, after }: Interval): number =>
  sumOf(after.get(name) ?? [], 'cpuMs') - sumOf(before.get(name) ?? [], 'cpuMs')

function figure(
  name: string,
  { resting, working }: { readonly resting: Interval; readonly working: Interval },
  articles: number,
) {
  const idle = cpuOf(name, resting) / resting.ms
  return {
    process: name,
    /** CPU milliseconds per article, including its model processes, in excess of the usage at rest. */
    cpu_ms: Math.max(0, cpuOf(name, working) - idle * working.ms) / articles,
    /** CPU usage at rest, in per cent of a core. */
    idle_percent: idle * 100,
    /** Memory at rest and at its peak. */
    idle_mb: sumOf(resting.after.get(name) ?? [], 'residentBytes') / MB,
    peak_mb: sumOf(working.after.get(name) ?? [], 'peakBytes') / MB,
  }
}

function table(f: Awaited<ReturnType<typeof benchSizing>>): readonly string[] {
  return [
    `  ${f.articles} articles of ${f.text_characters} characters, ${f.stories} stories`,
    ...f.processes.map(
      ({ process, cpu_ms, idle_percent, idle_mb, peak_mb }) =>
        `    ${process.padEnd(14)} ${cpu_ms.toFixed(2).padStart(8)} ms of CPU an article, ` +
        `${idle_percent.toFixed(1).padStart(5)} % of a core at rest; ` +
        `${idle_mb.toFixed(0).padStart(5)} MB at rest, ${peak_mb.toFixed(0).padStart(5)} MB at most`,
    ),
    `    ${'together'.padEnd(14)} ${f.together.cpu_ms.toFixed(2).padStart(8)} ms of CPU an article; ` +
      `${f.together.idle_mb.toFixed(0)} MB at rest, ${f.together.peak_mb.toFixed(0)} MB at most`,
    ...bytesTable('topics', f.topics),
    ...bytesTable('tables', f.tables),
  ]
}
