import { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { Cell, Row } from '../../ports/store.ts'

/**
 * Tables that are read by cursors over log offsets (`sequential` queries). On replicas their inserts reach a quorum one
 * after the other, which is what `select_sequential_consistency` needs.
 */
export const SEQUENTIAL: ReadonlySet<string> = new Set(['changes', 'cluster_feed'])

type Types = ReadonlyMap<string, string>

/**
 * Inserts rows as JSON lines without names. Vectors travel as base64 of their bytes and become arrays in the server:
 * several times faster than numbers in JSON, and the server's own formats stay out of our code.
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
      known.delete(table) // it may have been exchanged for another
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

/** What a row gives for a column of vectors. */
const VECTORS = new Map<string, typeof Float32Array | typeof Uint8Array>([
  ['Array(Float32)', Float32Array],
  ['Array(BFloat16)', Uint8Array],
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

/** Bytes of another width would become a vector of another length. */
function checkVectors(row: Row, { table, types }: { readonly table: string; readonly types: Types }): void {
  for (const [name, cell] of Object.entries(row)) {
    const vector = VECTORS.get(types.get(name) ?? '')
    if (vector !== undefined && !(cell instanceof vector))
      throw new Error(`Column ${table}.${name} takes its vectors as a ${vector.name}`)
  }
}

function line(columns: readonly string[], row: Row): string {
  const text = JSON.stringify(columns.map((name) => wire(row[name] ?? null)))
  return `${HALF_PAIR.test(text) ? JSON.stringify(JSON.parse(text), whole) : text}\n`
}

const wire = (cell: Cell): Cell =>
  cell instanceof Float32Array || cell instanceof Uint8Array
    ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64')
    : cell

/** In JSON only half a surrogate pair is written as an escape (or a text that says so). */
const HALF_PAIR = /\\ud[89a-f]/

/** Half a pair is no text: the server would refuse the whole batch for it, now and at every retry. */
const whole = (_: string, cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replace(/\p{Surrogate}/gu, '\ufffd') : cell
