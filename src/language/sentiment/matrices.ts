/** An affine map. */
export interface Dense {
  /** float32[outputs, inputs]: a row holds what one output is made of. */
  readonly weights: Float32Array
  /** float32[outputs]. */
  readonly bias: Float32Array
}

export function dense({ weights, bias }: Dense, input: Float32Array): Float32Array {
  const result = new Float32Array(bias.length)
  for (let row = 0; row < bias.length; row++) {
    let sum = bias[row] ?? 0
    const from = row * input.length
    for (let i = 0; i < input.length; i++) sum += (weights[from + i] ?? 0) * (input[i] ?? 0)
    result[row] = sum
  }
  return result
}

/** Mean of the rows of float32[rows, width], weighted; `weights` holds one number a row, not all zero. */
export function weightedMean(rows: Float32Array, weights: Float32Array): Float32Array {
  const width = rows.length / weights.length
  const mean = new Float32Array(width)
  let total = 0
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row] ?? 0
    if (weight === 0) continue
    total += weight
    const values = rows.subarray(row * width, (row + 1) * width)
    for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) + weight * (values[i] ?? 0)
  }
  return mean.map((value) => value / total)
}

/** Gaussian error linear unit by its usual approximation with tanh. */
export const gelu = (values: Float32Array): Float32Array =>
  values.map((x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))))

/** Probabilities in proportion to e to the power of each value; they sum to 1. */
export function softmax(values: Float32Array): Float32Array {
  const most = values.reduce((high, value) => Math.max(high, value), -Infinity)
  const powers = values.map((value) => Math.exp(value - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}
