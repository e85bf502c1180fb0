import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { Sides } from './exchange.ts'

const Column = z.object({ table: z.string(), name: z.string(), type: z.string(), kind: z.string() })

/** Columns that are written, in order, by table. */
export type StructureColumns = ReadonlyMap<string, readonly string[]>

/**
 * The written columns of some tables, which must be the same on both sides: of a live database that lacks a migration the
 * shadow is another shape.
 */
export async function sameColumns(store: Store, sides: Sides, tables: readonly string[]): Promise<StructureColumns> {
  const [live, shadow] = [await columnsOf(store, sides.live), await columnsOf(store, sides.shadow)]
  for (const table of tables) {
    const [here, there] = [live.get(table) ?? [], shadow.get(table) ?? []]
    const described = (columns: typeof here) => columns.map(({ name, type, kind }) => `${name} ${type} ${kind}`).sort()
    if (here.length > 0 && described(here).join() === described(there).join()) continue
    throw new Error(
      `The columns of table ${table} in ${sides.live} do not match the migrations. Run \`story migrate\` first`,
    )
  }
  return new Map(
    [...live].map(([table, columns]) => [
      table,
      columns.filter(({ kind }) => kind === '' || kind === 'DEFAULT').map(({ name }) => name),
    ]),
  )
}

async function columnsOf(
  store: Store,
  database: string,
): Promise<ReadonlyMap<string, readonly z.infer<typeof Column>[]>> {
  const found = await store.query({
    name: 'rebuild.columns',
    sql: `SELECT table, name, type, default_kind AS kind FROM system.columns
      WHERE database = {database: String} ORDER BY table, position`,
    params: { database },
    parse: (row) => Column.parse(row),
  })
  return new Map(
    [...new Set(found.map(({ table }) => table))].map((name) => [name, found.filter(({ table }) => table === name)]),
  )
}
