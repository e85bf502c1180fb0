import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { ExchangedTable } from './state.ts'

/** Two databases of one server, by their names from the configuration. */
export interface Sides {
  readonly live: string
  readonly shadow: string
}

/** The UUID of each table, which does not change when it is renamed, by `database.table`. */
async function identities(store: Store, { live, shadow }: Sides): Promise<ReadonlyMap<string, string>> {
  const found = await store.query({
    name: 'rebuild.tables',
    sql: `SELECT concat(database, '.', name) AS name, toString(uuid) AS uuid FROM system.tables
      WHERE database IN {databases: Array(String)}`,
    params: { databases: [live, shadow] },
    parse: (row) => z.object({ name: z.string(), uuid: z.string() }).parse(row),
  })
  return new Map(found.map(({ name, uuid }) => [name, uuid]))
}

/** The UUIDs of the shadow tables and of the live tables they replace. */
export async function tablesToExchange(
  store: Store,
  sides: Sides,
  tables: readonly string[],
): Promise<readonly ExchangedTable[]> {
  const known = await identities(store, sides)
  const of = (database: string, table: string): string => {
    const uuid = known.get(`${database}.${table}`)
    if (uuid === undefined) throw new Error(`Table ${database}.${table} does not exist. Run \`story migrate\``)
    return uuid
  }
  return tables.map((table) => ({ table, rebuilt: of(sides.shadow, table), replaced: of(sides.live, table) }))
}

/**
 * Makes the target tables live. Each exchange is atomic: a query reads one table or the other, and never finds none.
 * Tables already in place are skipped, so that a run after a crash can repeat it.
 */
export async function putInPlace(
  store: Store,
  { live, shadow }: Sides,
  tables: readonly { readonly table: string; readonly target: string }[],
): Promise<void> {
  const known = await identities(store, { live, shadow })
  const notLive = tables.filter(({ table, target }) => known.get(`${live}.${table}`) !== target)
  for (const { table, target } of notLive) {
    if (known.get(`${shadow}.${table}`) !== target) {
      throw new Error(`${shadow}.${table} is not the rebuilt table. Start again with --restart`)
    }
  }
  const pairs = notLive.map(({ table }) => `${live}.${table} AND ${shadow}.${table}`)
  if (pairs.length > 0) await store.command(`EXCHANGE TABLES ${pairs.join(', ')}`)
}

/** Whether at least one of the rebuilt tables is live. */
export async function isInPlace(store: Store, sides: Sides, tables: readonly ExchangedTable[]): Promise<boolean> {
  const known = await identities(store, sides)
  return tables.some(({ table, rebuilt }) => known.get(`${sides.live}.${table}`) === rebuilt)
}

/** Throws if the tables of the database cannot be exchanged atomically. Checked before anything is read. */
export async function checkExchangeable(store: Store, { live }: Sides): Promise<void> {
  const [found] = await store.query({
    name: 'rebuild.database',
    sql: 'SELECT engine FROM system.databases WHERE name = {live: String}',
    params: { live },
    parse: (row) => z.object({ engine: z.string() }).parse(row),
  })
  if (found?.engine === 'Atomic') return
  throw new Error(
    `CLICKHOUSE_DATABASE ${live} has the engine ${found?.engine ?? 'none'}, but tables can only be swapped between Atomic databases. Rebuild on a separate server, or update the live tables in place with --from 0`,
  )
}
