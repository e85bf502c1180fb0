import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { ArticleIngested } from '../../events/articles.ts'
import type { OwnServiceProgram } from '../own-service.ts'
import { processTree } from '../processes.ts'

/** What one article costs, by process, topic and table. */
export interface SizingFigures {
  readonly articles: number
  /** Stories they became that are alive; 0: nobody could say. */
  readonly stories: number
  readonly text_characters: number
  readonly processes: readonly ProcessFigure[]
  /** Bytes in the log an article, its dead letters and indexes included. */
  readonly topics: Readonly<Record<string, number>>
  /** Bytes in the store an article, compressed. */
  readonly tables: Readonly<Record<string, number>>
}

export interface ProcessFigure {
  readonly process: string
  /** Milliseconds of CPU an article, those of its model processes included, beyond what it uses at rest. */
  readonly cpu_ms: number
  /** Per cent of a core that it uses with nothing to do. */
  readonly idle_percent: number
  /** Megabytes once it had started, and at most. */
  readonly idle_mb: number
  readonly peak_mb: number
}

export interface Sizing {
  /** `story` in the environment of the engines. */
  readonly program: OwnServiceProgram
  readonly home: string
  readonly articles: readonly ArticleIngested[]
  /** Processes to start, each with the roles it takes and a port for its metrics. */
  readonly processes: readonly SizedProcess[]
  /** Of engines that run already. */
  readonly engines: Readonly<Record<string, number>>
  /** Resolves when every process has joined its groups. */
  readonly joined: () => Promise<void>
  /** Bytes by table. */
  readonly tables: () => Promise<Readonly<Record<string, number>>>
  readonly stories: () => Promise<number>
  onProgress(line: string): void
}

interface SizedProcess {
  readonly name: string
  readonly roles: readonly string[]
  readonly metricsPort: number
}

const MB = 1024 * 1024
const REST_MS = 20_000

/** A process for each role, some articles through all of them: what each has used, written and kept. */
export async function benchSizing(sizing: Sizing): Promise<SizingFigures> {
  const { program, articles, processes, engines } = sizing
  const children = processes.map((one) => [one.name, startOne(program, one)] as const)
  const pids = { ...engines, ...Object.fromEntries(children.map(([name, { pid }]) => [name, pid ?? -1])) }
  try {
    await sizing.joined()
    const resting = await during(pids, () => setTimeout(REST_MS))
    sizing.onProgress(`${articles.length} articles through ${children.length} processes ...`)
    const working = await during(pids, () => importAll(sizing))
    const bytes = await sizing.tables()
    return {
      articles: articles.length,
      stories: await sizing.stories(),
      text_characters: Math.round(articles.reduce((sum, { text }) => sum + text.length, 0) / articles.length),
      processes: Object.keys(pids).map((name) => figure(name, { resting, working }, articles.length)),
      topics: eachOf(topicBytes(join(sizing.home, 'kafka')), articles.length),
      tables: eachOf(bytes, articles.length),
    }
  } finally {
    await Promise.all(children.map(([, child]) => end(child)))
  }
}

interface Use {
  readonly cpuMs: number
  readonly residentBytes: number
  readonly peakBytes: number
}

type Uses = ReadonlyMap<string, Use>

function usesOf(pids: Readonly<Record<string, number>>): Uses {
  return new Map(
    Object.entries(pids).map(([name, pid]) => {
      const tree = processTree(pid)
      const sum = (of: keyof Use): number => tree.reduce((total, one) => total + one[of], 0)
      return [name, { cpuMs: sum('cpuMs'), residentBytes: sum('residentBytes'), peakBytes: sum('peakBytes') }]
    }),
  )
}

/** What a while has cost. */
interface While {
  readonly before: Uses
  readonly after: Uses
  readonly ms: number
}

async function during(pids: Readonly<Record<string, number>>, work: () => Promise<unknown>): Promise<While> {
  const [before, began] = [usesOf(pids), performance.now()]
  await work()
  return { before, after: usesOf(pids), ms: performance.now() - began }
}

const cpuOf = (name: string, { before, after }: While): number =>
  (after.get(name)?.cpuMs ?? 0) - (before.get(name)?.cpuMs ?? 0)

function figure(
  name: string,
  { resting, working }: { readonly resting: While; readonly working: While },
  articles: number,
): ProcessFigure {
  const last = working.after.get(name)
  const idle = cpuOf(name, resting) / resting.ms
  return {
    process: name,
    cpu_ms: Math.max(0, cpuOf(name, working) - idle * working.ms) / articles,
    idle_percent: idle * 100,
    idle_mb: (resting.after.get(name)?.residentBytes ?? 0) / MB,
    peak_mb: (last?.peakBytes ?? 0) / MB,
  }
}

const eachOf = (bytes: Readonly<Record<string, number>>, articles: number): Record<string, number> =>
  Object.fromEntries(Object.entries(bytes).map(([name, size]) => [name, Math.round(size / articles)]))

function startOne({ command, environment }: OwnServiceProgram, { roles, metricsPort }: SizedProcess): ChildProcess {
  const [program, ...first] = command
  return spawn(program, [...first, 'start', ...roles], {
    env: { ...environment, METRICS_PORT: String(metricsPort) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** As anybody imports them: the end of an import waits until all of it can be read. */
async function importAll({ program, home, articles }: Sizing): Promise<void> {
  const file = join(home, 'sizing.jsonl')
  writeFileSync(file, articles.map((article) => `${JSON.stringify(fieldsOf(article))}\n`).join(''))
  const [first, ...words] = program.command
  const args = [...words, 'import', 'jsonl', file, '--wait', '--json']
  const { stdout } = await promisify(execFile)(first, args, { env: program.environment, maxBuffer: 64 * MB })
  const { accepted } = Imported.parse(JSON.parse(stdout))
  if (accepted !== articles.length) throw new Error(`only ${accepted} of ${articles.length} articles were accepted`)
}

const Imported = z.object({ accepted: z.number() })

const fieldsOf = ({ url, title, source, author, published_date, text }: ArticleIngested) => ({
  ...{ url, title, source, author, text },
  published_date: published_date === null ? null : new Date(published_date).toISOString(),
})

/** By topic, what its folders in the broker's data hold. */
function topicBytes(data: string): Readonly<Record<string, number>> {
  const bytes: Record<string, number> = {}
  for (const folder of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    const [, topic] = /(?:^|\/)([a-z]+\.[a-z.]+)-\d+\/[^/]+\.log$/.exec(folder) ?? []
    if (topic !== undefined) bytes[topic] = (bytes[topic] ?? 0) + statSync(join(data, folder)).size
  }
  return bytes
}
