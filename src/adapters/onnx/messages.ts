import type { Passage } from '../../ports/encoder.ts'

/** What an encoder process is asked. */
export type Work =
  | { readonly kind: 'sentences'; readonly items: readonly string[] }
  | { readonly kind: 'leads'; readonly items: readonly Lead[] }
  | { readonly kind: 'passages'; readonly items: readonly Passage[] }

export interface Lead {
  readonly title: string
  readonly body: string
}

/** What an encoder process says. `ready` comes first, then one answer for each piece of work. */
export type Answer =
  | { readonly kind: 'ready' }
  /** One row of `dim` components an item, passages as `passage-rows.ts` packs them; one buffer: one copy over the channel. */
  | { readonly kind: 'vectors'; readonly rows: Float32Array }
  | { readonly kind: 'failed'; readonly message: string }
