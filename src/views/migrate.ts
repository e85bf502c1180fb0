import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Store } from '../ports/store.ts'
import { projectPath } from '../config/project-path.ts'

export interface Migration {
  /** File name without `.sql`: `001-jobs`. */
  readonly name: string
  readonly sql: string
}

export interface MigrateOptions {
  /** Use `Replicated*` engines, for a cluster of servers. */
  readonly replicated: boolean
  /** Called before each statement. */
  readonly onProgress?: (progress: MigrateProgress) => void
}

/** The statement that is about to run, counted from 1. */
export interface MigrateProgress {
  readonly name: string
  readonly statement: number
  readonly of: number
}

const FOLDER = 'src/views/migrations'

/** All migrations of the project, in order. */
export const migrations = (): Migration[] =>
  readdirSync(projectPath(FOLDER))
    .filter((file) => /^\d{3}-[a-z-]+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: readFileSync(projectPath(`${FOLDER}/${file}`), 'utf8').replaceAll('\r\n', '\n'),
    }))

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS migrations
(
  name        String                             COMMENT 'File name without .sql',
  checksum    String                             COMMENT 'SHA-256 of the file, first 32 hex digits',
  applied_at  DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'Server time'
)
ENGINE = {{replicated}}ReplacingMergeTree(applied_at)
ORDER BY name
COMMENT 'One row per migration that was applied. Written by: story migrate'`

const EACH_32ND = '{{each-32nd}}'
/** The alphabet of article ids after their prefix (RFC 4648 base32, lower case). */
const BASE32 = Array.from('abcdefghijklmnopqrstuvwxyz234567')

/**
 * Applies pending migrations, oldest first, and returns their names. Safe to repeat and to run concurrently: a
 * migration is recorded after its last statement, and each statement skips what is already done. Forward only: a
 * migration that was edited after it was applied is rejected. Each migration states whether the service may run
 * meanwhile.
 *
 * A statement that fills a table from another may use `{{each-32nd}}` for the first character of an id; it then runs
 * once per possible character. A statement may take hours; the next `migrate` repeats one that was interrupted.
 */
export async function migrate(
  store: Store,
  { replicated, onProgress }: MigrateOptions,
  known: readonly Migration[] = migrations(),
): Promise<readonly string[]> {
  await store.command(engines(MIGRATIONS_TABLE, replicated))
  const pending = unapplied(known, await applied(store))
  for (const { name, sql } of pending) {
    const all = statements(engines(sql, replicated)).flatMap(split32)
    for (const [i, statement] of all.entries()) {
      onProgress?.({ name, statement: i + 1, of: all.length })
      await store.command(statement)
    }
    await store.insert('migrations', [{ name, checksum: checksum(sql) }])
  }
  return pending.map(({ name }) => name)
}

/** The migrations that `migrate` would apply. Changes nothing; a missing database counts as one without migrations. */
export async function pendingMigrations(
  store: Store,
  known: readonly Migration[] = migrations(),
): Promise<readonly string[]> {
  return unapplied(known, (await tableExists(store)) ? await applied(store) : new Map()).map(({ name }) => name)
}

/** Migrations belong to no tenant: apart from `story hash`, the only reads without a namespace. */
const tableExists = async (store: Store): Promise<boolean> => {
  const found = await store.query({
    name: 'migrations.there',
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'migrations'`,
    params: {},
    parse: (row) => row,
  })
  return found.length > 0
}

async function applied(store: Store): Promise<ReadonlyMap<string, string>> {
  const row = z.object({ name: z.string(), checksum: z.string() })
  const found = await store.query({
    name: 'migrations.applied',
    sql: 'SELECT name, checksum FROM migrations FINAL',
    params: {},
    parse: (one) => row.parse(one),
  })
  return new Map(found.map(({ name, checksum }) => [name, checksum]))
}

/** Throws if an applied migration was edited afterwards. */
export function unapplied(known: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const edited = known.filter(({ name, sql }) => applied.has(name) && applied.get(name) !== checksum(sql))
  if (edited.length > 0) {
    const names = edited.map(({ name }) => `${name}.sql`).join(', ')
    throw new Error(`${names} was edited after it was applied: put the old text back and add a new migration`)
  }
  return known.filter(({ name }) => !applied.has(name))
}

export const checksum = (sql: string): string => createHash('sha256').update(sql, 'utf8').digest('hex').slice(0, 32)

const engines = (sql: string, replicated: boolean): string =>
  sql.replaceAll('{{replicated}}', replicated ? 'Replicated' : '')

const split32 = (statement: string): readonly string[] =>
  statement.includes(EACH_32ND) ? BASE32.map((character) => statement.replaceAll(EACH_32ND, character)) : [statement]

/** A statement ends with a semicolon at the end of a line. */
const statements = (sql: string): string[] =>
  sql
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
