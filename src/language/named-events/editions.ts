import { isYear } from './reading.ts'

/** A year or an ordinal before a name. */
interface Edition {
  readonly end: number
  /** "2018", "89th"; empty: none. */
  readonly label: string
}

const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/i
const ORDINAL_WORDS = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
    .split(' ')
    .map((word, i) => [word, `${i + 1}${['st', 'nd', 'rd'][i] ?? 'th'}`]),
)

/** "2018", "89th", "59th annual", "eleventh annual"; "first" alone is no edition: "his first Super Bowl". */
export function editionAt(words: readonly string[], at: number): Edition {
  const word = words[at] ?? ''
  if (isYear(word)) return { end: at + 1, label: word }
  const isAnnual = /^annual$/i.test(words[at + 1] ?? '')
  if (ORDINAL.test(word)) return { end: at + (isAnnual ? 2 : 1), label: word.toLowerCase() }
  const label = isAnnual ? ORDINAL_WORDS.get(word.toLowerCase()) : undefined
  return label === undefined ? { end: at, label: '' } : { end: at + 2, label }
}

const ROMAN: readonly (readonly [string, number])[] = [
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]

/** 51 is "LI"; up to 89. */
function roman(number: number): string {
  const [letters, value] = ROMAN.find(([, each]) => each <= number) ?? ['', 0]
  return value === 0 ? '' : letters + roman(number - value)
}

/** Super Bowls are counted: "Super Bowl LI", "Super Bowl 51". Empty: no number stands here. */
export function superBowlNumber(word = ''): string {
  if (/^[IVXL]{1,7}$/.test(word)) return word
  return /^[1-8]?\d$/.test(word) ? bowlOf(Number(word)) : ''
}

/** The only one that is counted with digits. */
const bowlOf = (number: number): string => (number === 50 ? '50' : roman(number))
