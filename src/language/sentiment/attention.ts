import { products } from './products.ts'

/** An affine map. */
export interface Dense {
  /** float32[outputs, inputs]: one row of input weights per output. */
  readonly weights: Float32Array
  /** float32[outputs]. */
  readonly bias: Float32Array
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

/** Softmax of each row of `size` values, in place. */
export function softmax(values: Float32Array, size: number): Float32Array {
  for (let from = 0; from < values.length; from += size) {
    let most = -Infinity
    for (let i = from; i < from + size; i++) most = Math.max(most, values[i] ?? 0)
    for (let i = from; i < from + size; i++) values[i] = Math.exp((values[i] ?? 0) - most)
    normalise(values, from, size)
  }
  return values
}

/** Scales `size` values, starting at `from`, so that they sum to 1. */
export function normalise(values: Float32Array, from: number, size: number): void {
  let total = 0
  for (let i = from; i < from + size; i++) total += values[i] ?? 0
  for (let i = from; i < from + size; i++) values[i] = (values[i] ?? 0) / total
}

/** A head weighs the pieces of a sentence by their relevance to a target. */
export interface AttentionHead {
  /** Maps the state of a target to a query: [size, width]. */
  readonly query: Dense
  /** The transposed key weights, which a query is multiplied with: float32[width, size]. */
  readonly key: Float32Array
  /** Added to a score, by `bucket` of the distance to the target. */
  readonly distance: Float32Array
}

export interface AttentionSentence {
  /** float32[position, width]. */
  readonly states: Float32Array
  /** `states` transposed: float32[width, position]. */
  readonly components: Float32Array
  /** Number of positions. */
  readonly length: number
}

interface AttentionInput {
  readonly sentence: AttentionSentence
  /** `bucket` of the distance between target and position: uint8[target, position]. */
  readonly buckets: Uint8Array
  /** The targets' mean states, float32[target, width]. */
  readonly targets: Float32Array
}

/** Mean state of the sentence for each target, weighted by the head: float32[target, width]. */
export function attend(head: AttentionHead, { sentence, buckets, targets }: AttentionInput): Float32Array {
  const { states, components, length } = sentence
  const size = head.query.bias.length
  const queries = products(dense(head.query, targets), head.key, size)
  const scores = products(queries, states, states.length / length)
  const scale = 1 / Math.sqrt(size)
  for (let i = 0; i < scores.length; i++) {
    scores[i] = (scores[i] ?? 0) * scale + (head.distance[buckets[i] ?? 0] ?? 0)
  }
  return products(softmax(scores, length), components, length)
}

/** Buckets for distances of 0, 1, 2, 3 and from 4, 8, 16, 32 and 64 pieces; the lower half is before the target. */
export const DISTANCES = 17

export function bucket(distance: number): number {
  const size = Math.abs(distance)
  const place = size < 4 ? size : Math.min(8, 33 - Math.clz32(size))
  return (DISTANCES - 1) / 2 + (distance < 0 ? -place : place)
}
