import { composedReader, sentimentOfVectors } from '../../src/adapters/composed-reader.ts'
import type { ReadingTools } from '../../src/language/analysis/analyse.ts'
import { openQuickFiles, quickTagger } from '../../src/language/recogniser/quick-tagger.ts'
import type { Encoder } from '../../src/ports/encoder.ts'
import { asEncoder, type Composed } from './encoder.ts'

/** A test double: a text's vector follows from its characters alone, unit length; it counts how often it was asked. */
export interface EncoderDouble extends Encoder {
  readonly calls: string[][]
}

export function anEncoderDouble(dim = 384): EncoderDouble {
  const calls: string[][] = []
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float32Array(dim)
    for (const letter of text) {
      const at = (letter.codePointAt(0) ?? 0) % dim
      vector[at] = (vector[at] ?? 0) + 1
    }
    const length = Math.hypot(...vector) || 1
    return vector.map((value) => value / length)
  }
  return asEncoder<Omit<EncoderDouble, Composed>>({
    calls,
    model: 'encoder-double',
    dim,
    sentences: async (texts) => {
      calls.push([...texts])
      return texts.map(vectorOf)
    },
    leads: async (articles) => articles.map(({ title, body }) => vectorOf(`${title} ${body}`)),
    close: async () => undefined,
  })
}

const quick = openQuickFiles()
const sentiments = sentimentOfVectors()
const tagger = quickTagger(quick.model, quick.files)

/** As Layer 1 ships but for the models: a double for the encoder, and names without a language model. */
export const aReading = (encoder: Encoder = anEncoderDouble()): ReadingTools => ({
  encoder,
  reader: composedReader({ tagger, encoder, sentiments }),
  crossReader: null,
  lists: quick.files,
})
