import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { Sides } from './exchange.ts'

/** Records that a log may have removed from a table's topic, according to its cleanup policy. */
export type RemovedRecords =
  | {
      readonly how: 'deleted'
      /** Offset of the first record that is left, by partition. */ readonly starts: readonly number[]
    }
  /** Only the newest record of each key is left. */
  | { readonly how: 'compacted'; /** End of what was read, by partition. */ readonly ends: readonly number[] }

/**
 * Copies rows whose records are no longer in the log from the live table to the shadow, and returns their number.
 * Idempotent: a repeated row replaces itself.
 */
export async function carryOver(
  store: Store,
  { sides, table, columns }: { readonly sides: Sides; readonly table: string; readonly columns: Columns },
  removed: RemovedRecords,
): Promise<number> {
  const where = removedRows(`${sides.shadow}.${table}`, removed)
  if (where === null) return 0
  const [found] = await store.query({
    name: 'rebuild.forgotten',
    sql: `SELECT count() AS rows FROM ${sides.live}.${table} FINAL WHERE ${where}`,
    params: {},
    parse: (row) => z.object({ rows: z.number() }).parse(row),
  })
  const rows = found?.rows ?? 0
  if (rows === 0) return 0
  const names = (columns.get(table) ?? []).map((name) => `\`${name}\``).join(', ')
  await store.command(
    `INSERT INTO ${sides.shadow}.${table} (${names}) SELECT ${names} FROM ${sides.live}.${table} FINAL WHERE ${where}`,
  )
  return rows
}

function removedRows(shadowTable: string, removed: RemovedRecords): string | null {
  if (removed.how === 'compacted') {
    // rows before the read position that the shadow lacks
    return `${before(removed.ends)} AND (_partition, _offset) NOT IN (SELECT _partition, _offset FROM ${shadowTable})`
  }
  return removed.starts.some((start) => start > 0) ? before(removed.starts) : null
}

/** A condition for rows before an offset of their partition. Contains only numbers, so it is safe to embed in SQL. */
export const before = (offsets: readonly number[]): string =>
  offsets.length === 0 ? '0' : `_offset < [${offsets.map((offset) => Math.trunc(offset)).join(', ')}][_partition + 1]`

const Column = z.object({ table: z.string(), name: z.string(), type: z.string(), kind: z.string() })

/** The writable columns of each table, in order. */
type Columns = ReadonlyMap<string, readonly string[]>

/**
 * The writable columns of some tables. Throws if they differ between the two databases, because the live one lacks a
 * migration.
 */
export async function writableColumns(store: Store, sides: Sides, tables: readonly string[]): Promise<Columns> {
  const [live, shadow] = [await columnsOf(store, sides.live), await columnsOf(store, sides.shadow)]
  const written = new Map<string, readonly string[]>()
  for (const name of tables) {
    const ofTable = (columns: typeof live) => columns.filter(({ table }) => table === name)
    const described = (columns: typeof live) =>
      columns
        .map((one) => `${one.name} ${one.type} ${one.kind}`)
        .sort()
        .join()
    const columns = ofTable(live)
    if (columns.length === 0 || described(columns) !== described(ofTable(shadow))) {
      throw new Error(
        `The columns of table ${name} in ${sides.live} do not match the migrations. Run \`story migrate\` first`,
      )
    }
    written.set(
      name,
      columns.filter(({ kind }) => kind === '' || kind === 'DEFAULT').map((column) => column.name),
    )
  }
  return written
}

const columnsOf = (store: Store, database: string) =>
  store.query({
    name: 'rebuild.columns',
    sql: `SELECT table, name, type, default_kind AS kind FROM system.columns
      WHERE database = {database: String} ORDER BY table, position`,
    params: { database },
    parse: (row) => Column.parse(row),
  })
