import { dense, products, softmax, type Dense } from './matrices.ts'

/** One head: the target asks each piece of its sentence how much it has to say of it. */
export interface AttentionHead {
  /** States of the target to a query: [size, width]. */
  readonly query: Dense
  /** A query to what it asks of a state, the transposed keys: float32[width, size]. */
  readonly key: Float32Array
  /** What is added for the distance to the target, by `bucket`. */
  readonly distance: Float32Array
}

export interface AttentionSentence {
  /** float32[position, width]. */
  readonly states: Float32Array
  /** The same by component: float32[width, position]. */
  readonly components: Float32Array
  /** Positions. */
  readonly length: number
}

interface AttentionInput {
  readonly sentence: AttentionSentence
  /** Of each target and position the `bucket` of their distance: uint8[target, position]. */
  readonly buckets: Uint8Array
  /** The targets' mean states, float32[target, width]. */
  readonly targets: Float32Array
}

/** The mean state of the sentence as this head weighs it for each target: float32[target, width]. */
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

/** Buckets of distances: 0 to 3 pieces one each, then 4, 8, 16, 32 and more; those before the target below the middle. */
export const DISTANCES = 17

export function bucket(distance: number): number {
  const size = Math.abs(distance)
  const place = size < 4 ? size : Math.min(8, 4 + Math.floor(Math.log2(size / 4)))
  return (DISTANCES - 1) / 2 + (distance < 0 ? -place : place)
}
