import type { Span } from '../sentences.ts'

/** Words of a text: letters and digits together, every other visible character alone. */
export interface Words {
  readonly texts: readonly string[]
  /** Character offsets into the whole text, end exclusive. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

const WORD = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu

/** Splits `text.slice(start, end)` at white space and around every punctuation mark; linear. */
export function words(text: string, start: number, end: number): Words {
  const texts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const match of text.slice(start, end).matchAll(WORD)) {
    texts.push(match[0])
    starts.push(start + match.index)
    ends.push(start + match.index + match[0].length)
  }
  return { texts, starts, ends }
}

/** Names are searched for in sentences that begin before this character: about 1,200 word pieces. */
export const RECOGNISED_CHARS = 7_000
/** Maximum number of characters read of one sentence. */
const SENTENCE_CHARS = 1_000

/** The sentences that are searched for names, with their words. */
export interface RecognisedSentence extends Span {
  readonly words: Words
}

/** The sentences that are searched for names, limited in number and length. */
export const readWords = (text: string, sentences: readonly Span[]): readonly RecognisedSentence[] =>
  sentences
    .filter(({ start }) => start < RECOGNISED_CHARS)
    .map(({ start, end }) => ({ start, end: Math.min(end, start + SENTENCE_CHARS) }))
    .map(({ start, end }) => ({ start, end, words: words(text, start, end) }))
