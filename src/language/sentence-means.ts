import type { Encoder } from '../ports/encoder.ts'
import { sentences } from './sentences.ts'
import { meanVector } from './vectors.ts'

/** Maximum number of sentences of a text that are encoded. */
const ENCODED_SENTENCES = 32

/** How `sentenceMeans` computes a vector, as part of its name. */
export const SENTENCE_MEAN = 'sentence-mean'

/**
 * The vector of each text: the mean of its sentences, each encoded alone, by their lengths; float32[dim], unit length.
 * All sentences are encoded in one request, since a post has few.
 */
export async function sentenceMeans(
  { dim, sentences: encode }: Pick<Encoder, 'dim' | 'sentences'>,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const parts = texts.map((text) =>
    sentences(text)
      .slice(0, ENCODED_SENTENCES)
      .map(({ start, end }) => text.slice(start, end)),
  )
  const vectors = await encode(parts.flat())
  let next = 0
  return parts.map((part) => {
    const own = vectors.slice(next, (next += part.length))
    return meanVector(
      own,
      part.map(({ length }) => length),
      dim,
    )
  })
}
