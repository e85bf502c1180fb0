import { createHash } from 'node:crypto'
import { withoutFurniture } from './without-furniture.ts'

/** Inside a word an apostrophe joins, so that `don't`, `don’t` and `dont` are one word. */
const APOSTROPHES = /['’‘ʼ`´]/g

/** But single blanks, which stay what they are. */
const ASCII_BETWEEN_WORDS = /[^a-z0-9 \u0080-\uffff]+/g
const BEYOND_ASCII = /[\u0080-\uffff]+/g
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * The body's words, one space between two: furniture stripped; case, quotes, punctuation and white space folded. Empty
 * where the text has not a single word.
 */
export function foldedBody(text: string): string {
  const body = withoutFurniture(text).join(' ').normalize('NFKC').toLowerCase().replace(APOSTROPHES, '')
  return body
    .replace(ASCII_BETWEEN_WORDS, ' ') // nearly all there is; the classes of Unicode cost ten times as much
    .replace(BEYOND_ASCII, (run) => run.replace(NOT_A_WORD, ' '))
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** 16 hex digits of SHA-256 over the folded body. Equal for re-prints. A text without a single word is hashed as it stands. */
export const semanticHash = (text: string): string => hashOf(foldedBody(text) || text)

/** The same for a body that is folded already. */
export const hashOf = (folded: string): string => createHash('sha256').update(folded, 'utf8').digest('hex').slice(0, 16)
