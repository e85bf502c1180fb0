import { z } from 'zod'
import { SHARED } from '../../domain/intake/articles.ts'
import type { Store } from '../../ports/store.ts'
import { analystNames, namespaceOfReader, type AnalystNames } from './users.ts'
import { analystViews, statementOf, versionOf } from './view-definitions.ts'

/** The analysts of a database as the server knows them: each reader with a filter on it. */
export async function knownAnalysts(store: Store, database: string): Promise<readonly AnalystNames[]> {
  const row = z.object({ reader: z.string() })
  const found = await store.query({
    name: 'analysts.known',
    sql: `
      SELECT DISTINCT arrayJoin(apply_to_list) AS reader FROM system.row_policies
      WHERE database = {database: String} AND table = '' AND select_filter != '' ORDER BY reader`,
    params: { database },
    parse: (one) => row.parse(one),
  })
  return found.flatMap(({ reader }) => {
    const namespace = namespaceOfReader(reader)
    return namespace === null ? [] : [analystNames(namespace)]
  })
}

/** Makes the views of each analyst what this version says. Run after each migration; what is so already stays untouched. */
export async function refreshAnalystViews(store: Store, database: string): Promise<void> {
  for (const names of await knownAnalysts(store, database)) await refreshViews(store, database, names)
}

export const createViews = ({ views }: AnalystNames): string => `CREATE DATABASE IF NOT EXISTS ${views} ENGINE = Atomic`

/**
 * The version stands in the comment of the analyst's database, written last: what was cut off is done again. Each view is
 * exchanged in one step, so a query meets the old one or the new one.
 */
export async function refreshViews(store: Store, database: string, names: AnalystNames): Promise<void> {
  const definitions = analystViews()
  const statements = definitions.map((view) => statementOf(view, database, names))
  const comment = `Stable views for analysts: docs/analysts.md of the service. Version ${versionOf(statements)}`
  const there = await databaseOf(store, names)
  if (there.comment === comment && definitions.every(({ name }) => there.tables.includes(name))) return

  await store.command(createViews(names))
  for (const statement of statements) await store.command(statement)
  for (const name of there.tables) {
    if (!definitions.some((view) => view.name === name))
      await store.command(`DROP VIEW IF EXISTS ${names.views}.${name} SYNC`)
  }
  if (names.namespace === SHARED) await store.command(`DROP DATABASE IF EXISTS ${database}_${SHARED} SYNC`) // of before
  await store.command(`ALTER DATABASE ${names.views} MODIFY COMMENT '${comment}'`)
}

interface Database {
  /** Empty: there is none. */
  readonly comment: string
  readonly tables: readonly string[]
}

async function databaseOf(store: Store, { views }: AnalystNames): Promise<Database> {
  const row = z.object({ comment: z.string(), tables: z.array(z.string()) })
  const [found] = await store.query({
    name: 'analysts.views',
    sql: `
      SELECT
        (SELECT any(comment) FROM system.databases WHERE name = {views: String}) AS comment,
        (SELECT groupArray(name) FROM system.tables WHERE database = {views: String}) AS tables`,
    params: { views },
    parse: (one) => row.parse(one),
  })
  return found ?? { comment: '', tables: [] }
}
