import { z } from 'zod'
import type { Store } from '../ports/store.ts'

/** The tables that a store may spread over shards, by article: what search compares, and mentions. */
export const SPREAD = ['article_vectors', 'tokens', 'mentions', 'entity_articles'] as const

/** The database of a shard, so that the store's own server can be one of its shards. */
export const shardDatabase = (database: string): string => `${database}_shard`

export interface Sharding {
  /** Of the native protocol, `host:port`. Their order never changes: it decides where an article is. */
  readonly addresses: readonly string[]
  readonly isTls: boolean
  /** Of the store. */
  readonly database: string
  readonly user: string
  readonly password: string
}

/** The tables of a store that are spread over shards. */
export async function spreadTables(store: Store): Promise<readonly string[]> {
  return (await tablesToSpread(store)).filter(({ isSpread }) => isSpread).map(({ name }) => name)
}

/**
 * Replaces the largest tables of a store by tables that are read from shards and written to them, with the columns that
 * the shards have now. All rows of an article are on one shard. Throws if a table has rows of its own, or is spread over
 * other shards.
 */
export async function spread(store: Store, sharding: Sharding): Promise<void> {
  const tables = await tablesToSpread(store)
  for (const table of tables) checkTable(table, sharding)
  for (const { name } of tables) {
    const replaced = `${name}_replaced`
    await store.command(`DROP TABLE IF EXISTS ${replaced} SYNC`) // of an interrupted run
    await store.command(`CREATE TABLE ${replaced} AS ${spreadOver(name, sharding)}`)
    await store.command(`EXCHANGE TABLES ${replaced} AND ${name}`)
    await store.command(`DROP TABLE ${replaced} SYNC`)
  }
}

const ALTERED = /^\s*(?:--.*\n\s*)*ALTER TABLE (\w+)/

/** A store whose spread tables are not altered: their columns are those of the shards, which are migrated first. */
export const withoutAltering = (store: Store, spreadTables: readonly string[]): Store => ({
  query: (query) => store.query(query),
  insert: (table, rows) => store.insert(table, rows),
  command: async (sql) => {
    if (!spreadTables.includes(ALTERED.exec(sql)?.[1] ?? '')) await store.command(sql)
  },
  ping: () => store.ping(),
  close: () => store.close(),
})

const REMEDY = 'add a store with these shards to CLICKHOUSE_STORES, and remove this one once it has caught up'

function checkTable({ name, isSpread, isEmpty, made }: TableToSpread, { addresses }: Sharding): void {
  if (!isSpread && !isEmpty) throw new Error(`the table ${name} has rows and cannot be spread over shards: ${REMEDY}`)
  if (!isSpread) return
  const found = /\bremote(?:Secure)?\('([^']*)'/.exec(made)?.[1] ?? '?'
  if (found !== addresses.join(','))
    throw new Error(`the table ${name} is spread over the shards ${found}, which cannot change: ${REMEDY}`)
}

/** `remote` is the engine `Distributed` with its servers in the statement: they need no configuration for it. */
function spreadOver(table: string, { addresses, isTls, database, user, password }: Sharding): string {
  const values = [addresses.join(','), shardDatabase(database), table, user, password].map(quoted).join(', ')
  return `${isTls ? 'remoteSecure' : 'remote'}(${values}, cityHash64(namespace, article_id))`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const TableRow = z.object({ name: z.string(), engine: z.string(), rows: z.number(), made: z.string() })

interface TableToSpread {
  readonly name: string
  readonly isSpread: boolean
  readonly isEmpty: boolean
  /** The statement that creates it. */
  readonly made: string
}

async function tablesToSpread(store: Store): Promise<readonly TableToSpread[]> {
  const found = await store.query({
    name: 'shards.tables',
    sql: `SELECT name, engine, ifNull(total_rows, 0) AS rows, create_table_query AS made FROM system.tables
      WHERE database = currentDatabase() AND name IN {tables: Array(String)} ORDER BY name`,
    params: { tables: [...SPREAD] },
    parse: (row) => TableRow.parse(row),
  })
  return found.map(({ name, engine, rows, made }) => {
    return { name, isSpread: !engine.endsWith('MergeTree'), isEmpty: rows === 0, made }
  })
}
