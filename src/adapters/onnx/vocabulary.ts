import { remembered } from '../../language/memoize.ts'
import { loadTokenizer, marks } from './tokenizer.ts'
import { placedPieces, type PieceIds, type PlacedPieces } from './word-pieces.ts'

/** A model's word pieces: of texts, of single words, and the marks it puts around them. */
export interface PieceVocabulary {
  readonly pieces: (text: string) => PlacedPieces
  readonly idsOf: PieceIds
  /** What stands before and after the pieces of a window. */
  readonly first: number
  readonly last: number
  /** For a word that the tokeniser deletes. */
  readonly unknown: number
}

export async function openVocabulary(tokenizerFile: string): Promise<PieceVocabulary> {
  const tokenizer = await loadTokenizer(tokenizerFile)
  const [first, last] = marks(tokenizer)
  const pieces = placedPieces((text) => tokenizer.encode(text, { add_special_tokens: false }).ids)
  const unknown = tokenizer.token_to_id('[UNK]') ?? first
  return { pieces, idsOf: remembered((word) => pieces(word).ids), first, last, unknown }
}
