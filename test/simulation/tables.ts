import type { Cell, Row } from '../../src/ports/store.ts'

/** A row as text: two are one row where it is the same. */
export function rowText(row: Row): string {
  let text = ''
  for (const name of Object.keys(row).sort()) text += `${name}=${cellText(row[name] ?? null)};`
  return text
}

function cellText(cell: Cell): string {
  if (cell instanceof Float32Array) return Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('latin1')
  if (cell instanceof Uint8Array) return Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('latin1')
  if (Array.isArray(cell)) return `[${cell.map(cellText).join()}]`
  if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell)
  return `{${Object.entries(cell)
    .map(([name, one]) => `${name}:${cellText(one)}`)
    .join()}}`
}

/** The store of a simulation: a repeated row is the same row, as in a ReplacingMergeTree. */
export class Tables {
  readonly rows = new Map<string, Set<Row>>()

  insert(table: string, rows: readonly Row[]): void {
    const all = this.rows.get(table) ?? new Set()
    this.rows.set(table, all)
    for (const row of rows) all.add(row)
  }
}
