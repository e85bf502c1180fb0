import { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { Cell, Row } from '../../ports/store.ts'

/**
 * Tables read by log-offset cursors (`sequential` queries). On a replicated cluster, their inserts reach a quorum one
 * after another, as `select_sequential_consistency` requires.
 */
export const SEQUENTIAL: ReadonlySet<string> = new Set(['changes', 'cluster_feed'])

type Types = ReadonlyMap<string, string>

/**
 * Inserts rows as JSON lines without column names. Vectors are sent as base64 and decoded by the server. This is
 * several times faster than JSON numbers and needs no ClickHouse-specific binary format in this code.
 */
export function insertInto(client: ClickHouseClient, database: string, settings: ClickHouseSettings) {
  const known = new Map<string, Types>()

  const typesOf = async (table: string): Promise<Types> => {
    const types = known.get(table) ?? (await readTypes(client, database, table))
    known.set(table, types)
    return types
  }

  return async (table: string, rows: readonly Row[]): Promise<void> => {
    const first = rows[0]
    if (first === undefined) return

    const columns = Object.keys(first)
    const types = await typesOf(table)
    const query = statement(table, columns, types)
    checkVectors(first, { table, types })
    try {
      const { stream } = await client.exec({
        query,
        values: Readable.from([rows.map((row) => line(columns, row)).join('')], { objectMode: false }),
        clickhouse_settings: SEQUENTIAL.has(table) ? { ...settings, insert_quorum_parallel: 0 } : settings,
      })
      await stream.resume().toArray()
    } catch (cause) {
      known.delete(table) // the table may have been exchanged
      throw cause
    }
  }
}

async function readTypes(client: ClickHouseClient, database: string, table: string): Promise<Types> {
  const result = await client.query({
    query: `SELECT name, type FROM system.columns
      WHERE database = {database: String} AND table = {table: String} AND default_kind IN ('', 'DEFAULT')`,
    query_params: { database, table },
    format: 'JSONEachRow',
  })
  const columns = await result.json<{ name: string; type: string }>()
  if (columns.length === 0) throw new Error(`Table ${database}.${table} does not exist. Run \`story migrate\``)
  return new Map(columns.map(({ name, type }) => [name, type]))
}

/** The type that a row must provide for each vector column type. */
const VECTORS = new Map<string, typeof Float32Array | typeof Uint8Array>([
  ['Array(Float32)', Float32Array],
  ['Array(BFloat16)', Uint8Array],
  ['Array(Int8)', Uint8Array],
])

const isVector = (type: string): boolean => VECTORS.has(type)

function statement(table: string, columns: readonly string[], types: Types): string {
  const typed = columns.map((name) => {
    const type = types.get(name)
    if (type === undefined) throw new Error(`Table ${table} has no column ${name}`)
    return { name, type }
  })
  if (!typed.some(({ type }) => isVector(type)))
    return `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`

  const read = typed.map(({ name, type }) =>
    isVector(type) ? `reinterpret(base64Decode(${name}), '${type}') AS ${name}` : name,
  )
  const structure = typed.map(({ name, type }) => `${name} ${isVector(type) ? 'String' : type}`).join(', ')
  return `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${read.join(', ')} FROM input('${structure.replaceAll("'", "\\'")}') FORMAT JSONCompactEachRow`
}

/** A vector with the wrong number of bytes would be stored with the wrong length. */
function checkVectors(row: Row, { table, types }: { readonly table: string; readonly types: Types }): void {
  for (const [name, cell] of Object.entries(row)) {
    const vector = VECTORS.get(types.get(name) ?? '')
    if (vector !== undefined && !(cell instanceof vector))
      throw new Error(`Column ${table}.${name} takes its vectors as a ${vector.name}`)
  }
}

function line(columns: readonly string[], row: Row): string {
  const text = JSON.stringify(columns.map((name) => wire(row[name] ?? null)))
  return `${ESCAPED_SURROGATE.test(text) ? JSON.stringify(JSON.parse(text), withoutLoneSurrogates) : text}\n`
}

const wire = (cell: Cell): Cell =>
  cell instanceof Float32Array || cell instanceof Uint8Array
    ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64')
    : cell

/**
 * Finds lone surrogates: `JSON.stringify` escapes only those. A text that contains such an escape literally also
 * matches, which does no harm.
 */
const ESCAPED_SURROGATE = /\\ud[89a-f]/

/** Replaces lone surrogates. ClickHouse would reject the whole batch because of one, on every retry. */
const withoutLoneSurrogates = (_: string, cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replace(/\p{Surrogate}/gu, '\ufffd') : cell
