/** How a word is written. */
export const CASE = {
  lower: 0,
  capital: 1,
  shouted: 2,
  letter: 3,
  mixed: 4,
  number: 5,
  alphanumeric: 6,
  sign: 7,
  uncased: 8,
} as const

type CaseClass = (typeof CASE)[keyof typeof CASE]

export function caseClass(word: string): CaseClass {
  if (/^[a-z]+$/.test(word)) return CASE.lower // most words, so tested first
  if (/^\p{N}+$/u.test(word)) return CASE.number
  if (!/^[\p{L}\p{N}]/u.test(word)) return CASE.sign
  if (/\p{N}/u.test(word)) return CASE.alphanumeric
  const lower = word.toLowerCase()
  const upper = word.toUpperCase()
  if (word === lower) return lower === upper ? CASE.uncased : CASE.lower
  return capitalClass(word, { lower, upper })
}

function capitalClass(word: string, { lower, upper }: { readonly lower: string; readonly upper: string }): CaseClass {
  if (word === upper) return word.length === 1 ? CASE.letter : CASE.shouted
  return word.slice(1) === lower.slice(1) ? CASE.capital : CASE.mixed
}

/** Whether a word of this case class can be part of a name. */
export const isCapitalised = (kind: number): boolean => kind >= CASE.capital && kind <= CASE.mixed

const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a over the UTF-16 units from `from` to `to`, all digits replaced by 0; 32 bits, signed. */
export function hashOf(text: string, from: number, to: number): number {
  let hash = BASIS
  for (let i = Math.max(0, from); i < to && i < text.length; i++) {
    const unit = text.charCodeAt(i)
    hash = Math.imul(hash ^ (unit >= 48 && unit <= 57 ? 48 : unit), PRIME)
  }
  return hash | 0
}

/** Hashes of a word's beginnings and endings. */
export interface Spelling {
  /** UTF-16 units. */
  readonly length: number
  /** Of the first 2, 3 and 4 units. */
  readonly begins: readonly [number, number, number]
  /** Of the last 1 to 4 units. */
  readonly ends: readonly [number, number, number, number]
}

export function spellingOf(lower: string): Spelling {
  const { length } = lower
  const begin = (units: number): number => hashOf(lower, 0, units)
  const end = (units: number): number => hashOf(lower, length - units, length)
  return { length, begins: [begin(2), begin(3), begin(4)], ends: [end(1), end(2), end(3), end(4)] }
}

/** Used beyond the edges of a sentence. */
export const NO_SPELLING = spellingOf('')

/** Hash of a word's shape, in which a run of one kind of character counts once: "McDonald" is XxXx, "G20" is X0. */
export function shapeOf(word: string): number {
  let hash = BASIS
  let last = 0
  for (const letter of word) {
    const kind = letterKind(letter)
    if (kind !== last) hash = Math.imul(hash ^ kind, PRIME)
    last = kind
  }
  return hash | 0
}

function letterKind(letter: string): number {
  if (/[a-z]/.test(letter)) return 1
  if (/[0-9]/.test(letter)) return 3
  if (letter.toLowerCase() !== letter) return 2
  return /\p{L}/u.test(letter) ? 1 : (letter.codePointAt(0) ?? 0)
}
