/** Bits of `KINDS`, which classify characters. */
export const LETTER = 1
export const NUMBER = 2
export const MARK = 4
export const UPPER = 8
export const LOWER = 16
export const BLANK = 32
/** Of a script written without spaces, where each character counts as a word. */
const UNSPACED = 64
/** Punctuation that is usual in newspapers. */
export const PUNCTUATION = 128
/** Characters of words. */
export const IN_WORD = LETTER | NUMBER | MARK

const RULES: readonly (readonly [bit: number, rule: RegExp])[] = [
  [LETTER, /\p{L}/u],
  [NUMBER, /\p{N}/u],
  [MARK, /\p{M}/u],
  [UPPER, /\p{Lu}/u],
  [LOWER, /\p{Ll}/u],
  [BLANK, /\s/u],
  [UNSPACED, /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}/u],
  [PUNCTUATION, /[.,;:!?'"’‘“”„«»‹›()[\]–—\-…%/&。，、！？：；「」『』（）・।۔،؛؟]/u],
]

const kindOf = (character: string): number =>
  RULES.reduce((bits, [bit, rule]) => bits | (rule.test(character) ? bit : 0), 0)

/** Bits of each UTF-16 unit, in a table for speed. Surrogates have none: use `kindAt`. */
export const KINDS = Uint8Array.from({ length: 65_536 }, (_, code) =>
  isSurrogate(code) ? 0 : kindOf(String.fromCharCode(code)),
)

/** Bits of the character at `at`, also of one outside the basic plane. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return isSurrogate(code) ? kindOf(String.fromCodePoint(text.codePointAt(at) ?? code)) : (KINDS[code] ?? 0)
}

/** Number of UTF-16 units of the character at `at`. */
export const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800
}

/**
 * The words of a text, unchanged and in order: letters and digits, also after an apostrophe (`don't`, `council’s`). In
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

/** Start of the next word, at `from` or later; the length of the text if there is none. */
function wordStart(text: string, from: number): number {
  let at = from
  while (at < text.length && (kindAt(text, at) & IN_WORD) === 0) at += unitsAt(text, at)
  return at
}

/** End (exclusive) of the word that begins at `start`; characters from `until` on are not read. */
export function wordEnd(text: string, start: number, until = text.length): number {
  if ((kindAt(text, start) & UNSPACED) !== 0) return skip(text, start + unitsAt(text, start), { over: MARK, until })
  const end = skip(text, start, { over: IN_WORD, before: UNSPACED, until })
  const code = end < until ? text.charCodeAt(end) : 0
  if (code !== 0x27 && code !== 0x2019) return end
  const ending = skip(text, end + 1, { over: LETTER, before: UNSPACED, until })
  return ending === end + 1 ? end : ending
}

interface SkipOptions {
  readonly over: number
  readonly before?: number
  readonly until: number
}

/** The first index from `from` to `until` whose character has no bit of `over` or a bit of `before`; else `until`. */
function skip(text: string, from: number, { over, before = 0, until }: SkipOptions): number {
  let at = from
  while (at < until) {
    const kind = kindAt(text, at)
    if ((kind & over) === 0 || (kind & before) !== 0) return at
    at += unitsAt(text, at)
  }
  return at
}
