import type { SentenceInWords, Words } from '../../ports/reader.ts'
import type { Span } from '../sentences.ts'

/** A letter of a script that is written without spaces between words. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]'

const WORD = new RegExp(`${UNSPACED}\\p{M}*|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+|[^\\s\\p{L}\\p{M}\\p{N}]`, 'gu')
const ENDS_UNSPACED = new RegExp(`${UNSPACED}\\p{M}*$`, 'u')
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u')

/** Whether a text ends or begins with a letter of a script without spaces. */
export const endsUnspaced = (text: string): boolean => ENDS_UNSPACED.test(text)
export const startsUnspaced = (text: string): boolean => STARTS_UNSPACED.test(text)

/**
 * The words of `text.slice(start, end)`: letters and digits together, every other visible character alone, and so is
 * each letter of a script without spaces. Offsets are into the whole text. Linear.
 */
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

/** Sentences that begin before this character are read: about 1,200 word pieces. */
export const RECOGNISED_CHARS = 7_000
/** Maximum number of characters read of one sentence. */
const SENTENCE_CHARS = 1_000

/** The sentences of a text that are read, limited in number and length. */
export const readWords = (text: string, sentences: readonly Span[]): readonly SentenceInWords[] =>
  sentences
    .filter(({ start }) => start < RECOGNISED_CHARS)
    .map(({ start, end }) => sentenceAt(text, start, Math.min(end, start + SENTENCE_CHARS)))

/** A part of a text as a sentence, with its words. */
export const sentenceAt = (text: string, start: number, end: number): SentenceInWords => ({
  ...{ text: text.slice(start, end), start, end },
  words: words(text, start, end),
})
