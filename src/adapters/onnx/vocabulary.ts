import { readFile } from 'node:fs/promises'
import * as tokenizers from '@huggingface/tokenizers'
import { remembered } from '../../language/memoize.ts'

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
const CACHED_WORDS = { most: 50_000, longest: 40 }

/**
 * A tokeniser that returns each piece's place, which the library does not. BERT's WordPiece never looks past a word, so
 * every word is tokenised alone and remembered: the same ids as for the whole text, in half the time.
 */
export function placedPieces(idsOf: PieceIds): (text: string) => PlacedPieces {
  const wordIds = remembered(idsOf, CACHED_WORDS)
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
