import { openSentiment } from '../language/sentiment/sentiment.ts'

/** Scores of sentences from their vectors and words, where the encoder's inner states are not available. */
export function sentimentOfVectors(): {
  readonly model: string
  readonly scores: (texts: readonly string[], vectors: readonly Float32Array[]) => Promise<readonly number[]>
} {
  const sentiment = openSentiment()
  return {
    model: sentiment.model,
    scores: (texts, vectors) =>
      Promise.resolve(texts.map((text, i) => sentiment.score(vectors[i] ?? new Float32Array(), text))),
  }
}
