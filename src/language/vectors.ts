/** Mean of vectors, weighted by the lengths of their texts and scaled to unit length; zeros if there are none. */
export function meanVector(vectors: readonly Float32Array[], lengths: readonly number[], dim: number): Float32Array {
  const sum = new Float64Array(dim)
  vectors.forEach((vector, row) => {
    const weight = lengths[row] ?? 0
    for (let i = 0; i < dim; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0)
  })
  const length = Math.sqrt(sum.reduce((square, value) => square + value * value, 0))
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length))
}

/** Mean of scores, weighted by the lengths of their texts, -1 to 1; 0 if there are none. */
export function meanScore(scores: readonly { readonly score: number; readonly length: number }[]): number {
  const total = scores.reduce((sum, { length }) => sum + length, 0)
  return total === 0 ? 0 : scores.reduce((sum, { score, length }) => sum + score * length, 0) / total
}

/** Weights of a multinomial logistic regression, one row per class. */
interface LinearLayer {
  readonly bias: readonly number[]
  readonly weights: readonly (readonly number[])[]
}

/** The logit of each class of a logistic regression. */
export const logits = ({ bias, weights }: LinearLayer, row: ArrayLike<number>): number[] =>
  weights.map((ofClass, label) => {
    let sum = bias[label] ?? 0
    for (let i = 0; i < row.length; i++) sum += (ofClass[i] ?? 0) * (row[i] ?? 0)
    return sum
  })

/** Converts logits to probabilities, which sum to 1. */
export function softmax(sums: readonly number[]): number[] {
  const largest = Math.max(...sums)
  const powers = sums.map((sum) => Math.exp(sum - largest))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}

/** Dot product; for two unit vectors, their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
