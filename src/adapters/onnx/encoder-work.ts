import type { Passage, TargetedSentence, SentenceReading, PassageVectors } from '../../ports/encoder.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { DIM } from '../vectors.ts'

/** A request to an encoder process. */
export type OnnxWork =
  | { readonly kind: 'sentences'; readonly items: readonly string[] }
  | { readonly kind: 'leads'; readonly items: readonly OnnxLead[] }
  | { readonly kind: 'passages'; readonly items: readonly Passage[] }
  | { readonly kind: 'readings'; readonly items: readonly TargetedSentence[] }
  /**
   * Each item is the sentences of an article. The result: per item, the number of sentences tagged, then the tags of
   * their words.
   */
  | { readonly kind: 'tags'; readonly items: readonly (readonly SentenceWords[])[] }

export interface OnnxLead {
  readonly title: string
  readonly body: string
}

/** A message from an encoder process: `ready` first, then one response per request. */
export type OnnxAnswer =
  | { readonly kind: 'ready' }
  /**
   * One row of `DIM` components per item. For the layout of other kinds see `packed` and `packedReadings`. A single
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
export function pieces(kind: 'sentences', items: readonly string[]): OnnxWork[]
export function pieces(kind: 'leads', items: readonly OnnxLead[]): OnnxWork[]
export function pieces(kind: 'passages', items: readonly Passage[]): OnnxWork[]
export function pieces(kind: 'readings', items: readonly TargetedSentence[]): OnnxWork[]
export function pieces(kind: OnnxWork['kind'], items: readonly Item[]): OnnxWork[] {
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
  return cut.map((piece) => ({ kind, items: piece }) as OnnxWork)
}

type Item = string | OnnxLead | Passage | TargetedSentence

function charsOf(item: Item): number {
  if (typeof item === 'string') return Math.min(WINDOW_CHARS, item.length)
  if ('text' in item) return Math.min(WINDOW_CHARS, item.text.length)
  if ('body' in item) return Math.min(WINDOW_CHARS, item.title.length + item.body.length)
  const body = item.sentences.reduce((sum, sentence) => sum + sentence.length, 0)
  const title = Math.min(WINDOW_CHARS, item.title.length)
  return title + Math.min(WINDOW_CHARS, title + body) // the title is read twice: alone and before the body
}

/** Enough characters to distinguish articles. */
const CHARS = 200

/** The key of an article: the first non-space characters of its first sentence, given as text or as words. */
export const topicOf = (sentence: string | readonly string[] | undefined): string =>
  (typeof sentence === 'string' ? sentence.replace(/\s+/gu, '') : (sentence ?? []).join('')).slice(0, CHARS)

/** Packs readings into one buffer, one after another: vector, sentiment of the sentence, sentiment of each target. */
export function packedReadings(readings: readonly SentenceReading[]): Float32Array {
  const size = readings.reduce((sum, { targets }) => sum + DIM + 1 + targets.length, 0)
  const buffer = new Float32Array(size)
  let at = 0
  for (const { vector, sentiment, targets } of readings) {
    buffer.set(vector, at)
    buffer.set([sentiment, ...targets], at + DIM)
    at += DIM + 1 + targets.length
  }
  return buffer
}

/** Unpacks readings; `targets` is the number of targets of each sentence. Each vector gets its own memory. */
export function unpackedReadings(buffer: Float32Array, targets: readonly number[]): SentenceReading[] {
  let at = 0
  return targets.map((count) => {
    const vector = buffer.slice(at, (at += DIM))
    const [sentiment = 0, ...towards] = buffer.subarray(at, (at += 1 + count))
    return { vector, sentiment, targets: towards }
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
