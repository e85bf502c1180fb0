import { COMPOSED_KINDS, composedPassages } from '../../src/adapters/composed-encoder.ts'
import type { Encoder } from '../../src/ports/encoder.ts'

/** What can be put together from whole vectors. */
export type Composed = 'kinds' | 'passages'

/** A test double that gives whole vectors, as an encoder: its passages are put together from those. */
export const asEncoder = <Double extends Omit<Encoder, Composed>>(double: Double): Double & Encoder => ({
  kinds: COMPOSED_KINDS,
  ...double,
  passages: (passages) => composedPassages(double, passages),
})
