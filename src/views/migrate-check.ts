import { z } from 'zod'
import { messageOf } from '../domain/message-of.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { migrate, migrations, pendingMigrations, type MigrateOptions, type Migration } from './migrate.ts'

/** A migration that was applied to a copy, and how long it took. */
export interface CheckedMigration {
  readonly name: string
  readonly seconds: number
}

export interface CopyOf {
  readonly database: string
  readonly store: Store
  /** Connected to the database that is created for the check and dropped afterwards. */
  readonly copy: Store
  readonly copyName: string
  readonly clock: Clock
}

export const copyNameOf = (database: string): string => `${database}_check`

/**
 * Applies pending migrations to a copy of a database (tables and rows), then drops the copy. The copy shares the data
 * files of the original, so it needs no disk space until a migration writes. Throws if a migration fails and names it.
 */
export async function checkMigrations(
  of: CopyOf,
  options: MigrateOptions,
  known: readonly Migration[] = migrations(),
): Promise<readonly CheckedMigration[]> {
  const pending = await pendingMigrations(of.store, known)
  if (pending.length === 0) return []
  try {
    await makeCopy(of)
    const checked: CheckedMigration[] = []
    for (const name of pending) {
      const upTo = known.slice(0, known.findIndex((migration) => migration.name === name) + 1)
      checked.push({ name, seconds: await timed(of, name, () => migrate(of.copy, options, upTo)) })
    }
    return checked
  } finally {
    await dropCopy(of)
  }
}

/** Marks a database as a copy, so that no other database of the same name is ever dropped. */
export const MARK = 'a copy that `story migrate --check` made, to be dropped'

async function dropCopy({ store, copyName }: CopyOf): Promise<void> {
  const [found] = await store.query({
    name: 'migrations.copy',
    sql: 'SELECT comment FROM system.databases WHERE name = {copyName: String}',
    params: { copyName },
    parse: (row) => z.object({ comment: z.string() }).parse(row),
  })
  if (found === undefined) return
  if (found.comment !== MARK) {
    throw new Error(
      `a check would be made in the database ${copyName}, which exists and is no copy of a check: rename it, or drop it if it is not needed`,
    )
  }
  await store.command(`DROP DATABASE ${copyName} SYNC`)
}

async function timed({ clock }: CopyOf, name: string, work: () => Promise<unknown>): Promise<number> {
  const startedAt = clock.now()
  try {
    await work()
  } catch (cause) {
    const reason = messageOf(cause)
    throw new Error(`${name} fails on a copy of the database; nothing was changed: ${reason}`, { cause })
  }
  return (clock.now() - startedAt) / 1000
}

const Table = z.object({ name: z.string().regex(/^\w+$/), engine: z.string(), made: z.string() })

async function makeCopy(of: CopyOf): Promise<void> {
  const { store, database, copyName } = of
  await dropCopy(of) // left by a check that was killed
  await store.command(`CREATE DATABASE ${copyName} ENGINE = Atomic COMMENT '${MARK}'`)
  const tables = await store.query({
    name: 'migrations.tables',
    sql: `SELECT name, engine, create_table_query AS made FROM system.tables
      WHERE database = {database: String} AND (engine LIKE '%MergeTree' OR engine = 'View') ORDER BY name`,
    params: { database },
    parse: (row) => Table.parse(row),
  })
  for (const { name, engine } of tables) {
    if (engine !== 'View') await store.command(`CREATE TABLE ${copyName}.${name} CLONE AS ${database}.${name}`)
  }
  const views = tables.filter(({ engine }) => engine === 'View')
  await createViews(
    store,
    views.map(({ made }) => made.replaceAll(new RegExp(`\\b${database}\\.(?=\\w)`, 'g'), `${copyName}.`)),
  )
}

/** Views may read other views: a view that fails because a table is missing is retried after the rest. */
async function createViews(store: Store, statements: readonly string[]): Promise<void> {
  const failed: string[] = []
  let last: unknown
  for (const statement of statements) {
    await store.command(statement).catch((cause: unknown) => {
      last = cause
      failed.push(statement)
    })
  }
  if (failed.length === statements.length && failed.length > 0) throw last
  if (failed.length > 0) await createViews(store, failed)
}
