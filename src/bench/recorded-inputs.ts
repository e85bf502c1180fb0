import type { AnalysisTools } from '../language/analysis/analyse.ts'
import type { TargetedSentence } from '../ports/encoder.ts'
import type { SentenceWords } from '../ports/tagger.ts'

/** What the models were asked, article by article. */
export interface RecordedInputs {
  readonly sentences: (readonly TargetedSentence[])[]
  readonly words: (readonly SentenceWords[])[]
}

/** A reading that notes what it asks of its models, so that each may be asked the same again, alone. */
export function listened({ encoder, tagger, lists }: AnalysisTools): {
  readonly reading: AnalysisTools
  /** What was asked since the last time. */
  readonly taken: () => RecordedInputs
} {
  let inputs: RecordedInputs = { sentences: [], words: [] }
  return {
    reading: {
      encoder: {
        ...encoder,
        readings: async (sentences) => {
          inputs.sentences.push(sentences)
          return encoder.readings(sentences)
        },
      },
      tagger: {
        ...tagger,
        tags: async (words) => {
          inputs.words.push(words)
          return tagger.tags(words)
        },
      },
      lists,
    },
    taken: () => {
      const given = inputs
      inputs = { sentences: [], words: [] }
      return given
    },
  }
}
