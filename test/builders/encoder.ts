import { composedPassages } from '../../src/adapters/composed-passages.ts'
import type { Encoder } from '../../src/ports/encoder.ts'

/** A test double that gives whole vectors, as an encoder: its passages are put together from those. */
export const asEncoder = <Double extends Omit<Encoder, 'passages'>>(double: Double): Double & Encoder => ({
  ...double,
  passages: async (passages) => await composedPassages(double, passages),
})
