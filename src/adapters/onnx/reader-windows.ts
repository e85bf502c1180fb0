import type { PieceVocabulary } from './vocabulary.ts'
import { WINDOW } from './windows.ts'

/** Maximum number of word pieces of an article that are read (the published limit). */
export const READ_PIECES = 1_200
/** Maximum pieces of a word. A longer word is not a name. */
export const WORD_PIECES = 16

/** The word pieces of an article's first sentences, one after another. */
export interface ArticlePieces {
  /** Number of each word's pieces, sentence by sentence. */
  readonly sentences: readonly (readonly number[])[]
  readonly ids: readonly number[]
  /** For each piece, the index of its word over all sentences. */
  readonly words: readonly number[]
}

/** Splits the first sentences into word pieces, up to the limit. The first sentence is always included. */
export function articlePieces(
  sentences: readonly (readonly string[])[],
  { idsOf, unknown }: Pick<PieceVocabulary, 'idsOf' | 'unknown'>,
): ArticlePieces {
  const read: (readonly number[])[] = []
  const ids: number[] = []
  const words: number[] = []
  let word = 0
  for (const texts of sentences) {
    const pieces = texts.map((text) => piecesOf(idsOf(text), unknown))
    const own = pieces.flat()
    if (ids.length + own.length > READ_PIECES && read.length > 0) break
    read.push(pieces.map(({ length }) => length))
    ids.push(...own)
    for (const { length } of pieces) {
      for (let i = 0; i < length; i++) words.push(word)
      word++
    }
  }
  return { sentences: read, ids, words }
}

const piecesOf = (ids: readonly number[], unknown: number): readonly number[] =>
  ids.length === 0 ? [unknown] : ids.slice(0, WORD_PIECES)

/**
 * Where the windows of an article end, as indexes into its pieces: as many whole sentences as fit into each, so that
 * they are context for each other. A sentence longer than a window starts a new one and is cut between words.
 * `sentences`: number of each word's pieces.
 */
export function windowEnds(sentences: ArticlePieces['sentences'], size = WINDOW): readonly number[] {
  const ends: number[] = []
  let [start, at] = [0, 0]
  const endHere = (): void => {
    if (at === start) return
    ends.push(at)
    start = at
  }
  for (const words of sentences) {
    const length = words.reduce((sum, pieces) => sum + pieces, 0)
    if (at + length - start > size) endHere()
    for (const pieces of words) {
      if (at + pieces - start > size) endHere()
      at += pieces
    }
  }
  endHere()
  return ends
}
