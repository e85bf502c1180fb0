/** Scripts written without spaces: there each character counts as a word. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}/u

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)?/gu

/** The words of a text as they stand, in order: letters and digits with an apostrophe's ending (`don't`, `council’s`). */
export function wordTokens(text: string): string[] {
  const words = text.match(WORD) ?? []
  return UNSPACED.test(text) ? words.flatMap(splitUnspaced) : words
}

const UNSPACED_OR_REST = new RegExp(`(?:${UNSPACED.source})\\p{M}*|(?:(?!${UNSPACED.source}).)+`, 'gu')

const splitUnspaced = (word: string): string[] => (UNSPACED.test(word) ? (word.match(UNSPACED_OR_REST) ?? []) : [word])
