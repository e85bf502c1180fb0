/** Bits of `KINDS`: what a character is. */
export const LETTER = 1
export const NUMBER = 2
export const MARK = 4
export const UPPER = 8
export const LOWER = 16
export const BLANK = 32
/** Of a script written without spaces, where each character counts as a word. */
export const UNSPACED = 64
/** Punctuation that any newspaper uses. */
export const PUNCTUATION = 128
/** What words are made of. */
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

/** Bits of each UTF-16 unit; a table look-up is what makes reading fast. Surrogates have none: ask `kindAt`. */
export const KINDS = Uint8Array.from({ length: 65_536 }, (_, code) =>
  isSurrogate(code) ? 0 : kindOf(String.fromCharCode(code)),
)

/** Bits of the character at `at`, also of one outside the basic plane. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return isSurrogate(code) ? kindOf(String.fromCodePoint(text.codePointAt(at) ?? code)) : (KINDS[code] ?? 0)
}

/** UTF-16 units of the character at `at`. */
export const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800
}
