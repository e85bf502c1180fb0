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

/** Which statement of a migration is about to be run, counted from 1. */
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

const RECORD = `CREATE TABLE IF NOT EXISTS migrations
(
  name        String                             COMMENT 'File name without .sql',
  checksum    String                             COMMENT 'SHA-256 of the file, first 32 hex digits',
  applied_at  DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'Server time'
)
ENGINE = {{replicated}}ReplacingMergeTree(applied_at)
ORDER BY name
COMMENT 'One row per migration that was applied. Written by: story migrate'`

const PIECE = '{{each-32nd}}'
/** What the ids of articles are made of, after their prefix (RFC 4648 base32, lower case). */
const BASE32 = Array.from('abcdefghijklmnopqrstuvwxyz234567')

/**
 * Applies what is new, oldest first, and returns the names. Safe to repeat and to run twice at once: a migration is
 * recorded after the last of its statements, and each of them leaves out what is done already. Forward only: an edited
 * migration is refused. Whether the service may run meanwhile, each migration says itself.
 *
 * A statement that fills a table from another says `{{each-32nd}}` where an id has its first character, and is run once
 * for each character there can be. A statement may take hours; one that is interrupted is run again by the next `migrate`.
 */
export async function migrate(
  store: Store,
  { replicated, onProgress }: MigrateOptions,
  known: readonly Migration[] = migrations(),
): Promise<readonly string[]> {
  await store.command(engines(RECORD, replicated))
  const pending = unapplied(known, await applied(store))
  for (const { name, sql } of pending) {
    const all = statements(engines(sql, replicated)).flatMap(pieces)
    for (const [i, statement] of all.entries()) {
      onProgress?.({ name, statement: i + 1, of: all.length })
      await store.command(statement)
    }
    await store.insert('migrations', [{ name, checksum: checksum(sql) }])
  }
  return pending.map(({ name }) => name)
}

/** What `migrate` would apply; changes nothing, so a database that is not there yet is one without migrations. */
export async function pendingMigrations(
  store: Store,
  known: readonly Migration[] = migrations(),
): Promise<readonly string[]> {
  return unapplied(known, (await isThere(store)) ? await applied(store) : new Map()).map(({ name }) => name)
}

/** Migrations of no tenant: the only reads beside `story hash` that name no namespace. */
const isThere = async (store: Store): Promise<boolean> => {
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

/** Throws when one that was applied has been edited since. */
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

const pieces = (statement: string): readonly string[] =>
  statement.includes(PIECE) ? BASE32.map((character) => statement.replaceAll(PIECE, character)) : [statement]

/** A statement ends with a semicolon at the end of a line. */
const statements = (sql: string): string[] =>
  sql
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
