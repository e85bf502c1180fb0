import type { SentenceReading } from '../../ports/encoder.ts'
import { DIM } from '../vector-rows.ts'

/** Readings as one buffer, one after the other: the vector, the sentence's sentiment, then that of each target. */
export function packedReadings(readings: readonly SentenceReading[]): Float32Array {
  const size = readings.reduce((sum, { targets }) => sum + DIM + 1 + targets.length, 0)
  const buffer = new Float32Array(size)
  let at = 0
  for (const { vector, sentiment, targets } of readings) {
    buffer.set(vector, at)
    buffer.set([sentiment, ...targets], at + DIM)
    at += DIM + 1 + targets.length
  }
  return buffer
}

/** What was packed, by the count of targets that each sentence asked for. Each vector has memory of its own. */
export function unpackedReadings(buffer: Float32Array, targets: readonly number[]): SentenceReading[] {
  let at = 0
  return targets.map((count) => {
    const vector = buffer.slice(at, (at += DIM))
    const [sentiment = 0, ...towards] = buffer.subarray(at, (at += 1 + count))
    return { vector, sentiment, targets: towards }
  })
}
