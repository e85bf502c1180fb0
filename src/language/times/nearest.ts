import { patternIn } from '../model-files.ts'
import { type CalendarDay, dayInMonth, monthPeriod, oneDay, type Period, weekdayOf, yearOf } from './calendar.ts'
import type { Match } from './vocabulary.ts'

/** A date without a year is of the past, unless it is at most this many days ahead. */
const AHEAD_DAYS = 92

/** What announces that the next date is still to come; a verb of saying after it takes it back. */
const ANNOUNCES = patternIn('times/announces')
/** The same right after the date: "on Tuesday will vote", "Friday, when it is expected". */
const ANNOUNCED =
  /^(?:,? when \S+(?: \S+)?)? (?:will|is set|is expected|is scheduled|is due|are set|are expected|are due)\b/u

export const isAnnounced = ({ before, after }: Match): boolean => ANNOUNCES.test(before) || ANNOUNCED.test(after)

/** The latest of last, this and next year's which is not too far ahead of the publication date. */
function nearest(match: Match, inYear: (year: number) => Period | undefined): Period | null | undefined {
  const { published } = match
  if (published === null) return inYear(LEAP_YEAR) === undefined ? undefined : null
  const year = yearOf(published)
  const candidates = [year - 1, year, year + 1].flatMap((each) => inYear(each) ?? [])
  if (isAnnounced(match)) return candidates.find(({ last }) => last >= published)
  return candidates.filter(({ first }) => first <= published + AHEAD_DAYS).at(-1)
}

const LEAP_YEAR = 2000

export const nearestMonth = (match: Match, month: number): Period | null | undefined =>
  nearest(match, (year) => monthPeriod(year, month))

/** Days of one month, both inclusive. */
export interface MonthDays {
  readonly month: number
  readonly from: number
  readonly to: number
}

export const nearestDays = (match: Match, { month, from, to }: MonthDays): Period | null | undefined =>
  nearest(match, (year) => daysOf(year, { month, from, to }))

export function daysOf(year: number, { month, from, to }: MonthDays): Period | undefined {
  const [first, last] = [dayInMonth(year, month, from), dayInMonth(year, month, to)]
  return first === undefined || last === undefined || first > last ? undefined : { first, last }
}

/** Years this far off are tried for a date with its weekday: after that the weekdays come round again. */
const WEEKDAY_YEARS = 5

/** The nearest year in which that date falls on that weekday. */
export function nearestOnWeekday(
  published: CalendarDay,
  weekday: number,
  { month, from }: MonthDays,
): Period | undefined {
  const year = yearOf(published)
  const fits = Array.from({ length: 2 * WEEKDAY_YEARS + 1 }, (_, i) => year - WEEKDAY_YEARS + i)
    .flatMap((each) => dayInMonth(each, month, from) ?? [])
    .filter((day) => weekdayOf(day) === weekday)
  const [best] = fits.sort((a, b) => Math.abs(a - published) - Math.abs(b - published))
  return best === undefined ? undefined : oneDay(best)
}
