/** Components of every vector of this service. */
export const DIM = 384

/** One vector a row, each with memory of its own, so that one kept vector does not keep its whole batch. */
export const rowsOf = (rows: Float32Array): Float32Array[] =>
  Array.from({ length: rows.length / DIM }, (_, row) => rows.slice(row * DIM, (row + 1) * DIM))
