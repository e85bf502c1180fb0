import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import {
  analystNames,
  type AnalystNames,
  hasUsersFolder,
  removeUsersFile,
  usersFile,
  usersFolder,
  writeUsersFile,
  createUsers,
  dropUsers,
} from './users.ts'
import { createViews, knownAnalysts, refreshViews } from './views.ts'

/** Credentials of an analyst; the password is shown only once. */
export interface Analyst {
  readonly user: string
  readonly password: string
  readonly url: string
  readonly database: string
}

export interface AnalystsPorts {
  readonly store: Store
  readonly clock: Clock
  readonly clickhouse: { readonly url: string; readonly database: string }
  /** Home folder of the embedded server, if that is used. */
  readonly home: string
}

/** The read-only users of namespaces. Passwords are generated, shown once and stored as a hash. */
export interface Analysts {
  list(): Promise<readonly AnalystNames[]>
  has(namespace: string): Promise<boolean>
  /** Creates the analyst, or replaces its password, by the given one or a new one. */
  put(namespace: string, password?: string): Promise<Analyst>
  /** Returns false if there was none. */
  drop(namespace: string): Promise<boolean>
}

export function analysts(ports: AnalystsPorts): Analysts {
  const { store, clickhouse } = ports
  const { database, url } = clickhouse
  const list = () => knownAnalysts(store, database)
  const has = async (namespace: string) => (await list()).some((one) => one.namespace === namespace)
  return {
    list,
    has,
    put: async (namespace, password = newPassword()) => {
      const names = analystNames(namespace)
      const hash = createHash('sha256').update(password).digest('hex')
      await store.command(createViews(names)) // before its user, so that the user never logs in to a missing database
      if (await keepsUsers(store)) await inTurn(store, createUsers(database, names, hash))
      else await throughFile(ports, names, { password, hash })
      await refreshViews(store, database, names)
      return { user: names.user, password, url, database: names.views }
    },
    drop: async (namespace) => {
      if (!(await has(namespace))) return false
      const names = analystNames(namespace)
      await store.command(`DROP DATABASE IF EXISTS ${names.views} SYNC`)
      if (await keepsUsers(store)) await inTurn(store, dropUsers(database, names))
      else await withoutFile(ports, names)
      return true
    },
  }
}

const newPassword = (): string => randomBytes(24).toString('base64url')

async function inTurn(store: Store, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await store.command(statement)
}

/**
 * Whether the server stores users. The embedded server reads users from files only and rejects `CREATE USER` with code
 * 514.
 */
async function keepsUsers(store: Store): Promise<boolean> {
  const row = z.object({ type: z.string() })
  const directories = await store.query({
    name: 'analysts.directories',
    sql: 'SELECT type FROM system.user_directories',
    params: {},
    parse: (one) => row.parse(one),
  })
  return directories.some(({ type }) => ['local_directory', 'replicated', 'memory'].includes(type))
}

/**
 * Writes the users file. The server restarts when a file is added, changed or removed (`clickHouseEngine`), and then
 * knows its users.
 */
async function throughFile(
  ports: AnalystsPorts,
  names: AnalystNames,
  { password, hash }: { readonly password: string; readonly hash: string },
): Promise<void> {
  homeOf(ports)
  writeUsersFile(ports.home, names, usersFile(ports.clickhouse.database, names, hash))
  await untilServer(ports, `does not know ${names.user}`, () => mayLogIn(ports, names, password))
}

async function withoutFile(ports: AnalystsPorts, names: AnalystNames): Promise<void> {
  homeOf(ports)
  removeUsersFile(ports.home, names)
  await untilServer(ports, `still knows ${names.user}`, async () => !(await isUser(ports.store, names)))
}

async function mayLogIn({ clickhouse }: AnalystsPorts, { user }: AnalystNames, password: string): Promise<boolean> {
  const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }
  const answer = await fetch(clickhouse.url, { method: 'POST', headers, body: 'SELECT 1' })
  await answer.arrayBuffer()
  return answer.ok
}

async function isUser(store: Store, { user }: AnalystNames): Promise<boolean> {
  const found = await store.query({
    name: 'analysts.user',
    sql: 'SELECT name FROM system.users WHERE name = {user: String}',
    params: { user },
    parse: (one) => one,
  })
  return found.length > 0
}

function homeOf({ home, clickhouse }: AnalystsPorts): void {
  if (hasUsersFolder(home)) return
  throw new Error(
    `The server at ${clickhouse.url} takes its users from files, and ${usersFolder(home)} is not there: set STORY_HOME`,
  )
}

const TIMEOUT_MS = 60_000
const POLL_MS = 200

async function untilServer({ clock }: AnalystsPorts, what: string, isDone: () => Promise<boolean>): Promise<void> {
  const until = clock.now() + TIMEOUT_MS
  while (!(await isDone().catch(() => false))) {
    // the server is unavailable while it restarts
    if (clock.now() >= until) {
      throw new Error(`ClickHouse ${what} after ${TIMEOUT_MS / 1000} s: is \`story up\` running here?`)
    }
    await clock.sleep(POLL_MS)
  }
}
