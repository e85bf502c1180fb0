import type { Reading } from '../language/analysis/analyse.ts'
import type { TargetedSentence } from '../ports/encoder.ts'
import type { SentenceWords } from '../ports/tagger.ts'

/** What the models were asked, article by article. */
export interface Asked {
  readonly sentences: (readonly TargetedSentence[])[]
  readonly words: (readonly SentenceWords[])[]
}

/** A reading that notes what it asks of its models, so that each may be asked the same again, alone. */
export function listened({ encoder, tagger, lists }: Reading): {
  readonly reading: Reading
  /** What was asked since the last time. */
  readonly taken: () => Asked
} {
  let asked: Asked = { sentences: [], words: [] }
  return {
    reading: {
      encoder: {
        ...encoder,
        readings: async (sentences) => {
          asked.sentences.push(sentences)
          return await encoder.readings(sentences)
        },
      },
      tagger: {
        ...tagger,
        tags: async (words) => {
          asked.words.push(words)
          return await tagger.tags(words)
        },
      },
      lists,
    },
    taken: () => {
      const given = asked
      asked = { sentences: [], words: [] }
      return given
    },
  }
}
