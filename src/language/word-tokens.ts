import { IN_WORD, kindAt, LETTER, MARK, UNSPACED, unitsAt } from './characters.ts'

/**
 * The words of a text as they stand, in order: letters and digits with an apostrophe's ending (`don't`, `council’s`). In
 * scripts written without spaces each character counts as a word.
 */
export function wordTokens(text: string): string[] {
  const words: string[] = []
  for (let at = wordStart(text, 0); at < text.length;) {
    const end = wordEnd(text, at)
    words.push(text.slice(at, end))
    at = wordStart(text, end)
  }
  return words
}

/** Where the next word begins, at `from` or after it; the text's length when there is none. */
export function wordStart(text: string, from: number): number {
  let at = from
  while (at < text.length && (kindAt(text, at) & IN_WORD) === 0) at += unitsAt(text, at)
  return at
}

/** Where the word that begins at `start` ends, exclusive; nothing from `until` on is looked at. */
export function wordEnd(text: string, start: number, until = text.length): number {
  if ((kindAt(text, start) & UNSPACED) !== 0) return skip(text, start + unitsAt(text, start), { over: MARK, until })
  const end = skip(text, start, { over: IN_WORD, before: UNSPACED, until })
  const code = end < until ? text.charCodeAt(end) : 0
  if (code !== 0x27 && code !== 0x2019) return end
  const ending = skip(text, end + 1, { over: LETTER, before: UNSPACED, until })
  return ending === end + 1 ? end : ending
}

interface Skipping {
  readonly over: number
  readonly before?: number
  readonly until: number
}

/** Past all characters of the kinds `over`, before the first of the kinds `before`. */
function skip(text: string, from: number, { over, before = 0, until }: Skipping): number {
  let at = from
  while (at < until) {
    const kind = kindAt(text, at)
    if ((kind & over) === 0 || (kind & before) !== 0) return at
    at += unitsAt(text, at)
  }
  return at
}
