/** Mean of vectors weighted by the lengths of their texts, brought to unit length; zeros for nothing. */
export function meanVector(vectors: readonly Float32Array[], lengths: readonly number[], dim: number): Float32Array {
  const sum = new Float64Array(dim)
  vectors.forEach((vector, row) => {
    const weight = lengths[row] ?? 0
    for (let i = 0; i < dim; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0)
  })
  const length = Math.sqrt(sum.reduce((square, value) => square + value * value, 0))
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length))
}
