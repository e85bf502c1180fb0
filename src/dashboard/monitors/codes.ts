import { country, languageName } from '../words/format.ts'

/** A value of a list with its name: `DE`, `Germany`. */
export type NamedCode = readonly [code: string, name: string]

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')
const PAIRS = LETTERS.flatMap((one) => LETTERS.map((other) => one + other))

/** Regions that are no countries. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

/** Countries by ISO 3166-1 alpha-2 code, by name. Former codes are left out. */
export const countries = (): readonly NamedCode[] =>
  named(
    PAIRS.map((pair) => pair.toUpperCase()).filter((code) => !NO_COUNTRIES.has(code) && isCurrent(`und-${code}`)),
    country,
  )

/** Languages by ISO 639-1 code, by name, with `und` for unknown. */
export const languages = (): readonly NamedCode[] => [
  ...named(PAIRS.filter(isCurrent), languageName),
  ['und', 'Unknown language'],
]

/** Deprecated codes are canonicalised to another one. */
const isCurrent = (tag: string): boolean => Intl.getCanonicalLocales(tag)[0] === tag

const named = (codes: readonly string[], nameOf: (code: string) => string): readonly NamedCode[] =>
  codes
    .map((code) => [code, nameOf(code)] as const)
    .filter(([code, name]) => name !== code)
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'))

/** The code that a text names, by code or by name, in any case; `null` if there is none. */
export function codeNamed(text: string, codes: readonly NamedCode[]): string | null {
  const lower = text.trim().toLowerCase()
  const found = codes.find(([code, name]) => code.toLowerCase() === lower || name.toLowerCase() === lower)
  return found?.[0] ?? null
}

interface EnteredValues {
  readonly added: readonly string[]
  /** The part of the text that names no code. */
  readonly rest: string
}

/** The values in a text: one, or codes and names separated by commas if only `codes` are allowed. */
export function enteredValues(text: string, codes?: readonly NamedCode[]): EnteredValues {
  if (codes === undefined) return { added: [text.trim()].filter((value) => value !== ''), rest: '' }
  const whole = codeNamed(text, codes) // some names contain a comma
  if (whole !== null) return { added: [whole], rest: '' }
  const parts = text.split(',').map((part) => part.trim())
  const found = parts.filter((part) => part !== '').map((part) => ({ part, code: codeNamed(part, codes) }))
  return {
    added: found.flatMap(({ code }) => (code === null ? [] : [code])),
    rest: found.flatMap(({ part, code }) => (code === null ? [part] : [])).join(', '),
  }
}
