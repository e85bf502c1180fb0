import { linesOf } from './labelled-file.ts'

/** Sentences that stay together, about an article's: names are read in the company of their neighbours. */
const TOGETHER = 24

/** Every so-many-th group of sentences of a BIO file, always the same ones. */
export const everyGroupOfSentences = (text: string, every: number): string =>
  linesOf(text)
    .join('\n')
    .split(/\n\n+/)
    .filter((_, i) => Math.floor(i / TOGETHER) % every === 0)
    .join('\n\n')

/** Every so-many-th line, always the same ones. */
export const everyLine = (text: string, every: number): string =>
  linesOf(text)
    .filter((_, i) => i % every === 0)
    .join('\n')
