import type { Span } from '../sentences.ts'
import { endsUnspaced, startsUnspaced } from './words.ts'

/** Signs that are written without a space before them, and without one after them. */
const CLOSING = /^(?:[.,;:!?…)\]}%»”’]|\.{2,}|'s|、|。|，|；|：|？|！|）|」|』|》)$/u
const OPENING = /^[([{«“„¿¡（「『《]$/u
const WIDE = /[\u3000-\u303f\uff00-\uffef]/u

/** Tokens as a text is written, and the place of each in it. */
export function writtenTokens(tokens: readonly string[]): { readonly text: string; readonly spans: readonly Span[] } {
  let text = ''
  const spans = tokens.map((token, i) => {
    if (i > 0 && isSpaced(tokens[i - 1] ?? '', token)) text += ' '
    const start = text.length
    text += token
    return { start, end: text.length }
  })
  return { text, spans }
}

function isSpaced(before: string, token: string): boolean {
  if (CLOSING.test(token) || OPENING.test(before)) return false
  const isUnspaced = (endsUnspaced(before) || WIDE.test(before)) && (startsUnspaced(token) || WIDE.test(token))
  return !isUnspaced
}
