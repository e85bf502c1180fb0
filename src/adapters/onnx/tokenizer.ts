import { readFile } from 'node:fs/promises'
import * as tokenizers from '@huggingface/tokenizers'

interface Tokenizer {
  encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: readonly number[] }
  token_to_id(token: string): number | undefined
}

/** The library's own types name files without their endings, which node's way of resolving does not find. */
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
    throw new Error('The tokenizer knows no [CLS] and [SEP]: not a BERT model’s')
  return [first, last]
}
