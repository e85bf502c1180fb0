import type { SentenceInWords } from '../../ports/reader.ts'
import type { SpacedSentence } from './encoder-work.ts'
import { WORD_PIECES } from './reader-windows.ts'
import type { UnigramPieces } from './unigram.ts'

/** The pieces of a sentence and the words they belong to. */
export interface SentencePieces {
  /** Index of each piece in the vocabulary; -1 for an unknown character. */
  readonly indexes: readonly number[]
  /** For each word, the number of pieces that begin in it: none if the piece before reaches over it. */
  readonly counts: readonly number[]
}

/**
 * Splits a sentence as a whole, so that a piece can join words: "美国", "U.S.". A piece belongs to the first word that
 * it overlaps; a piece between words, to the next one.
 */
export function sentencePieces(split: (text: string) => UnigramPieces, { text, ends }: SpacedSentence): SentencePieces {
  const pieces = split(text)
  const counts = ends.map(() => 0)
  const kept: number[] = []
  let word = 0
  const isBefore = (start: number): boolean => word < ends.length - 1 && (ends[word] ?? 0) <= start
  for (const [i, index] of pieces.indexes.entries()) {
    while (isBefore(pieceStart(i, pieces.ends))) word++
    const count = counts[word] ?? WORD_PIECES // of a sentence without words, nothing is read
    if (count === WORD_PIECES) continue
    counts[word] = count + 1
    kept.push(index)
  }
  return { indexes: kept, counts }
}

/** Where a piece begins: the space before a word is a part of its first piece. */
const pieceStart = (piece: number, ends: readonly number[]): number => ends[piece - 1] ?? 0

/** A sentence of a text for the tokeniser. */
export const spaced = ({ text, start, words }: SentenceInWords): SpacedSentence => ({
  text,
  ends: words.ends.map((end) => end - start),
})
