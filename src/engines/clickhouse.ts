import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '../config/project-path.ts'
import { type Engine, fill, untilReady } from './engine.ts'
import { leash, type Leashed } from './leash.ts'

export interface ClickHouseEngineOptions {
  /** Its own folder: configuration and data. */
  readonly directory: string
  readonly log: string
  readonly port: number
  readonly database: string
  readonly password: string
  readonly analystPassword: string
}

const GRACE_MS = 3_000

/** The user of the service; `analyst` is the other one. */
export const storyUser = 'story'

/** ClickHouse's own server out of the npm package `chdb`, in a process of its own. */
export function clickHouseEngine(options: ClickHouseEngineOptions): Engine {
  const { directory, log } = options
  let isRestarting = false
  const start = async () => {
    isRestarting = false
    const launch = configure(options)
    const known = changedAt(usersFolderOf(directory)) // before it reads them: what comes later is seen as new
    const args = [projectPath('docker/embedded/clickhouse/launcher.cjs'), launch]
    const child = leash({ command: process.execPath, args, log: { file: log }, cwd: directory })
    await untilReady({ name: 'clickhouse', process: child, log, timeoutMs: 240_000 }, () => isOurs(options))
    await ask(options, `CREATE DATABASE IF NOT EXISTS ${options.database} ENGINE = Atomic`)
    endOnNewUsers(child, { folder: usersFolderOf(directory), known, onEnd: () => (isRestarting = true) })
    return child
  }
  const restartReason = () => (isRestarting ? 'restarting ClickHouse: its analysts have changed' : null)
  return { name: 'clickhouse', start, graceMs: GRACE_MS, restartReason }
}

const LOOK_EVERY_MS = 500

interface WatchedUsers {
  readonly folder: string
  /** Its time when the server read it. */
  readonly known: number
  readonly onEnd: () => void
}

/**
 * The embedded server reads its users at its start only: `SYSTEM RELOAD CONFIG` is not supported in it, and `CREATE USER` finds
 * no writable storage. So a changed file restarts it (its supervisor does that), and readers wait (`throughRestart`).
 */
function endOnNewUsers(child: Leashed, { folder, known, onEnd }: WatchedUsers): void {
  const look = setInterval(() => {
    if (changedAt(folder) === known) return
    clearInterval(look)
    onEnd()
    void child.stop(GRACE_MS)
  }, LOOK_EVERY_MS)
  look.unref()
  void child.ended.finally(() => clearInterval(look)).catch(() => undefined)
}

/** A file that comes by renaming, or goes, changes its folder. */
const changedAt = (folder: string): number => statSync(folder).mtimeMs

const usersFolderOf = (directory: string): string => join(directory, 'config', 'users.d')
const dataOf = (directory: string): string => join(directory, 'data')

/** Writes configuration and users; users.d and config.d hold the very files that compose mounts into the real server. */
function configure({ directory, port, password, analystPassword }: ClickHouseEngineOptions): string {
  const config = join(directory, 'config')
  const data = dataOf(directory)
  for (const folder of [data, usersFolderOf(directory), join(config, 'config.d')]) {
    mkdirSync(folder, { recursive: true })
  }
  const template = readFileSync(projectPath('docker/embedded/clickhouse/config.xml'), 'utf8')
  writeFileSync(join(config, 'config.xml'), fill(template, { DATA: data, CONFIG: config }))
  copyFileSync(projectPath('docker/embedded/clickhouse/users.xml'), join(config, 'users.xml'))
  copyFileSync(projectPath('docker/clickhouse/users.xml'), join(config, 'users.d', 'story.xml'))
  copyFileSync(projectPath('docker/clickhouse/config.xml'), join(config, 'config.d', 'story.xml'))
  const launch = join(directory, 'launch.json')
  const environment = { CLICKHOUSE_PASSWORD: password, CLICKHOUSE_ANALYST_PASSWORD: analystPassword }
  writeFileSync(launch, JSON.stringify({ data, config: join(config, 'config.xml'), port, environment }), {
    mode: 0o600,
  })
  return launch
}

/** Any ClickHouse answers /ping; only ours keeps its data here. */
async function isOurs(options: ClickHouseEngineOptions): Promise<boolean> {
  const path = await ask(options, "SELECT value FROM system.server_settings WHERE name = 'path'")
  return path.trim().replace(/\/$/, '') === dataOf(options.directory)
}

async function ask({ port, password }: ClickHouseEngineOptions, sql: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': storyUser, 'X-ClickHouse-Key': password },
    body: sql,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`ClickHouse refused "${sql}": ${text.slice(0, 300)}`)
  return text
}
