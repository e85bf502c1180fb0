import type { SentenceReading, PassageVectors } from '../../ports/encoder.ts'
import { DIM } from '../vectors.ts'

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

/**
 * Passages as one buffer, one after the other: a one for each term that has a vector and a zero for each that has none;
 * then title, lead, article and the vectors of those terms, `DIM` components each.
 */
export function packed(passages: readonly PassageVectors[]): Float32Array {
  const parts = passages.map(({ title, lead, article, terms }) => ({
    flags: terms.map((term) => (term === null ? 0 : 1)),
    rows: [title, lead, article, ...terms.filter((term) => term !== null)],
  }))
  const size = parts.reduce((sum, { flags, rows }) => sum + flags.length + rows.length * DIM, 0)
  const buffer = new Float32Array(size)
  let at = 0
  for (const values of parts.flatMap(({ flags, rows }) => [flags, ...rows])) {
    buffer.set(values, at)
    at += values.length
  }
  return buffer
}

/** What was packed, by the count of terms that each passage asked for. Each vector has memory of its own. */
export function unpacked(buffer: Float32Array, terms: readonly number[]): PassageVectors[] {
  let at = 0
  const row = (): Float32Array => buffer.slice(at, (at += DIM))
  return terms.map((count) => {
    const flags = buffer.subarray(at, (at += count))
    const [title, lead, article] = [row(), row(), row()]
    return { title, lead, article, terms: Array.from(flags, (flag) => (flag === 1 ? row() : null)) }
  })
}
