import { endsHere } from './sentence-end.ts'

/** Character offsets into the text, end exclusive; no blank at either side. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A sentence is never longer (characters): a text without any stop is cut at a comma or a blank before this. */
export const LONGEST_SENTENCE = 1_000

/**
 * Full stops (also of Chinese, Japanese, Burmese and Ethiopic), question marks, ellipses, with the quotes and brackets
 * that close after them; or a line break with the blanks after it (those before it would make the search quadratic); or
 * the place before a bullet.
 */
const STOP = /(?:[.!?…‼⁇⁈⁉؟۔।॥։។]{1,64}|[。！？｡．။።]{1,64})["'”’»›)\]」』）】]{0,8}|[\n\u2028\u2029]\s*|(?=[•▪●■◦‣])/gu

/** The sentences of a text, in order. Linear in its length; every character that is not blank is in exactly one. */
export function sentences(text: string): Span[] {
  const found: Span[] = []
  let start = 0
  for (const stop of text.matchAll(STOP)) {
    const end = tailEnd(text, stop.index + stop[0].length)
    if (!endsHere(text, { start, stop: stop.index, end })) continue
    pushPieces(found, text, { start, end })
    start = end
  }
  pushPieces(found, text, { start, end: text.length })
  return found
}

/** Numbers of footnotes, smileys and emoji belong to the sentence before them. */
const TAIL =
  /(?:\[\d{1,3}\]){0,4}(?: ?[\p{Emoji_Presentation}\u200d\ufe0f\p{Emoji_Modifier}]{1,16}| [:;]-?[)(DP](?!\S)){0,2}/uy

function tailEnd(text: string, end: number): number {
  const at = text.charCodeAt(text.charCodeAt(end) === SPACE ? end + 1 : end)
  if (at !== BRACKET && at !== COLON && at !== SEMICOLON && !(at >= FIRST_EMOJI)) return end
  TAIL.lastIndex = end
  return end + (TAIL.exec(text)?.[0].length ?? 0)
}

const [SPACE, BRACKET, COLON, SEMICOLON, FIRST_EMOJI] = [0x20, 0x5b, 0x3a, 0x3b, 0x231a] as const

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

/** A clause ends within this many characters before the limit: better than between two words. */
const CLAUSE_WITHIN = 300
const CLAUSE_END = /[\n;:,、，；：](?=\s)|[、，；：]/u

/** After the last clause, else the last word of the longest sentence that may begin at `start`; never inside a character. */
function cutBefore(text: string, start: number): number {
  const limit = start + LONGEST_SENTENCE
  for (let at = limit; at > limit - CLAUSE_WITHIN; at--) if (CLAUSE_END.test(text.slice(at - 1, at + 1))) return at
  for (let at = limit; at > start; at--) if (isBlank(text, at)) return at
  for (let at = limit; at > limit - LONGEST_CHARACTER; at--) if (!isInside(text, at)) return at
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

/** A letter with its marks, or an emoji of several parts, in UTF-16 units. */
const LONGEST_CHARACTER = 32
const JOINED = /^[\p{M}\u200d\ufe0f\p{Emoji_Modifier}]/u
const isInside = (text: string, at: number): boolean =>
  isLowSurrogate(text, at) || JOINED.test(text.slice(at, at + 2)) || text[at - 1] === '\u200d'

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
