import type { Passage, TargetedSentence } from '../../ports/encoder.ts'
import type { SentenceWords } from '../../ports/tagger.ts'

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
  /** One row of `dim` components an item, passages and readings as in `packed-rows.ts`; one buffer is one copy over the channel. */
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
