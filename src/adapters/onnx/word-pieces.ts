/** Word pieces of a text and where they stand in it: character offsets, end exclusive. One entry a piece in each list. */
export interface PlacedPieces {
  readonly ids: readonly number[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Piece ids of a text, without the marks at its ends. */
export type PieceIds = (text: string) => readonly number[]

/** What BERT's normaliser makes a blank of; a form feed, say, it drops, and the words grow together. */
const CHUNK = /[^\t\n\r\p{Z}]+/gu
/** BERT's pre-tokeniser: a punctuation mark is a word of its own. */
const WORD = /[\p{P}!-/:-@[-`{-~]|[^\p{P}!-/:-@[-`{-~]+/gu

/** A mark of the model's own (`[SEP]`) may be in it, or a letter whose small form hangs on its neighbours. */
const ENTANGLED = /[[\u03a3]/u

/** Most of what newspapers say is said in so many words. */
const CACHED_WORDS = 50_000
const LONGEST_CACHED = 40

/**
 * A tokeniser that returns each piece's place, which the library does not. BERT's WordPiece never looks past a word, so
 * every word is tokenised alone and remembered: the same ids as for the whole text, in half the time.
 */
export function placedPieces(idsOf: PieceIds): (text: string) => PlacedPieces {
  const wordIds = remembered(idsOf)
  return (text) => {
    const ids: number[] = []
    const starts: number[] = []
    const ends: number[] = []
    const add = (word: string, start: number): void => {
      for (const id of wordIds(word)) {
        ids.push(id)
        starts.push(start)
        ends.push(start + word.length)
      }
    }
    for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
      if (ENTANGLED.test(chunk)) add(chunk, index)
      else for (const word of chunk.matchAll(WORD)) add(word[0], index + word.index)
    }
    return { ids, starts, ends }
  }
}

function remembered(idsOf: PieceIds): PieceIds {
  const known = new Map<string, readonly number[]>()
  return (word) => {
    const found = known.get(word)
    if (found !== undefined) return found
    const ids = idsOf(word)
    if (known.size >= CACHED_WORDS) known.clear()
    if (word.length <= LONGEST_CACHED) known.set(word, ids)
    return ids
  }
}
