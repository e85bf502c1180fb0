import { readFile } from 'node:fs/promises'
import * as tokenizers from '@huggingface/tokenizers'
import { remembered } from '../../language/memoize.ts'

/** The word pieces of a model: of texts and single words, and its special tokens. */
export interface PieceVocabulary {
  readonly pieces: (text: string) => PlacedPieces
  readonly idsOf: PieceIds
  /** Special tokens before and after the pieces of a window. */
  readonly first: number
  readonly last: number
  /** For a word that the tokeniser removes. */
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
  // The file pads and truncates to 128 pieces. Windows are never padded, and we truncate them ourselves.
  return new Tokenizer({ ...json, padding: null, truncation: null }, {})
}

/** The special tokens before and after the pieces of a window. */
export function marks(tokenizer: Tokenizer): readonly [number, number] {
  const [first, last] = [tokenizer.token_to_id('[CLS]'), tokenizer.token_to_id('[SEP]')]
  if (first === undefined || last === undefined)
    throw new Error('The tokenizer has no [CLS] and [SEP]: it is not that of a BERT model')
  return [first, last]
}

/** Word pieces of a text with their character offsets, end exclusive. Each list has one entry per piece. */
export interface PlacedPieces {
  readonly ids: readonly number[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Piece ids of a text, without special tokens. */
export type PieceIds = (text: string) => readonly number[]

/**
 * Characters that BERT's normaliser converts to a space separate words. Others, such as a form feed, are dropped, and
 * the words around them are joined.
 */
const CHUNK = /[^\t\n\r\p{Z}]+/gu
/** BERT's pre-tokeniser: each punctuation mark is a separate word. */
const WORD = /[\p{P}!-/:-@[-`{-~]|[^\p{P}!-/:-@[-`{-~]+/gu

/**
 * The text may contain a special token (`[SEP]`), or a letter whose lower case depends on its neighbours (capital
 * sigma).
 */
const ENTANGLED = /[[\u03a3]/u

/** Most of the words in news text are from a small vocabulary. */
const CACHED_WORDS = { most: 50_000, longest: 40 }

/**
 * A tokeniser that also returns the offsets of each piece, which the library does not. BERT's WordPiece never looks
 * beyond a word, so each word is tokenised alone and cached. The ids are the same as for the whole text, in half the
 * time.
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
