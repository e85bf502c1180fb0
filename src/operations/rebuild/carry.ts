import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { Sides } from './exchange.ts'
import type { StructureColumns } from './structure.ts'

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
