import { ENCODED_SENTENCES } from '../language/analysis/analyse.ts'
import { meanVector } from '../language/vectors.ts'
import { sentences } from '../language/sentences.ts'
import type { Encoder } from '../ports/encoder.ts'
import { keptLeads } from './kept-leads.ts'

export interface StanceVectors {
  /** Each text's vector as Layer 1 makes an article's: float32[384], unit length, the mean of its sentences; in order. */
  readonly means: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  /** Writes what was encoded since, if anything was. */
  readonly save: () => void
}

const AT_ONCE = 64

/** Kept over runs in a folder: the same labelled sets again cost no model time. */
export function stanceVectors(encoder: Pick<Encoder, 'model' | 'dim' | 'sentences'>, folder: string): StanceVectors {
  const kept = keptLeads(
    {
      model: `${encoder.model}-sentence-mean`,
      dim: encoder.dim,
      leads: async (articles) => {
        const vectors: Float32Array[] = []
        for (let from = 0; from < articles.length; from += AT_ONCE)
          vectors.push(
            ...(await meansOf(
              encoder,
              articles.slice(from, from + AT_ONCE).map(({ body }) => body),
            )),
          )
        return vectors
      },
    },
    folder,
  )
  return {
    means: (texts) => kept.leads(texts.map((body) => ({ title: '', body }))),
    save: () => kept.save(),
  }
}

/** All their sentences at once, since a post has few. */
async function meansOf(
  encoder: Pick<Encoder, 'dim' | 'sentences'>,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const spans = texts.map((text) => sentences(text).slice(0, ENCODED_SENTENCES))
  const parts = texts.map((text, i) => (spans[i] ?? []).map(({ start, end }) => text.slice(start, end)))
  const vectors = await encoder.sentences(parts.flat())
  let next = 0
  return parts.map((part) => {
    const own = vectors.slice(next, (next += part.length))
    return meanVector(
      own,
      part.map(({ length }) => length),
      encoder.dim,
    )
  })
}
