import type { Reading } from '../../src/language/analysis/analyse.ts'
import { openRecogniser } from '../../src/language/recogniser/open.ts'
import { openSentiment } from '../../src/language/sentiment/open.ts'
import type { Encoder } from '../../src/ports/encoder.ts'
import { asEncoder } from './encoder.ts'

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
  return asEncoder<Omit<EncoderDouble, 'kinds' | 'passages'>>({
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

/** The recogniser and the sentiment model as they ship, and a double for the encoder. */
export const aReading = (encoder: Encoder = anEncoderDouble()): Reading => ({
  encoder,
  ...openRecogniser(),
  sentiment: openSentiment(),
})
