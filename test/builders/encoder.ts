import {
  COMPOSED_KINDS,
  composedPassages,
  composedReadings,
  sentimentOfVectors,
} from '../../src/adapters/composed-encoder.ts'
import type { Encoder } from '../../src/ports/encoder.ts'

const sentiment = sentimentOfVectors()

/** What can be put together from whole vectors. */
export type Composed = 'kinds' | 'passages' | 'sentiment' | 'readings'

/** A test double that gives whole vectors, as an encoder: its passages and readings are put together from those. */
export const asEncoder = <Double extends Omit<Encoder, Composed>>(double: Double): Double & Encoder => ({
  kinds: COMPOSED_KINDS,
  sentiment: sentiment.model,
  readings: (sentences) => composedReadings({ ...double, scores: sentiment.scores }, sentences),
  ...double,
  passages: (passages) => composedPassages(double, passages),
})
