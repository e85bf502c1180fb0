import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '../config/project-path.ts'
import { type Engine, fill, untilReady } from './engine.ts'
import { leash, type Leashed } from './leash.ts'

export interface ClickHouseEngineOptions {
  /** Folder of its configuration and data. */
  readonly directory: string
  readonly log: string
  readonly port: number
  /** Of the native protocol, over which shards are read. Without it, the server only speaks HTTP. */
  readonly nativePort?: number
  readonly database: string
  readonly password: string
  readonly analystPassword: string
}

const GRACE_MS = 3_000

/** The user of the service. The other user is `analyst`. */
export const storyUser = 'story'

/** The ClickHouse server from the npm package `chdb`, in its own process. */
export function clickHouseEngine(options: ClickHouseEngineOptions): Engine {
  const { directory, log } = options
  let isRestarting = false
  const start = async () => {
    isRestarting = false
    const launch = configure(options)
    const known = changedAt(usersFolderOf(directory)) // before the server reads the files
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

const CHECK_EVERY_MS = 500

interface WatchedUsers {
  readonly folder: string
  /** Modification time of the folder when the server read it. */
  readonly known: number
  readonly onEnd: () => void
}

/**
 * Ends the server when its user files change; the supervisor then restarts it, and reads wait meanwhile
 * (`throughRestart`). The embedded server reads its users only at startup: it does not support `SYSTEM RELOAD CONFIG`,
 * and has no writable storage for `CREATE USER`.
 */
function endOnNewUsers(child: Leashed, { folder, known, onEnd }: WatchedUsers): void {
  const timer = setInterval(() => {
    if (changedAt(folder) === known) return
    clearInterval(timer)
    onEnd()
    void child.stop(GRACE_MS)
  }, CHECK_EVERY_MS)
  timer.unref()
  void child.ended.finally(() => clearInterval(timer)).catch(() => undefined)
}

/** Renaming or deleting a file changes the modification time of its folder. */
const changedAt = (folder: string): number => statSync(folder).mtimeMs

const usersFolderOf = (directory: string): string => join(directory, 'config', 'users.d')
const dataOf = (directory: string): string => join(directory, 'data')

/**
 * Writes configuration and users. `users.d` and `config.d` contain the same files that Compose mounts into the real
 * server.
 */
function configure({ directory, port, nativePort, password, analystPassword }: ClickHouseEngineOptions): string {
  const config = join(directory, 'config')
  const data = dataOf(directory)
  for (const folder of [data, usersFolderOf(directory), join(config, 'config.d')]) {
    mkdirSync(folder, { recursive: true })
  }
  const template = readFileSync(projectPath('docker/embedded/clickhouse/config.xml'), 'utf8')
  writeFileSync(join(config, 'config.xml'), fill(template, { DATA: data, CONFIG: config }))
  const users = readFileSync(projectPath('docker/embedded/clickhouse/users.xml'), 'utf8')
  writeFileSync(join(config, 'users.xml'), fill(users, { QUERIES: nativePort === undefined ? '2' : '3' }))
  copyFileSync(projectPath('docker/clickhouse/users.xml'), join(config, 'users.d', 'story.xml'))
  if (nativePort !== undefined)
    copyFileSync(projectPath('docker/clickhouse/sharded-users.xml'), join(config, 'users.d', 'zz-sharded.xml'))
  copyFileSync(projectPath('docker/clickhouse/config.xml'), join(config, 'config.d', 'story.xml'))
  const launch = join(directory, 'launch.json')
  const environment = { CLICKHOUSE_PASSWORD: password, CLICKHOUSE_ANALYST_PASSWORD: analystPassword }
  writeFileSync(launch, JSON.stringify({ data, config: join(config, 'config.xml'), port, nativePort, environment }), {
    mode: 0o600,
  })
  return launch
}

/** Any ClickHouse responds to /ping, but only this one has its data in this folder. */
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
