import type { Lead } from './messages.ts'

/** Word pieces of one window, without the two marks at its ends. */
export const WINDOW = 126
/** A title's part in a window at most. */
const TITLE = 60

/** More characters than a window can hold: the rest would be cut in pieces for nothing. */
const READ_CHARS = 1_200

export type Pieces = (text: string) => readonly number[]

/** Piece ids of a text encoded alone. */
export const sentenceWindow = (pieces: Pieces, text: string): readonly number[] =>
  pieces(text.slice(0, READ_CHARS)).slice(0, WINDOW)

/** Piece ids of a title and what fits of the body behind it. */
export function leadWindow(pieces: Pieces, { title, body }: Lead): readonly number[] {
  const head = title === '' ? [] : pieces(title.slice(0, READ_CHARS)).slice(0, TITLE)
  return [...head, ...pieces(body.slice(0, READ_CHARS))].slice(0, WINDOW)
}
