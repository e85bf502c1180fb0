import type { Passage, TargetedSentence, SentenceReading, PassageVectors } from '../../ports/encoder.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { DIM } from '../vectors.ts'

/** A request to an encoder process. */
export type OnnxWork =
  | { readonly kind: 'sentences'; readonly items: readonly string[] }
  | { readonly kind: 'leads'; readonly items: readonly OnnxLead[] }
  | { readonly kind: 'passages'; readonly items: readonly Passage[] }
  | { readonly kind: 'readings'; readonly items: readonly TargetedSentence[] }
  /** Each item an article's sentences: tags of its words, sentence by sentence, behind each item's count of sentences. */
  | { readonly kind: 'tags'; readonly items: readonly (readonly SentenceWords[])[] }

export interface OnnxLead {
  readonly title: string
  readonly body: string
}

/** A message of an encoder process: `ready` first, then one answer per request. */
export type OnnxAnswer =
  | { readonly kind: 'ready' }
  /** One row of `DIM` components an item; `packed` and `packedReadings` lay out the others. One buffer is one copy. */
  | { readonly kind: 'vectors'; readonly rows: Float32Array }
  | { readonly kind: 'failed'; readonly message: string }

/** Characters that fill a window. */
const WINDOW_CHARS = 600
/** Work of some forty milliseconds: long enough that sending it costs nothing, short enough to share evenly. */
const PIECE_CHARS = 4 * WINDOW_CHARS
const PIECE_ITEMS = 32

/** A call cut into pieces of about equal work, in order. */
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
  return title + Math.min(WINDOW_CHARS, title + body) // the title is read twice: alone, and before the body
}

/** Enough to distinguish articles. */
const CHARS = 200

/** The key of an article: the visible characters of its first sentence, given as a text or as words. */
export const topicOf = (sentence: string | readonly string[] | undefined): string =>
  (typeof sentence === 'string' ? sentence.replace(/\s+/gu, '') : (sentence ?? []).join('')).slice(0, CHARS)

/** Readings as one buffer, one after the other: the vector, the sentence's sentiment, then that of each target. */
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

/** What was packed, by the count of targets that each sentence asked for. Each vector has memory of its own. */
export function unpackedReadings(buffer: Float32Array, targets: readonly number[]): SentenceReading[] {
  let at = 0
  return targets.map((count) => {
    const vector = buffer.slice(at, (at += DIM))
    const [sentiment = 0, ...towards] = buffer.subarray(at, (at += 1 + count))
    return { vector, sentiment, targets: towards }
  })
}

/**
 * Passages as one buffer, one after the other: a one for each term that has a vector and a zero for each that has none;
 * then title, lead, article and the vectors of those terms, `DIM` components each.
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

/** What was packed, by the count of terms that each passage asked for. Each vector has memory of its own. */
export function unpacked(buffer: Float32Array, terms: readonly number[]): PassageVectors[] {
  let at = 0
  const row = (): Float32Array => buffer.slice(at, (at += DIM))
  return terms.map((count) => {
    const flags = buffer.subarray(at, (at += count))
    const [title, lead, article] = [row(), row(), row()]
    return { title, lead, article, terms: Array.from(flags, (flag) => (flag === 1 ? row() : null)) }
  })
}
