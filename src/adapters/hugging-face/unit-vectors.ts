import { z } from 'zod'
import { DIM } from '../vector-rows.ts'

const Answer = z.array(z.array(z.number()).length(DIM))

/** An endpoint's answer as vectors of unit length; throws and says what was wrong with it. */
export function unitVectors(answer: unknown, expected: number): Float32Array[] {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) {
    const first = parsed.error.issues[0]
    throw new Error(
      `The encoder endpoint answered something else than vectors of ${DIM} numbers: ${first?.message ?? ''}`,
    )
  }
  if (parsed.data.length !== expected) {
    throw new Error(`The encoder endpoint answered ${parsed.data.length} vectors for ${expected} texts`)
  }
  return parsed.data.map(unit)
}

function unit(values: readonly number[]): Float32Array {
  const norm = Math.hypot(...values)
  if (!(norm > 0)) throw new Error('The encoder endpoint answered a vector without a direction')
  return Float32Array.from(values, (value) => value / norm)
}
