import { z } from 'zod'
import { SHARED } from '../../events/intake-rules.ts'
import type { Store } from '../../ports/store.ts'
import { analystNames, namespaceOfReader, type AnalystNames } from './names.ts'

/** In `shared` their rows belong to single keys, not to everybody. */
const OF_ONE_OWNER = ['deliveries']

interface Table {
  readonly name: string
  readonly engine: string
  readonly comment: string
  /** In order; those that `*` leaves out are left out. */
  readonly columns: readonly (readonly [name: string, type: string, comment: string])[]
}

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
    return namespace === null ? [] : [analystNames(database, namespace)]
  })
}

/**
 * Makes what each analyst of a database sees the same as what is there: a view of every table that has namespaces, without
 * repeats, as the namespace's reader sees it. Run after each migration; what is as it should be stays untouched.
 */
export async function refreshAnalystViews(store: Store, database: string): Promise<void> {
  for (const names of await knownAnalysts(store, database)) await refreshViews(store, database, names)
}

export const createViews = ({ views }: AnalystNames): string => `CREATE DATABASE IF NOT EXISTS ${views} ENGINE = Atomic`

export async function refreshViews(store: Store, database: string, names: AnalystNames): Promise<void> {
  await store.command(createViews(names))
  const wanted = (await tablesOf(store, database)).filter((table) => isFor(names, table))
  const there = new Map((await tablesOf(store, names.views)).map((view) => [view.name, view]))
  for (const table of wanted) {
    const view = there.get(table.name)
    there.delete(table.name)
    if (view === undefined || !isSame(view, table)) await store.command(viewOf(database, names, table))
  }
  for (const name of there.keys()) await store.command(`DROP VIEW IF EXISTS ${names.views}.${name} SYNC`)
}

const isFor = ({ namespace }: AnalystNames, { name, columns }: Table): boolean =>
  columns.some(([column]) => column === 'namespace') && !(namespace === SHARED && OF_ONE_OWNER.includes(name))

const isSame = (view: Table, table: Table): boolean =>
  view.comment === table.comment && JSON.stringify(view.columns) === JSON.stringify(table.columns)

function viewOf(database: string, { views, reader }: AnalystNames, { name, engine, comment, columns }: Table): string {
  const described = columns.map(([column, type, about]) => `\`${column}\` ${type} COMMENT ${quoted(about)}`)
  return `CREATE OR REPLACE VIEW ${views}.${name} (${described.join(', ')})
    DEFINER = ${reader} SQL SECURITY DEFINER
    AS SELECT ${columns.map(([column]) => `\`${column}\``).join(', ')}
    FROM ${database}.${name} AS facts ${engine.includes('Replacing') ? 'FINAL' : ''}
    COMMENT ${quoted(comment)}`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

async function tablesOf(store: Store, database: string): Promise<readonly Table[]> {
  const row = z.object({
    name: z.string(),
    engine: z.string(),
    comment: z.string(),
    columns: z.array(z.tuple([z.string(), z.string(), z.string()])),
  })
  return await store.query({
    name: 'analysts.tables',
    sql: `
      SELECT name, engine, comment, columns FROM system.tables
      JOIN (
        SELECT table, arrayMap(column -> (column.2, column.3, column.4), arraySort(groupArray((position, name, type, comment)))) AS columns
        FROM system.columns
        WHERE database = {database: String} AND default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL')
        GROUP BY table
      ) AS described ON described.table = name
      WHERE database = {database: String} AND NOT is_temporary ORDER BY name`,
    params: { database },
    parse: (one) => row.parse(one),
  })
}
