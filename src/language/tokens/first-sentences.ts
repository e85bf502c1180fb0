import type { Span } from '../sentences.ts'

/** A letter outside the Latin blocks counts as this many characters: the encoder reads it as a piece of its own. */
const OTHER_LETTER = 5

function lengthOf(code: number): number {
  if (code <= 32) return 0
  return code > 0x024f ? OTHER_LETTER : 1
}

/** The sentences of a text that begin within its first `limit` Latin characters (blanks not counted), or as many word pieces of another script. */
export function firstSentences(text: string, spans: readonly Span[], limit: number): string[] {
  const found: string[] = []
  let read = 0
  let at = spans[0]?.start ?? 0
  for (const { start, end } of spans) {
    for (; at < start && read < limit; at++) read += lengthOf(text.charCodeAt(at))
    if (read >= limit) break
    found.push(text.slice(start, end))
  }
  return found
}
