import type { CalendarDay, Period } from './calendar.ts'

export interface Match {
  /** The value of a named group of the rule's pattern; empty if the group did not match. */
  readonly group: (name: string) => string
  /** The sentence before and after the match, limited in length. */
  readonly before: string
  readonly after: string
  /** The publication date; `null` if unknown. */
  readonly published: CalendarDay | null
}

/** A rule for one form of date. */
export interface Rule {
  /** Source of a regular expression with named groups. */
  readonly pattern: string
  /** `null`: a date that cannot be resolved; `undefined`: not a date. */
  readonly resolve: (match: Match) => Period | null | undefined
}

/** Parts of dates, as sources of regular expressions; every repetition is bounded. */

export const FULL_MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** A month in full or abbreviated; the dot may be missing. */
export const MONTH = `(?:${FULL_MONTHS.join('|')}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?:\\.|(?= )))`
/** 1 to 12. */
export const monthNumber = (name: string): number =>
  FULL_MONTHS.findIndex((full) => full.startsWith(name.slice(0, 3))) + 1

const FULL_WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
export const WEEKDAY = `(?:${FULL_WEEKDAYS.join('|')})`
/** 0 Monday to 6 Sunday. */
export const weekdayNumber = (name: string): number =>
  FULL_WEEKDAYS.findIndex((full) => full.startsWith(name.slice(0, 3)))
/** A weekday, also abbreviated before a date: `Tues., May 3`. */
export const ANY_WEEKDAY = `(?:${FULL_WEEKDAYS.join('|')}|(?:Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun)\\.?)`

export const DAY = '(?:3[01]|[12]\\d|0?[1-9])'
export const ORDINAL = '(?:st|nd|rd|th)?'
export const YEAR = '(?:1[5-9]\\d\\d|2[01]\\d\\d)'
export const SMALL_NUMBERS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ')
const TENS = new Map(
  ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].map((word, i) => [word, 20 + 10 * i]),
)
const eitherCase = (word: string): string => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`
export const NUMBER = `(?:\\d{1,3}|[Aa]n?|${[...SMALL_NUMBERS, ...TENS.keys()].map(eitherCase).join('|')})`

/** "a" means one. */
export function numberOf(word: string): number {
  const lower = word.toLowerCase()
  if (/^\d/.test(lower)) return Number(lower)
  return TENS.get(lower) ?? Math.max(1, SMALL_NUMBERS.indexOf(lower) + 1)
}

export const SEASON = '(?:spring|summer|fall|autumn|winter|Spring|Summer|Fall|Autumn|Winter)'
/** The month in which a season begins on the northern hemisphere; it lasts three months. */
export const seasonMonth = (name: string): number =>
  ({ spring: 3, summer: 6, fall: 9, autumn: 9, winter: 12 })[name.toLowerCase()] ?? 1
