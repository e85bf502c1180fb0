/** Components of every vector of this service. */
export const DIM = 384

/** One vector a row, each with memory of its own, so that one kept vector does not keep its whole batch. */
export const rowsOf = (rows: Float32Array): Float32Array[] =>
  Array.from({ length: rows.length / DIM }, (_, row) => rows.slice(row * DIM, (row + 1) * DIM))

/** What an article's vector made here is called. Another share or another text is another kind and needs another name. */
export const MIX = 'mix'

/** The title's part: measured, see `onnx/README.md`. */
const TITLE = 0.3

/** The article's own vector, unit length: 0.3 title + 0.7 lead. Two opposite halves leave the lead. */
export function articleMix(title: Float32Array, lead: Float32Array): Float32Array {
  const mixed = lead.map((value, i) => TITLE * (title[i] ?? 0) + (1 - TITLE) * value)
  const norm = Math.sqrt(mixed.reduce((sum, value) => sum + value * value, 0))
  return norm > 0 ? mixed.map((value) => value / norm) : lead
}
