/** What the bench sends to a serving process. */
export type Order =
  | { readonly kind: 'serve' }
  /** Bare `node:http` with the bytes and headers of an answer, one after the other as the wire had them. */
  | { readonly kind: 'serve bare'; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly kind: 'usage' }

export type ServerMessage =
  /** `key`: of the Enterprise tier; empty where none is asked for. */
  | { readonly kind: 'serving'; readonly port: number; readonly key: string }
  /** CPU so far, microseconds. */
  | { readonly kind: 'usage'; readonly us: number }
