import { dense, dot, softmax, weightedMean, type Dense } from './matrices.ts'

/** One head: the target asks each piece of its sentence how much it has to say of it. */
export interface AttentionHead {
  /** States of the target to a query: [size, width]. */
  readonly query: Dense
  /** A query to what it asks of a state, the transposed keys: float32[width, size]. */
  readonly key: Float32Array
  /** What is added for the distance to the target, by `bucket`. */
  readonly distance: Float32Array
}

interface Attended {
  /** float32[position, width]. */
  readonly states: Float32Array
  /** Pieces to the target, negative before it. */
  readonly distances: Int32Array
  /** The target's mean state. */
  readonly query: Float32Array
}

/** The mean state of the sentence as this head weighs it. */
export function attend(head: AttentionHead, { states, distances, query }: Attended): Float32Array {
  const asked = dense({ weights: head.key, bias: new Float32Array(query.length) }, dense(head.query, query))
  const scale = 1 / Math.sqrt(head.query.bias.length)
  const scores = new Float32Array(distances.length)
  for (let position = 0; position < distances.length; position++) {
    const likeness = dot(states, position * query.length, asked)
    scores[position] = likeness * scale + (head.distance[bucket(distances[position] ?? 0)] ?? 0)
  }
  return weightedMean(states, softmax(scores))
}

/** Buckets of distances: 0 to 3 pieces one each, then 4, 8, 16, 32 and more; those before the target below the middle. */
export const DISTANCES = 17

export function bucket(distance: number): number {
  const size = Math.abs(distance)
  const place = size < 4 ? size : Math.min(8, 4 + Math.floor(Math.log2(size / 4)))
  return (DISTANCES - 1) / 2 + (distance < 0 ? -place : place)
}
