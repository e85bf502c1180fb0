import { COMPOSED_KINDS, composedPassages } from '../../src/adapters/composed-passages.ts'
import type { Encoder } from '../../src/ports/encoder.ts'

/** A test double that gives whole vectors, as an encoder: its passages are put together from those. */
export const asEncoder = <Double extends Omit<Encoder, 'kinds' | 'passages'>>(double: Double): Double & Encoder => ({
  kinds: COMPOSED_KINDS,
  ...double,
  passages: async (passages) => await composedPassages(double, passages),
})
