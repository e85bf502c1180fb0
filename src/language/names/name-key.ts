import { remembered } from '../memoize.ts'

/** Letters that Unicode does not decompose into a base letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ı: 'i', đ: 'd', ð: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }

const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/gu, '')
    .replace(/[øłıđðßæœ]/gu, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')

const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/**
 * Key for comparing names, equal for spellings of one name: words of letters and digits in lower case without accents,
 * separated by single spaces; "&" becomes "and"; initials form one word: "U.N." becomes "un", "J. D." becomes "jd".
 */
export const nameKey = remembered((name) => {
  const lower = name.toLowerCase()
  const key = PLAIN_KEY.test(lower) ? lower : withoutSigns(isPlain(lower) ? lower : withoutMarks(lower))
  return SEPARATE_LETTERS.test(key) ? key.replace(BETWEEN_LETTERS, '') : key
})

/** Most names match this and need no change. */
const PLAIN_KEY = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const SEPARATE_LETTERS = /(?:^| )\p{L} \p{L}(?: |$)/u
const BETWEEN_LETTERS = /(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu

const withoutSigns = (lower: string): string =>
  lower
    .replace(/(?<=\p{L})\.(?=\p{L}|$|\s)/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** At least two letters, all capitals: "NATO", "U.N.", "CLINTON". */
export const isAllCapitals = (name: string): boolean =>
  !/[a-z]/.test(name) && /\p{Lu}\P{L}*\p{Lu}/u.test(name) && !/\p{Ll}/u.test(name)

/** Returns a function from a name to the best spelling among the given names with the same key. */
export function spellings(names: Iterable<string>): (name: string) => string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const best = new Map<string, Counted>()
  for (const form of counts) {
    const key = nameKey(form[0])
    const other = best.get(key)
    if (other === undefined || isBetter(form, other)) best.set(key, form)
  }
  return (name) => best.get(nameKey(name))?.[0] ?? name
}

type Counted = readonly [name: string, count: number]

/** Not all capitals, then with accents, then more frequent, then first in alphabetical order. */
function isBetter(one: Counted, other: Counted): boolean {
  const difference = rank(one) - rank(other)
  return difference === 0 ? one[0] < other[0] : difference > 0
}

const rank = ([name, count]: Counted): number =>
  (isAllCapitals(name) ? 0 : 4e6) + (ACCENTED.test(name) ? 2e6 : 0) + Math.min(count, 1e6)

const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/u
