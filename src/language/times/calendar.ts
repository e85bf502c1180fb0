import { DAY_MS, dayName, dayOf as dayAt } from '../../domain/days.ts'

/** Days since 1970-01-01, UTC. */
export type CalendarDay = number

/** Days, both inclusive. */
export interface Period {
  readonly first: CalendarDay
  readonly last: CalendarDay
}

/** Months count from 1; months and days beyond their range carry over, as in `Date.UTC`. */
export const dayOf = (year: number, month: number, day: number): CalendarDay => dayAt(Date.UTC(year, month - 1, day))

export const yearOf = (day: CalendarDay): number => new Date(day * DAY_MS).getUTCFullYear()
/** 1 to 12. */
export const monthOf = (day: CalendarDay): number => new Date(day * DAY_MS).getUTCMonth() + 1
/** 0 Monday to 6 Sunday. */
export const weekdayOf = (day: CalendarDay): number => (((day + 3) % 7) + 7) % 7

export const oneDay = (day: CalendarDay): Period => ({ first: day, last: day })
export const monthPeriod = (year: number, month: number): Period => months(year, month, 1)
export const yearPeriod = (year: number): Period => years(year, year)
/** The `count` months from the given one on. */
export const months = (year: number, month: number, count: number): Period => ({
  first: dayOf(year, month, 1),
  last: dayOf(year, month + count, 0),
})
export const years = (first: number, last: number): Period => ({ first: dayOf(first, 1, 1), last: dayOf(last, 12, 31) })
/** Monday to Sunday. */
export const weekAround = (day: CalendarDay): Period => {
  const monday = day - weekdayOf(day)
  return { first: monday, last: monday + 6 }
}

/** That day of the month; `undefined` if the month is shorter. */
export function dayInMonth(year: number, month: number, day: number): CalendarDay | undefined {
  const found = dayOf(year, month, day)
  return day > 0 && monthOf(found) === month ? found : undefined
}

/** A day, month or year (`2016-05-03`, `2016-05`, `2016`), otherwise both ends (`2016-05-02/2016-05-08`). */
export function periodName({ first, last }: Period): string {
  if (first === last) return dayName(first)
  const [year, month] = [yearOf(first), monthOf(first)]
  if (isSame({ first, last }, yearPeriod(year))) return String(year)
  if (isSame({ first, last }, monthPeriod(year, month))) return dayName(first).slice(0, 7)
  return `${dayName(first)}/${dayName(last)}`
}

const isSame = (a: Period, b: Period): boolean => a.first === b.first && a.last === b.last
