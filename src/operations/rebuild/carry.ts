import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { Sides } from './exchange.ts'

/** What a log may have forgotten of a table's topic, as its file says it may. */
export type Forgotten =
  | {
      readonly how: 'deleted'
      /** Offset of the first record that is left, by partition. */ readonly starts: readonly number[]
    }
  /** Of each key the newest is left. */
  | { readonly how: 'compacted'; /** What of the topic was read, by partition. */ readonly ends: readonly number[] }

/**
 * Copies the rows that the log no longer holds from the live table into the shadow, and says how many there are. Can be
 * repeated: a repeated row is the same row.
 */
export async function carryOver(
  store: Store,
  { sides, table, columns }: { readonly sides: Sides; readonly table: string; readonly columns: StructureColumns },
  forgotten: Forgotten,
): Promise<number> {
  const where = forgottenRows(`${sides.shadow}.${table}`, forgotten)
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

function forgottenRows(shadowTable: string, forgotten: Forgotten): string | null {
  if (forgotten.how === 'compacted') {
    // a server-side copy: what is not in the shadow although it lies before what was read
    return `${before(forgotten.ends)} AND (_partition, _offset) NOT IN (SELECT _partition, _offset FROM ${shadowTable})`
  }
  return forgotten.starts.some((start) => start > 0) ? before(forgotten.starts) : null
}

/** Rows of places before an offset of their partition. Numbers of the log only, so they may stand in the text. */
export const before = (offsets: readonly number[]): string =>
  offsets.length === 0 ? '0' : `_offset < [${offsets.map((offset) => Math.trunc(offset)).join(', ')}][_partition + 1]`

const Column = z.object({ table: z.string(), name: z.string(), type: z.string(), kind: z.string() })

/** Columns that are written, in order, by table. */
type StructureColumns = ReadonlyMap<string, readonly string[]>

/**
 * The written columns of some tables, which must be the same on both sides: of a live database that lacks a migration the
 * shadow is another shape.
 */
export async function sameColumns(store: Store, sides: Sides, tables: readonly string[]): Promise<StructureColumns> {
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
