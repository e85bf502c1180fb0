import type { Lead, Work } from './messages.ts'

/** Characters that fill a window. */
const WINDOW_CHARS = 600
/** Work of some forty milliseconds: long enough that sending it costs nothing, short enough to share evenly. */
const PIECE_CHARS = 4 * WINDOW_CHARS
const PIECE_ITEMS = 32

/** A call cut into pieces of about equal work, in order. */
export function pieces(kind: 'sentences', items: readonly string[]): Work[]
export function pieces(kind: 'leads', items: readonly Lead[]): Work[]
export function pieces(kind: Work['kind'], items: readonly (string | Lead)[]): Work[] {
  const cut: (string | Lead)[][] = []
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
  return cut.map((piece) => ({ kind, items: piece }) as Work)
}

const charsOf = (item: string | Lead): number =>
  Math.min(WINDOW_CHARS, typeof item === 'string' ? item.length : item.title.length + item.body.length)
