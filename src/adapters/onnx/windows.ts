import type { OnnxLead } from './messages.ts'
import type { PieceIds } from './word-pieces.ts'

/** Word pieces of one window, without the two marks at its ends. */
export const WINDOW = 126
/** A title's part in a window at most. */
export const TITLE = 60

/** More characters than a window can hold: the rest would be cut in pieces for nothing. */
export const READ_CHARS = 1_200

/** Piece ids of a text encoded alone. */
export const sentenceWindow = (pieces: PieceIds, text: string): readonly number[] =>
  pieces(text.slice(0, READ_CHARS)).slice(0, WINDOW)

/** Piece ids of a title and what fits of the body behind it. */
export function leadWindow(pieces: PieceIds, { title, body }: OnnxLead): readonly number[] {
  const head = title === '' ? [] : pieces(title.slice(0, READ_CHARS)).slice(0, TITLE)
  return [...head, ...pieces(body.slice(0, READ_CHARS))].slice(0, WINDOW)
}
