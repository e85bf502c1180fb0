import type { Encoder, SentenceReading, TargetedSentence } from '../ports/encoder.ts'

/** What whole vectors and whole sentences give: sentence vectors, and a score of each sentence, -1 to 1. */
interface WholeSentences extends Pick<Encoder, 'sentences'> {
  readonly scores: (texts: readonly string[], vectors: readonly Float32Array[]) => Promise<readonly number[]>
}

/** Readings for an encoder that gives whole vectors only: who is meant cannot be seen, each target has the sentence's. */
export async function composedReadings(
  { sentences, scores }: WholeSentences,
  targeted: readonly TargetedSentence[],
): Promise<readonly SentenceReading[]> {
  if (targeted.length === 0) return []
  const texts = targeted.map(({ text }) => text)
  const vectors = await sentences(texts)
  const sentiments = await scores(texts, vectors)
  return targeted.map(({ targets }, i) => {
    const [vector, sentiment] = [vectors[i], sentiments[i]]
    if (vector === undefined || sentiment === undefined)
      throw new Error('The encoder gave fewer vectors than it was given texts')
    return { vector, sentiment, targets: targets.map(() => sentiment) }
  })
}
