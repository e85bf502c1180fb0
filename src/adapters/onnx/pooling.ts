import { DIM } from '../vector-rows.ts'

/** The unit mean of the states at some positions; `states` holds `DIM` components a position. */
export function pooled(states: Float32Array, positions: Iterable<number>): Float32Array {
  const sum = new Float64Array(DIM)
  for (const position of positions) {
    for (let i = 0; i < DIM; i++) sum[i] = (sum[i] ?? 0) + (states[position * DIM + i] ?? 0)
  }
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0))
  return Float32Array.from(sum, (value) => value / norm)
}

/** The mean over all positions, marks included. */
export const whole = (states: Float32Array): Float32Array =>
  pooled(
    states,
    Array.from({ length: states.length / DIM }, (_, position) => position),
  )

/** A window's states begin with those of the mark before it. */
export const afterMark = (position: number): number => position + 1
