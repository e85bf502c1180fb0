import { openSentiment } from '../language/sentiment/sentiment.ts'
import type { Encoder } from '../ports/encoder.ts'
import type { Reader, Tagger } from '../ports/reader.ts'

/** Sentiment of whole sentences, -1 to 1. */
export interface SentenceSentiments {
  /** Name and hash of the weights, or the model behind an endpoint. */
  readonly model: string
  scores(texts: readonly string[], vectors: readonly Float32Array[]): Promise<readonly number[]>
}

interface ReaderParts {
  readonly tagger: Tagger
  readonly encoder: Pick<Encoder, 'model' | 'dim' | 'sentences'>
  readonly sentiments: SentenceSentiments
}

/** Maximum number of sentences of an article that are read: an endpoint for sentiment is called for each. */
const MAX_SENTENCES = 100

/** A reader of separate models. Each target gets the sentiment of its sentence. */
export const composedReader = ({ tagger, encoder, sentiments }: ReaderParts): Reader => ({
  models: { encoder: encoder.model, recogniser: tagger.model, sentiment: sentiments.model },
  dim: encoder.dim,
  read: async (all) => {
    const sentences = all.slice(0, MAX_SENTENCES)
    if (sentences.length === 0) return []
    const tags = await tagger.tags(sentences)
    const texts = sentences.slice(0, tags.length).map(({ text }) => text)
    const vectors = await encoder.sentences(texts)
    const scores = await sentiments.scores(texts, vectors)
    return tags.map((own, i) => {
      const [vector, sentence] = [vectors[i], scores[i]]
      if (vector === undefined || sentence === undefined)
        throw new Error('The encoder returned fewer results than sentences')
      return { tags: own, vector, sentiment: (targets) => ({ sentence, targets: targets.map(() => sentence) }) }
    })
  },
})

/** The reader, with the tags of another model. */
export const taggedBy = (tagger: Tagger, reader: Reader): Reader => ({
  ...reader,
  models: { ...reader.models, recogniser: tagger.model },
  read: async (sentences) => {
    const [tags, readings] = await Promise.all([tagger.tags(sentences), reader.read(sentences)])
    return readings.map((reading, i) => ({ ...reading, tags: tags[i] ?? reading.tags }))
  },
})

/** The names that a reader finds. */
export const taggerOf = (reader: Reader): Tagger => ({
  model: reader.models.recogniser,
  tags: async (sentences) => (await reader.read(sentences)).map(({ tags }) => tags),
})

/** Scores sentences from their vectors and words, for encoders that do not expose token states. */
export function sentimentOfVectors(): SentenceSentiments {
  const sentiment = openSentiment()
  return {
    model: sentiment.model,
    scores: (texts, vectors) =>
      Promise.resolve(texts.map((text, i) => sentiment.score(vectors[i] ?? new Float32Array(), text))),
  }
}
