/** An affine map. */
export interface Dense {
  /** float32[outputs, inputs]: a row holds what one output is made of. */
  readonly weights: Float32Array
  /** float32[outputs]. */
  readonly bias: Float32Array
}

/** Product of a row, which begins at `from`, with a vector. */
export function dot(rows: Float32Array, from: number, vector: Float32Array): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += (rows[from + i] ?? 0) * (vector[i] ?? 0)
  return sum
}

export function dense({ weights, bias }: Dense, input: Float32Array): Float32Array {
  const result = new Float32Array(bias.length)
  for (let row = 0; row < bias.length; row++) result[row] = (bias[row] ?? 0) + dot(weights, row * input.length, input)
  return result
}

/** Sums of two vectors of one length. */
export const added = (a: Float32Array, b: Float32Array): Float32Array => a.map((value, i) => value + (b[i] ?? 0))

/** Mean of the rows of float32[rows, width], weighted; `weights` holds one number a row, not all zero. */
export function weightedMean(rows: Float32Array, weights: Float32Array): Float32Array {
  const width = rows.length / weights.length
  const mean = new Float32Array(width)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (let row = 0; row < weights.length; row++) {
    const share = (weights[row] ?? 0) / total
    if (share === 0) continue
    const from = row * width
    for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) + share * (rows[from + i] ?? 0)
  }
  return mean
}

const GELU = Math.sqrt(2 / Math.PI)

/** Gaussian error linear unit by its usual approximation with tanh. */
export const gelu = (values: Float32Array): Float32Array =>
  values.map((x) => 0.5 * x * (1 + Math.tanh(GELU * (x + 0.044715 * x * x * x))))

/** Probabilities in proportion to e to the power of each value; they sum to 1. */
export function softmax(values: Float32Array): Float32Array {
  const most = values.reduce((high, value) => Math.max(high, value), -Infinity)
  const powers = values.map((value) => Math.exp(value - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}
