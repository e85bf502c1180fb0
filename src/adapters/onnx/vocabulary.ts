import { readFile } from 'node:fs/promises'
import * as tokenizers from '@huggingface/tokenizers'
import { remembered } from '../../language/memoize.ts'
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

interface Tokenizer {
  encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: readonly number[] }
  token_to_id(token: string): number | undefined
}

/** The library's own types omit file extensions, so Node's module resolution does not find them. */
const { Tokenizer } = tokenizers as unknown as {
  readonly Tokenizer: new (json: object, config: object) => Tokenizer
}

export async function loadTokenizer(file: string): Promise<Tokenizer> {
  const json = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  // The file pads and cuts to 128 pieces; a window is never padded and cut by us.
  return new Tokenizer({ ...json, padding: null, truncation: null }, {})
}

/** What stands before and after the pieces of a window. */
export function marks(tokenizer: Tokenizer): readonly [number, number] {
  const [first, last] = [tokenizer.token_to_id('[CLS]'), tokenizer.token_to_id('[SEP]')]
  if (first === undefined || last === undefined)
    throw new Error('The tokenizer has no [CLS] and [SEP]: it is not that of a BERT model')
  return [first, last]
}
