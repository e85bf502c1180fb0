import { createHash } from 'node:crypto'
import { withoutFurniture } from './without-furniture.ts'

const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * 16 hex digits of SHA-256 over the body's words: furniture stripped; case, quotes, punctuation and white space folded.
 * Equal for re-prints. A text without a single word is hashed as it stands.
 */
export function semanticHash(text: string): string {
  const body = withoutFurniture(text).join(' ')
  const folded = body.normalize('NFKC').toLowerCase().replace(APOSTROPHES, '').replace(NOT_A_WORD, ' ').trim()
  return createHash('sha256')
    .update(folded === '' ? text : folded, 'utf8')
    .digest('hex')
    .slice(0, 16)
}

/** Inside a word an apostrophe joins, so that `don't`, `don’t` and `dont` are one word. */
const APOSTROPHES = /['’‘ʼ`´]/gu
