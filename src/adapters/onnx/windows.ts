import type { Passage, Term } from '../../ports/encoder.ts'
import type { OnnxLead } from './encoder-work.ts'
import type { PieceIds, PlacedPieces } from './vocabulary.ts'

/** Word pieces of one window, without its two special tokens. */
export const WINDOW = 126
/** Maximum number of title pieces in a window. */
const TITLE = 60

/** More characters than a window can hold. The rest is not tokenised. */
export const READ_CHARS = 1_200

/** Piece ids of a text encoded alone. */
export const sentenceWindow = (pieces: PieceIds, text: string): readonly number[] =>
  pieces(text.slice(0, READ_CHARS)).slice(0, WINDOW)

/** Piece ids of a title, followed by as much of the body as fits. */
export function leadWindow(pieces: PieceIds, { title, body }: OnnxLead): readonly number[] {
  const head = title === '' ? [] : pieces(title.slice(0, READ_CHARS)).slice(0, TITLE)
  return [...head, ...pieces(body.slice(0, READ_CHARS))].slice(0, WINDOW)
}

/** A piece in a window: its id and its character offsets in its sentence. Sentence -1 is the title. */
interface WindowPiece {
  readonly id: number
  readonly sentence: number
  readonly start: number
  readonly end: number
}

/** The lead window of a passage: the same pieces as `leadWindow`, with the offsets of each. */
export function passageWindow(
  pieces: (text: string) => PlacedPieces,
  { title, sentences }: Pick<Passage, 'title' | 'sentences'>,
): readonly WindowPiece[] {
  const head = inSentences(pieces(title.slice(0, READ_CHARS)), [title])
  const body = inSentences(pieces(sentences.join(' ').slice(0, READ_CHARS)), sentences)
  return [...head.slice(0, TITLE).map((piece) => ({ ...piece, sentence: -1 })), ...body].slice(0, WINDOW)
}

/** Maps the pieces of sentences joined by a space to offsets within each sentence. */
function inSentences({ ids, starts, ends }: PlacedPieces, sentences: readonly string[]): WindowPiece[] {
  let [sentence, offset] = [0, 0]
  return ids.map((id, i) => {
    const start = starts[i] ?? 0
    for (let length = sentences[sentence]?.length ?? Infinity; start >= offset + length;) {
      offset += length + 1
      length = sentences[++sentence]?.length ?? Infinity
    }
    return { id, sentence, start: start - offset, end: (ends[i] ?? 0) - offset }
  })
}

/** Window positions of a term's pieces. Empty if the term ends after the window. */
export function termPositions(window: readonly WindowPiece[], { sentence, start, end }: Term): readonly number[] {
  const found = window.flatMap((piece, position) =>
    piece.sentence === sentence && piece.start < end && piece.end > start ? [position] : [],
  )
  return (window[found.at(-1) ?? -1]?.end ?? -1) >= end ? found : []
}
