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

/** The normalised mean of the states at the given positions; `states` has `DIM` components per position. */
export function pooled(states: Float32Array, positions: Iterable<number>): Float32Array {
  const sum = new Float64Array(DIM)
  for (const position of positions) {
    for (let i = 0; i < DIM; i++) sum[i] = (sum[i] ?? 0) + (states[position * DIM + i] ?? 0)
  }
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1
  return Float32Array.from(sum, (value) => value / norm)
}

/** The normalised mean over all positions; zeros if there are none. */
export const meanOf = (states: Float32Array): Float32Array =>
  pooled(
    states,
    Array.from({ length: states.length / DIM }, (_, position) => position),
  )
