import { packed, type ClusteredTerms } from './terms.ts'

/**
 * Features that distinguish two similar events: the `numbers` from 13 up, the `weekdays`, the `years` and the `places`
 * that a text names. Each value occurs once, with weight 1. Kinds without values are left out.
 */
export function evidence(text: string): Record<string, ClusteredTerms> {
  const found: Record<string, ClusteredTerms> = {}
  const plain = text.includes('://') ? text.replace(ADDRESS, ' ') : text
  const lower = plain.toLowerCase()
  add(found, 'numbers', numbers(lower))
  add(found, 'places', places(plain))
  add(found, 'weekdays', words(lower, WEEKDAY))
  add(found, 'years', words(lower, YEAR))
  return found
}

function add(found: Record<string, ClusteredTerms>, kind: string, names: ReadonlySet<string>): void {
  if (names.size > 0) found[kind] = packed(new Map([...names].map((name) => [name, 1])))
}

const words = (text: string, pattern: RegExp): Set<string> =>
  new Set(Array.from(text.matchAll(pattern), ([word]) => word))

const ADDRESS = /\bhttps?:\S+/giu
const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/g
const YEAR = /(?<![\d.,])(?:19[5-9]|20[0-4])\d(?![\d%]|[.,]\d)/g

/** Smaller numbers occur in every text; from here on one is rarely a coincidence. */
const SMALLEST_NUMBER = 13
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, i): [string, number] => [word, SMALLEST_NUMBER + i])
    .concat(
      'twenty thirty forty fifty sixty seventy eighty ninety'
        .split(' ')
        .map((word, i): [string, number] => [word, 20 + 10 * i]),
    ),
)

const NUMBER_WORD = /\b(?:(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b/g
const NUMERAL = /(?<![\d.,:])\d+(?:,\d{3})*(?:\.\d+)?(?![\d:]|,\d)(?!\s?[ap]\.?\s?m\b)/g
const MONTH =
  /(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?/
    .source
const DAY = /\d{1,2}(?:st|nd|rd|th)?(?!\d)/.source
const DATE = new RegExp(`\\b${MONTH} ${DAY}(?!,\\d)|\\b${DAY} ${MONTH}(?![a-z])`, 'g')

/** Counts, ages, sums and magnitudes: numbers that are not a day, year, time of day or serial number. */
function numbers(lower: string): Set<string> {
  const undated = lower.replace(DATE, ' ')
  const found = new Set<string>()
  for (const [numeral] of undated.matchAll(NUMERAL)) {
    const value = Number(numeral.replaceAll(',', ''))
    if (value >= SMALLEST_NUMBER && !SERIAL_OR_YEAR.test(numeral)) found.add(String(value))
  }
  for (const [word] of undated.matchAll(NUMBER_WORD)) found.add(String(NUMBER_WORDS.get(word)))
  return found
}

/** Five or more digits in a row are a document number, not a fact of an event. */
const SERIAL_OR_YEAR = /^\d{5}|^(?:19|20)\d\d$/

const PLACE =
  /\b(?:in|at|near|outside|from|off|of)\s+(?:the\s+)?((?:(?:St|Mt)\.|\p{Lu}[\p{L}\p{N}’'-]+)(?:\s+\p{Lu}[\p{L}\p{N}’'-]+){0,3})/gu

/**
 * Capitalised words after a preposition of place: in Port Tamsin, off the Ketter Islands. Some are not places, but most
 * distinguish events.
 */
const places = (text: string): Set<string> =>
  new Set(
    Array.from(text.matchAll(PLACE), ([, name = '']) =>
      name
        .toLowerCase()
        .replace(/['’]s$/u, '')
        .replace(/\s+/gu, ' '),
    ),
  )
