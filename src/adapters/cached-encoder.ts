import { join } from 'node:path'
import type { CrossEncoder } from '../ports/cross-encoder.ts'
import type { Encoder, Passage, PassageVectors } from '../ports/encoder.ts'
import { VectorFile } from './vector-file.ts'

/**
 * An encoder that caches its vectors on disk, one file per model. Encoding the same texts again (a fixed test set, for
 * example) takes no model time. The file only grows; delete it to free the space.
 */
export function cachedEncoder(encoder: Encoder, directory: string): Encoder {
  const file = vectorFile(encoder, directory)
  const cached = cachedIn(file)
  return {
    model: encoder.model,
    dim: encoder.dim,
    kinds: encoder.kinds,
    sentences: (items) =>
      cached(
        items,
        (text) => `sentence\0${text}`,
        (texts) => encoder.sentences(texts),
      ),
    leads: (items) =>
      cached(
        items,
        ({ title, body }) => `lead\0${title}\0${body}`,
        (articles) => encoder.leads(articles),
      ),
    passages: (passages) => cachedPassages(encoder, file, passages),
    close: () => encoder.close(),
  }
}

/** A cross-language encoder that caches its vectors, as `cachedEncoder`. */
export function cachedCrossEncoder(encoder: CrossEncoder, directory: string): CrossEncoder {
  const cached = cachedIn(vectorFile(encoder, directory))
  return {
    model: encoder.model,
    dim: encoder.dim,
    encode: (items) =>
      cached(
        items,
        ({ text, language }) => `cross\0${language}\0${text}`,
        (texts) => encoder.encode(texts),
      ),
    close: () => encoder.close(),
  }
}

const vectorFile = ({ model, dim }: Pick<Encoder, 'model' | 'dim'>, directory: string): VectorFile =>
  new VectorFile(join(directory, `${model.replace(/[^\w.-]/g, '_')}.vectors`), dim)

/** Encodes the items whose vectors are missing, and adds these to the file. */
const cachedIn =
  (file: VectorFile) =>
  async <Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    encode: (items: readonly Item[]) => Promise<readonly Float32Array[]>,
  ): Promise<readonly Float32Array[]> => {
    await file.open()
    const keys = items.map(keyOf)
    const missing = new Map(keys.flatMap((key, i) => (file.get(key) === undefined ? [[key, i] as const] : [])))
    const missed = [...missing.values()].flatMap((i) => items[i] ?? [])
    const fresh = missed.length > 0 ? await encode(missed) : []
    await file.add([...missing.keys()].map((key, i) => [key, vectorAt(fresh, i)]))
    return keys.map((key) => file.get(key) ?? vectorAt([], 0))
  }

function vectorAt(vectors: readonly Float32Array[], i: number): Float32Array {
  const vector = vectors[i]
  if (vector === undefined) throw new Error('The encoder returned fewer vectors than texts')
  return vector
}

type Passages = Pick<Encoder, 'dim' | 'kinds' | 'passages'>

/** Returns passages from the file. A passage with any vector missing is encoded and appended. */
async function cachedPassages(
  encoder: Passages,
  file: VectorFile,
  passages: readonly Passage[],
): Promise<readonly PassageVectors[]> {
  await file.open()
  const keyed = passages.map((passage) => ({ passage, keys: keysOf(encoder.kinds, passage) }))
  const missing = keyed.filter(({ keys }) => keys.some((key) => file.get(key) === undefined))
  const once = [...new Map(missing.map((one) => [one.keys.join('\0'), one])).values()]
  const fresh = once.length > 0 ? await encoder.passages(once.map(({ passage }) => passage)) : []
  await file.add(once.flatMap(({ keys }, i) => entries(keys, rowsOf(fresh[i], encoder.dim))))
  return keyed.map(({ keys }) => vectorsOf(keys.map((key) => file.get(key))))
}

/** Cache keys of title, lead, article and each term, in this order. */
function keysOf({ article, term }: Encoder['kinds'], { title, sentences, terms }: Passage): readonly string[] {
  const text = JSON.stringify([title, sentences])
  const ofTerms = terms.map(({ sentence, start, end }) => `passage ${term} ${sentence} ${start} ${end}\0${text}`)
  return [`passage title\0${text}`, `passage lead\0${text}`, `passage ${article}\0${text}`, ...ofTerms]
}

const entries = (keys: readonly string[], rows: readonly Float32Array[]): (readonly [string, Float32Array])[] =>
  rows.map((row, i) => [keys[i] ?? '', row])

/** A term without a vector is stored as zeros; a unit vector is never all zeros. */
function rowsOf(vectors: PassageVectors | undefined, dim: number): readonly Float32Array[] {
  if (vectors === undefined) throw new Error('The encoder returned fewer passages than requested')
  const { title, lead, article, terms } = vectors
  return [title, lead, article, ...terms.map((term) => term ?? new Float32Array(dim))]
}

function vectorsOf([title, lead, article, ...terms]: readonly (Float32Array | undefined)[]): PassageVectors {
  if (title === undefined || lead === undefined || article === undefined)
    throw new Error('The encoder returned fewer vectors than texts')
  return { title, lead, article, terms: terms.map((term) => (term?.some((value) => value !== 0) ? term : null)) }
}
