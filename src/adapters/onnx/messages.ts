import type { Passage, TargetedSentence } from '../../ports/encoder.ts'
import type { SentenceWords } from '../../ports/tagger.ts'

/** What an encoder process is asked. */
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

/** What an encoder process says. `ready` comes first, then one answer for each piece of work. */
export type OnnxAnswer =
  | { readonly kind: 'ready' }
  /** One row of `dim` components an item, passages and readings as `passage-rows.ts` and `reading-rows.ts` pack them; one buffer: one copy over the channel. */
  | { readonly kind: 'vectors'; readonly rows: Float32Array }
  | { readonly kind: 'failed'; readonly message: string }
