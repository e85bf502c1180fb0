import { words, type Words } from './words.ts'

/** Names are sought in sentences that begin before this many characters: some 1,200 word pieces. */
export const RECOGNISED_CHARS = 7_000
/** Of one sentence only this much is read. */
export const SENTENCE_CHARS = 1_000

/** Character offsets, end exclusive. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** The sentences that are read for names, and their words. */
export interface RecognisedSentence extends TextSpan {
  readonly words: Words
}

/** What is read of a text, given its sentences; linear in its length. */
export const readWords = (text: string, sentences: readonly TextSpan[]): readonly RecognisedSentence[] =>
  sentences
    .filter(({ start }) => start < RECOGNISED_CHARS)
    .map(({ start, end }) => ({ start, end: Math.min(end, start + SENTENCE_CHARS) }))
    .map(({ start, end }) => ({ start, end, words: words(text, start, end) }))
