import type { Sentiment } from '../language/sentiment/sentiment.ts'
import type { Encoder, SentenceReading, TargetedSentence } from '../ports/encoder.ts'

/** Readings for an encoder that gives whole vectors only: who is meant cannot be seen, each target has the sentence's. */
export async function composedReadings(
  { sentences, sentiment }: Pick<Encoder, 'sentences'> & { readonly sentiment: Sentiment },
  asked: readonly TargetedSentence[],
): Promise<readonly SentenceReading[]> {
  const vectors = asked.length === 0 ? [] : await sentences(asked.map(({ text }) => text))
  return asked.map(({ text, targets }, i) => {
    const vector = vectors[i]
    if (vector === undefined) throw new Error('The encoder gave fewer vectors than it was given texts')
    const score = sentiment.score(vector, text)
    return { vector, sentiment: score, targets: targets.map(() => score) }
  })
}
