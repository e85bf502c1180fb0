import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { KafkaLog } from '../adapters/kafka/kafka-log.ts'
import { loadConfig } from '../config/config.ts'
import { anyFreePort } from '../engines/free-port.ts'
import { startEngines, type Engines } from '../engines/start-engines.ts'
import type { ArticleIngested } from '../events/articles.ts'
import type { Log } from '../ports/log.ts'
import type { Wiring } from '../ports/wiring.ts'
import { connect } from '../wiring/connect.ts'
import type { Cli } from '../wiring/up/service.ts'

/** A complete service with its own data directory, which is deleted afterwards. */
export interface OwnService extends Cli {
  readonly home: string
  readonly url: string
  /** An Enterprise key of the shared namespace. */
  readonly key: string
  readonly pid: number
  readonly secondsUntilReady: number
}

const Ready = z.object({ url: z.string(), key: z.string() })

/** Starts `story up` with an empty data directory, runs `use`, and stops the service. */
export const withOwnService = <Result>(cli: Cli, use: (service: OwnService) => Promise<Result>): Promise<Result> =>
  inNewHome((home) => withServiceIn(home, cli, use))

/** The same with a data directory that is kept. */
export async function withServiceIn<Result>(
  home: string,
  cli: Cli,
  use: (service: OwnService) => Promise<Result>,
): Promise<Result> {
  const own: Cli = { ...cli, environment: { ...cli.environment, STORY_HOME: home, LOG_LEVEL: 'warn' } }
  const begun = performance.now()
  const up = spawn(own.command, [...own.args, 'up', '--json', '--no-sample'], {
    env: own.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url, key } = await readyLine(up.stdout)
    const secondsUntilReady = (performance.now() - begun) / 1000
    return await use({ ...own, home, url, key, pid: up.pid ?? -1, secondsUntilReady })
  } finally {
    await endProcess(up)
  }
}

/** Connects this process to the engines of a service. */
export async function withWiringOf<Result>(
  { environment }: OwnService,
  use: (wiring: Wiring) => Promise<Result>,
): Promise<Result> {
  const wiring = connect(loadConfig(environment), environment)
  try {
    return await use(wiring)
  } finally {
    await wiring.close()
  }
}

async function inNewHome<Result>(use: (home: string) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'story-bench-'))
  try {
    return await use(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function readyLine(stdout: NodeJS.ReadableStream): Promise<z.infer<typeof Ready>> {
  for await (const line of createInterface({ input: stdout })) {
    if (line.includes('"ready":true')) return Ready.parse(JSON.parse(line))
  }
  throw new Error('story up ended before it was ready')
}

/** Engines without a service, with their own data directory, which is deleted afterwards. */
export interface OwnEngines {
  readonly home: string
  readonly engines: Engines
  readonly log: Log
}

/**
 * Starts engines on free ports, runs `use`, and stops them. Closes `wiring` first, so that no models compete for the
 * cores.
 */
export async function withOwnEngines<Result>(
  wiring: Wiring,
  use: (own: OwnEngines) => Promise<Result>,
): Promise<Result> {
  await wiring.close()
  return inNewHome(async (home) => {
    const ports = { kafka: await anyFreePort(), registry: await anyFreePort(), clickhouse: await anyFreePort() }
    const onProgress = (line: string): void => wiring.out.progress(line)
    const engines = await startEngines({ home, cache: wiring.config.cache, ports, onProgress })
    const log = new KafkaLog({ brokers: engines.brokers, clientId: 'bench' })
    try {
      return await use({ home, engines, log })
    } finally {
      await log.close()
      await engines.stop()
    }
  })
}

/** An article as an import reads it. */
export const asLine = ({ url, title, source, published_date, text }: ArticleIngested) => ({
  url,
  title,
  source,
  text,
  ...(published_date !== null && { published_date: new Date(published_date).toISOString() }),
})

/** Writes a file for an import. Returns its path. */
export async function importableFile(home: string, lines: readonly ReturnType<typeof asLine>[]): Promise<string> {
  const file = join(home, 'articles.jsonl')
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  return file
}

const Imported = z.object({ accepted: z.number(), seconds: z.number() })

/** Throws if the import fails. */
export async function importFile(
  { command, args, environment }: Cli,
  file: string,
  ...options: readonly string[]
): Promise<z.infer<typeof Imported>> {
  const child = spawn(command, [...args, 'import', 'jsonl', file, '--json', ...options], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(Buffer.from(chunk as Uint8Array))
  return Imported.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
}

/** Starts a process of the service with the given roles. */
export const startRoles = ({ command, args, environment }: Cli, roles: readonly string[]): ChildProcess =>
  spawn(command, [...args, 'start', ...roles], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })

/** Stops a process with SIGTERM, as an operator does, and waits for its exit. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
