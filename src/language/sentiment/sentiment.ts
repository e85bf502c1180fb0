import { textFeatures } from './text-features.ts'

/** Classes in the order of the weights. */
export const CLASSES = ['negative', 'neutral', 'positive'] as const

/** Multinomial logistic regression over a sentence's vector and its words. */
export interface SentimentWeights {
  readonly dim: number
  /** float32[3 x dim]. */
  readonly vector: readonly Float32Array[]
  /** float32[3 x buckets]: hashed words and pairs of words. */
  readonly text: readonly Float32Array[]
  readonly bias: readonly number[]
}

export interface Sentiment {
  /** Name and hash of the weights: in every event they touched. */
  readonly model: string
  /** P(positive) - P(negative) of a sentence, -1 to 1; `vector` is the encoder's, of the sentence alone. */
  score(vector: Float32Array, sentence: string): number
}

/** Probabilities of negative, neutral and positive; they sum to 1. */
export function probabilities(weights: SentimentWeights, vector: Float32Array, sentence: string): readonly number[] {
  const buckets = textFeatures(sentence)
  const none = new Float32Array()
  const logits = CLASSES.map((_, label) => {
    const text = weights.text[label] ?? none
    const words = buckets.reduce((sum, { bucket, value }) => sum + value * (text[bucket] ?? 0), 0)
    return (weights.bias[label] ?? 0) + words + dot(weights.vector[label] ?? none, vector)
  })
  const most = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

export const sentiment = (model: string, weights: SentimentWeights): Sentiment => ({
  model,
  score: (vector, sentence) => {
    const [negative = 0, , positive = 0] = probabilities(weights, vector, sentence)
    return positive - negative
  },
})
