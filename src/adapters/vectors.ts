/** Components of every vector in this service. */
export const DIM = 384

/** Copies a vector per row, so that keeping one vector does not keep the whole batch in memory. */
export const rowsOf = (rows: Float32Array): Float32Array[] =>
  Array.from({ length: rows.length / DIM }, (_, row) => rows.slice(row * DIM, (row + 1) * DIM))

/** Kind of the vectors of `articleMix`. Change it if the title's share or the encoded texts change. */
export const MIX = 'mix'

/** The share of the title; chosen by measurement, see `onnx/README.md`. */
const TITLE = 0.3

/** The article vector, unit length: 0.3 title + 0.7 lead. If the two cancel out, the lead is used. */
export function articleMix(title: Float32Array, lead: Float32Array): Float32Array {
  const mixed = lead.map((value, i) => TITLE * (title[i] ?? 0) + (1 - TITLE) * value)
  const norm = Math.sqrt(mixed.reduce((sum, value) => sum + value * value, 0))
  return norm > 0 ? mixed.map((value) => value / norm) : lead
}
