import { endsHere } from './sentence-end.ts'

/** Character offsets into the text, end exclusive; no blank at either side. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A sentence is never longer (characters): a text without any stop is cut at a blank before this. */
export const LONGEST_SENTENCE = 1_000

/**
 * Full stops (also of Chinese and Japanese), question marks, ellipses, with the quotes and brackets that close after
 * them; or a line break with the blanks after it (those before it would make the search quadratic).
 */
const STOP = /(?:[.!?…‼⁇⁈⁉؟۔।]{1,64}|[。！？｡．]{1,64})["'”’»›)\]」』）】]{0,8}|\n\s*/gu

/** The sentences of a text, in order. Linear in its length; every character that is not blank is in exactly one. */
export function sentences(text: string): Span[] {
  const found: Span[] = []
  let start = 0
  for (const stop of text.matchAll(STOP)) {
    const end = stop.index + stop[0].length
    if (!endsHere(text, { start, stop: stop.index, end })) continue
    pushPieces(found, text, { start, end })
    start = end
  }
  pushPieces(found, text, { start, end: text.length })
  return found
}

function pushPieces(found: Span[], text: string, span: Span): void {
  const { start: first, end } = trimmed(text, span)
  let start = first
  while (end - start > LONGEST_SENTENCE) {
    const cut = cutBefore(text, start)
    found.push(trimmed(text, { start, end: cut }))
    start = trimmed(text, { start: cut, end }).start
  }
  if (end > start) found.push({ start, end })
}

/** The last blank of the longest sentence that may begin at `start`, or its very end; never inside a character. */
function cutBefore(text: string, start: number): number {
  const limit = start + LONGEST_SENTENCE
  for (let at = limit; at > start; at--) if (isBlank(text, at)) return at
  return isLowSurrogate(text, limit) ? limit - 1 : limit
}

function trimmed(text: string, { start, end }: Span): Span {
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return { start, end }
}

const BLANK = /\s/u
const isBlank = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code <= 32 || (code > 127 && BLANK.test(text.charAt(at)))
}
const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
