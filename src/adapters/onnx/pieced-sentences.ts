import type { SentenceWords } from '../../ports/tagger.ts'
import type { PieceVocabulary } from './vocabulary.ts'

/** An article is read for names as far as this many word pieces: the published cap. */
const TAGGED_PIECES = 1_200
/** Of a word: what is longer is no name. */
const WORD_PIECES = 16

export interface PiecedSentence {
  readonly words: SentenceWords
  /** Pieces of each word, at least one. */
  readonly pieces: readonly (readonly number[])[]
}

/** The first sentences with the pieces of their words, as many as the cap lets in; of the first one whatever there is. */
export function readPieces(
  sentences: readonly SentenceWords[],
  { idsOf, unknown }: Pick<PieceVocabulary, 'idsOf' | 'unknown'>,
): readonly PiecedSentence[] {
  const piecesOf = (word: string): readonly number[] => {
    const ids = idsOf(word)
    return ids.length === 0 ? [unknown] : ids.slice(0, WORD_PIECES)
  }
  const read: PiecedSentence[] = []
  let count = 0
  for (const words of sentences) {
    const pieces = words.map(piecesOf)
    count += pieces.reduce((sum, { length }) => sum + length, 0)
    if (count > TAGGED_PIECES && read.length > 0) break
    read.push({ words, pieces })
  }
  return read
}
