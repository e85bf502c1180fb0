import type { Passage, PassageVectors } from '../../ports/encoder.ts'
import { DIM } from '../vectors.ts'

/** A request to an encoder process. */
export type OnnxWork =
  | EncoderWork
  | CrossWork
  | { readonly kind: 'read'; readonly article: OnnxArticle }
  | { readonly kind: 'cross-read'; readonly sentences: readonly SpacedSentence[] }

/** A request to the encoder, a part of a call. */
export type EncoderWork =
  | { readonly kind: 'sentences'; readonly items: readonly string[] }
  | { readonly kind: 'leads'; readonly items: readonly OnnxLead[] }
  | { readonly kind: 'passages'; readonly items: readonly Passage[] }

/** A request to the encoder of all languages. */
export interface CrossWork {
  readonly kind: 'cross'
  readonly items: readonly string[]
}

export interface OnnxArticle {
  /** Words of each sentence. */
  readonly sentences: readonly (readonly string[])[]
  /** Features of all words, as of `articleFeatures`. */
  readonly features: Uint8Array
}

/** A sentence as it is written, and the character offset at which each of its words ends. */
export interface SpacedSentence {
  readonly text: string
  readonly ends: readonly number[]
}

/** What the reader's network says of a sentence. */
export interface ReadStates {
  /** The tag of each word. */
  readonly tags: Uint8Array
  /** Number of pieces of each word. */
  readonly pieces: readonly number[]
  /** float32[DIM], unit length: the mean of the sentence's pieces. */
  readonly vector: Float32Array
  /** Output of the sentiment graph for each piece, float32[piece, width]. */
  readonly mapped: Float32Array
}

export interface OnnxLead {
  readonly title: string
  readonly body: string
}

/** A message from an encoder process: `ready` first, then one response per request. */
export type OnnxAnswer =
  | { readonly kind: 'ready' }
  /**
   * One row of `DIM` components per item. For the layout of other kinds see `packed` and `packedStates`. A single
   * buffer needs a single copy.
   */
  | { readonly kind: 'vectors'; readonly rows: Float32Array }
  | { readonly kind: 'failed'; readonly message: string }

/** Characters that fill one window. */
const WINDOW_CHARS = 600
/** About 40 ms of work: long enough that the message overhead does not matter, short enough to distribute evenly. */
const PIECE_CHARS = 4 * WINDOW_CHARS
const PIECE_ITEMS = 32

/** Splits a call into pieces of about equal work, in order. */
export function pieces(kind: 'sentences', items: readonly string[]): EncoderWork[]
export function pieces(kind: 'cross', items: readonly string[]): CrossWork[]
export function pieces(kind: 'leads', items: readonly OnnxLead[]): EncoderWork[]
export function pieces(kind: 'passages', items: readonly Passage[]): EncoderWork[]
export function pieces(
  kind: EncoderWork['kind'] | CrossWork['kind'],
  items: readonly Item[],
): (EncoderWork | CrossWork)[] {
  const cut: Item[][] = []
  let size = Infinity
  for (const item of items) {
    const current = cut.at(-1)
    const chars = charsOf(item)
    if (current === undefined || size + chars > PIECE_CHARS || current.length >= PIECE_ITEMS) {
      cut.push([item])
      size = chars
    } else {
      current.push(item)
      size += chars
    }
  }
  return cut.map((piece) => ({ kind, items: piece }) as EncoderWork | CrossWork)
}

type Item = string | OnnxLead | Passage

function charsOf(item: Item): number {
  if (typeof item === 'string') return Math.min(WINDOW_CHARS, item.length)
  if ('body' in item) return Math.min(WINDOW_CHARS, item.title.length + item.body.length)
  const body = item.sentences.reduce((sum, sentence) => sum + sentence.length, 0)
  const title = Math.min(WINDOW_CHARS, item.title.length)
  return title + Math.min(WINDOW_CHARS, title + body) // the title is read twice: alone and before the body
}

/**
 * Packs what was read of an article into one buffer: the number of sentences, then for each sentence the tag and the
 * number of pieces of each word, its vector, and the outputs of the sentiment graph for its pieces.
 */
export function packedStates(sentences: readonly ReadStates[]): Float32Array {
  const size = sentences.reduce((sum, { tags, mapped }) => sum + 2 * tags.length + DIM + mapped.length, 1)
  const buffer = new Float32Array(size)
  buffer[0] = sentences.length
  let at = 1
  for (const values of sentences.flatMap(({ tags, pieces, vector, mapped }) => [tags, pieces, vector, mapped])) {
    buffer.set(values, at)
    at += values.length
  }
  return buffer
}

/**
 * Unpacks what was read of an article. `words`: number of words of each sentence of the request; `width`: components of
 * the sentiment graph's output. Each vector gets its own memory; `mapped` is a view.
 */
export function unpackedStates(buffer: Float32Array, words: readonly number[], width: number): ReadStates[] {
  let at = 1
  const next = (length: number): Float32Array => buffer.subarray(at, (at += length))
  return words.slice(0, buffer[0]).map((count) => {
    const [tags, pieces, vector] = [Uint8Array.from(next(count)), Array.from(next(count)), next(DIM).slice()]
    return { tags, pieces, vector, mapped: next(width * pieces.reduce((sum, each) => sum + each, 0)) }
  })
}

/**
 * Packs passages into one buffer, one after another: a flag per term (1 if it has a vector, else 0), then the vectors
 * of title, lead, article and those terms, `DIM` components each.
 */
export function packed(passages: readonly PassageVectors[]): Float32Array {
  const parts = passages.map(({ title, lead, article, terms }) => ({
    flags: terms.map((term) => (term === null ? 0 : 1)),
    rows: [title, lead, article, ...terms.filter((term) => term !== null)],
  }))
  const size = parts.reduce((sum, { flags, rows }) => sum + flags.length + rows.length * DIM, 0)
  const buffer = new Float32Array(size)
  let at = 0
  for (const values of parts.flatMap(({ flags, rows }) => [flags, ...rows])) {
    buffer.set(values, at)
    at += values.length
  }
  return buffer
}

/** Unpacks passages; `terms` is the number of terms of each passage. Each vector gets its own memory. */
export function unpacked(buffer: Float32Array, terms: readonly number[]): PassageVectors[] {
  let at = 0
  const row = (): Float32Array => buffer.slice(at, (at += DIM))
  return terms.map((count) => {
    const flags = buffer.subarray(at, (at += count))
    const [title, lead, article] = [row(), row(), row()]
    return { title, lead, article, terms: Array.from(flags, (flag) => (flag === 1 ? row() : null)) }
  })
}
