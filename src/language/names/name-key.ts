import { remembered } from '../memoize.ts'

/** Letters that Unicode does not take apart into a base and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ı: 'i', đ: 'd', ð: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }

const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/gu, '')
    .replace(/[øłıđðßæœ]/gu, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')

const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/**
 * What two spellings of one name have in common: letters and digits in lower case without accents, signs between them
 * one blank, "&" the word, stops of abbreviations dropped, initials in a row one word. "U.N." is "un", "J. D." is "jd".
 */
export const nameKey = remembered((name) => {
  const lower = name.toLowerCase()
  const key = PLAIN_KEY.test(lower) ? lower : withoutSigns(isPlain(lower) ? lower : withoutMarks(lower))
  return SEPARATE_LETTERS.test(key) ? key.replace(BETWEEN_LETTERS, '') : key
})

/** Most names: nothing is to be done to them. */
const PLAIN_KEY = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const SEPARATE_LETTERS = /(?:^| )\p{L} \p{L}(?: |$)/u
const BETWEEN_LETTERS = /(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu

const withoutSigns = (lower: string): string =>
  lower
    .replace(/(?<=\p{L})\.(?=\p{L}|$|\s)/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Two letters and more, none small: "NATO", "U.N.", "CLINTON". */
export const isShouted = (name: string): boolean =>
  !/[a-z]/.test(name) && /\p{Lu}\P{L}*\p{Lu}/u.test(name) && !/\p{Ll}/u.test(name)
