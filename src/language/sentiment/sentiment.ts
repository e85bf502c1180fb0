import { modelFile, versionOf } from '../model-files.ts'
import { dot, softmax } from '../vectors.ts'
import type { SentimentLabel } from '../../events/articles.ts'

/** Minimum absolute score of a sentiment: positive from +0.15, negative from -0.15. */
export const MIN_POLARITY = 0.15

export function sentimentLabel(score: number): SentimentLabel {
  if (score >= MIN_POLARITY) return 'positive'
  return score <= -MIN_POLARITY ? 'negative' : 'neutral'
}

/** Buckets that words and pairs are hashed into. */
export const TEXT_BUCKETS = 1 << 13
/** Maximum number of words of a sentence that are used. */
const MAX_WORDS = 120
const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?|[!?]/gu

function bucketOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) & (TEXT_BUCKETS - 1)
}

/** Hashed words and pairs of neighbouring words, in lower case, each once; the values form a unit vector. */
export function textFeatures(sentence: string): readonly { readonly bucket: number; readonly value: number }[] {
  const words: string[] = []
  for (const [word] of sentence.matchAll(WORD)) {
    if (words.length === MAX_WORDS) break
    words.push(word.toLowerCase().replace('’', "'"))
  }
  const pairs = words.slice(1).map((word, i) => `${words[i] ?? ''} ${word}`)
  const buckets = new Set([...words, ...pairs].map(bucketOf))
  const value = buckets.size === 0 ? 0 : 1 / Math.sqrt(buckets.size)
  return [...buckets].map((bucket) => ({ bucket, value }))
}

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

interface Sentiment {
  /** Name and hash of the weights, recorded in every event that used them. */
  readonly model: string
  /** P(positive) - P(negative) of a sentence, -1 to 1; `vector` is the encoder's for the sentence alone. */
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
  return softmax(logits)
}

export const sentiment = (model: string, weights: SentimentWeights): Sentiment => ({
  model,
  score: (vector, sentence) => {
    const [negative = 0, , positive = 0] = probabilities(weights, vector, sentence)
    return positive - negative
  },
})

/** The file, little-endian: dim and buckets (uint32), then for each class bias, vector and text weights (float32). */
export function serializeSentiment({ dim, vector, text, bias }: SentimentWeights): Buffer {
  const buckets = text[0]?.length ?? 0
  const head = Buffer.alloc(8)
  head.writeUInt32LE(dim, 0)
  head.writeUInt32LE(buckets, 4)
  const rows = CLASSES.map((_, label) => {
    const row = Float32Array.from([bias[label] ?? 0, ...(vector[label] ?? []), ...(text[label] ?? [])])
    return Buffer.from(row.buffer)
  })
  return Buffer.concat([head, ...rows])
}

export function parseSentiment(file: Buffer): SentimentWeights {
  const dim = file.readUInt32LE(0)
  const buckets = file.readUInt32LE(4)
  const width = 1 + dim + buckets
  if (file.length !== 8 + CLASSES.length * width * 4) throw new Error(`The sentiment weights have ${file.length} bytes`)
  const rows = CLASSES.map((_, label) =>
    Float32Array.from({ length: width }, (_, i) => file.readFloatLE(8 + (label * width + i) * 4)),
  )
  return {
    dim,
    bias: rows.map((row) => row[0] ?? 0),
    vector: rows.map((row) => row.subarray(1, 1 + dim)),
    text: rows.map((row) => row.subarray(1 + dim)),
  }
}

/** Loads the model for a sentence's vector and words, with its committed weights. */
export function openSentiment(): Sentiment {
  const file = modelFile('sentiment/sentiment.bin.gz')
  return sentiment(`logit:${versionOf(file)}`, parseSentiment(file))
}
