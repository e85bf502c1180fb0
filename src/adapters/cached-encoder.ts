import { join } from 'node:path'
import type { Encoder } from '../ports/encoder.ts'
import { cachedPassages } from './cached-passages.ts'
import { VectorFile } from './vector-file.ts'

/**
 * An encoder that remembers on disk what it has once encoded, one file a model: the same texts again (a fixed subset
 * in a check, say) cost no model time. The file only grows: delete it to free the space.
 */
export function cachedEncoder(encoder: Encoder, directory: string): Encoder {
  const file = new VectorFile(join(directory, `${encoder.model.replace(/[^\w.-]/g, '_')}.vectors`), encoder.dim)

  const remembered = async <Item>({
    items,
    keyOf,
    encode,
  }: CachedEncoderOptions<Item>): Promise<readonly Float32Array[]> => {
    await file.open()
    const keys = items.map(keyOf)
    const missing = new Map(keys.flatMap((key, i) => (file.get(key) === undefined ? [[key, i] as const] : [])))
    const missed = [...missing.values()].flatMap((i) => items[i] ?? [])
    const fresh = missed.length > 0 ? await encode(missed) : []
    await file.add([...missing.keys()].map((key, i) => [key, vectorAt(fresh, i)]))
    return keys.map((key) => file.get(key) ?? vectorAt([], 0))
  }

  return {
    model: encoder.model,
    dim: encoder.dim,
    kinds: encoder.kinds,
    sentences: (items) =>
      remembered({
        items,
        keyOf: (text) => `sentence\0${text}`,
        encode: (texts) => encoder.sentences(texts),
      }),
    leads: (items) =>
      remembered({
        items,
        keyOf: ({ title, body }) => `lead\0${title}\0${body}`,
        encode: (articles) => encoder.leads(articles),
      }),
    passages: (passages) => cachedPassages(encoder, file, passages),
    sentiment: encoder.sentiment,
    // What a reading says of its targets is made of states that the file does not keep.
    readings: (sentences) => encoder.readings(sentences),
    close: () => encoder.close(),
  }
}

interface CachedEncoderOptions<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly encode: (items: readonly Item[]) => Promise<readonly Float32Array[]>
}

function vectorAt(vectors: readonly Float32Array[], i: number): Float32Array {
  const vector = vectors[i]
  if (vector === undefined) throw new Error('The encoder gave fewer vectors than it was given texts')
  return vector
}
