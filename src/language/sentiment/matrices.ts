/** An affine map. */
export interface Dense {
  /** float32[outputs, inputs]: a row holds what one output is made of. */
  readonly weights: Float32Array
  /** float32[outputs]. */
  readonly bias: Float32Array
}

interface Product {
  readonly a: Float32Array
  readonly b: Float32Array
  readonly size: number
  readonly result: Float32Array
}

/** Each row of float32[n, size] with each of float32[m, size]: float32[n, m]. Nearly all of a reading's time goes here. */
export function products(a: Float32Array, b: Float32Array, size: number): Float32Array {
  const result = new Float32Array((a.length / size) * (b.length / size))
  const product = { a, b, size, result }
  for (let from = 0; from < a.length; from += size) {
    let of = 0
    for (; of + 4 * size <= b.length; of += 4 * size) four(product, from, of)
    for (; of < b.length; of += size) one(product, from, of)
  }
  return result
}

/** A row with four rows at once: their sums do not wait for each other, and a value of `a` is read once for all four. */
function four({ a, b, size, result }: Product, from: number, of: number): void {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  let k = of
  let l = k + size
  let m = l + size
  let n = m + size
  for (let i = from; i < from + size; i++, k++, l++, m++, n++) {
    const value = a[i] ?? 0
    first += value * (b[k] ?? 0)
    second += value * (b[l] ?? 0)
    third += value * (b[m] ?? 0)
    fourth += value * (b[n] ?? 0)
  }
  const to = ((from / size) * b.length + of) / size
  result[to] = first
  result[to + 1] = second
  result[to + 2] = third
  result[to + 3] = fourth
}

function one({ a, b, size, result }: Product, from: number, of: number): void {
  let sum = 0
  for (let i = 0; i < size; i++) sum += (a[from + i] ?? 0) * (b[of + i] ?? 0)
  result[((from / size) * b.length + of) / size] = sum
}

/** float32[n, inputs] to float32[n, outputs]. */
export function dense({ weights, bias }: Dense, inputs: Float32Array): Float32Array {
  const result = products(inputs, weights, weights.length / bias.length)
  for (let i = 0; i < result.length; i++) result[i] = (result[i] ?? 0) + (bias[i % bias.length] ?? 0)
  return result
}

/** float32[rows, width] to float32[width, rows]. */
export function transposed(values: Float32Array, width: number): Float32Array {
  const rows = values.length / width
  const result = new Float32Array(values.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) result[column * rows + row] = values[row * width + column] ?? 0
  }
  return result
}

const GELU = Math.sqrt(2 / Math.PI)

/** Gaussian error linear unit by its usual approximation with tanh; in place. */
export function gelu(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? 0
    values[i] = 0.5 * x * (1 + Math.tanh(GELU * (x + 0.044715 * x * x * x)))
  }
  return values
}

/** Of each row of `size` values probabilities in proportion to e to the power of each; in place. */
export function softmax(values: Float32Array, size: number): Float32Array {
  for (let from = 0; from < values.length; from += size) {
    let most = -Infinity
    for (let i = from; i < from + size; i++) most = Math.max(most, values[i] ?? 0)
    for (let i = from; i < from + size; i++) values[i] = Math.exp((values[i] ?? 0) - most)
    normalise(values, from, size)
  }
  return values
}

/** Makes `size` values from `from` on sum to 1. */
export function normalise(values: Float32Array, from: number, size: number): void {
  let total = 0
  for (let i = from; i < from + size; i++) total += values[i] ?? 0
  for (let i = from; i < from + size; i++) values[i] = (values[i] ?? 0) / total
}
