import {
  type CalendarDay,
  dayOf,
  monthOf,
  monthPeriod,
  months,
  oneDay,
  type Period,
  weekAround,
  weekdayOf,
  yearOf,
  yearPeriod,
  years,
} from './calendar.ts'
import { type Match, type Rule, MONTH, monthNumber, NUMBER, numberOf, SEASON, seasonMonth } from './vocabulary.ts'

const resolved = (match: Match, resolve: (published: CalendarDay) => Period | undefined): Period | null | undefined =>
  match.published === null ? null : resolve(match.published)

const DAYS: Readonly<Record<string, number>> = {
  yesterday: -1,
  tomorrow: 1,
  'last night': -1,
  'day before yesterday': -2,
}

/** A capital inside a sentence begins a name: `USA Today`, `The Tonight Show`. */
const isName = ({ group, before }: Match): boolean =>
  /^\p{Lu}/u.test(group('word')) && !/(?:^|[.!?:;"“‘'(\n—–-])\s*$/u.test(before)

/** -1 last, 0 this, 1 next. */
const stepOf = (which: string): number => (/^(?:last|past|previous)/i.test(which) ? -1 : /^next/i.test(which) ? 1 : 0)

const WHICH = '(?:(?:[Ee]arlier|[Ll]ater|[Ee]arly|[Ll]ate) )?(?<which>[Ll]ast|[Tt]his|[Nn]ext)(?: past| coming)?'

function shifted(published: CalendarDay, name: string, step: number): Period {
  const [year, month] = [yearOf(published), monthOf(published)]
  if (name === 'week') return weekAround(published + 7 * step)
  if (name === 'weekend') return weekendAround(published + 7 * step)
  if (name === 'month') return monthPeriod(year, month + step)
  return name === 'year' ? yearPeriod(year + step) : months(year, month - ((month - 1) % 3) + 3 * step, 3)
}

const weekendAround = (day: CalendarDay): Period => {
  const { last } = weekAround(day)
  return { first: last - 1, last }
}

/** By `step`: the latest that is over (-1), the next that has not begun (1), or the current or this year's one (0). */
function inNearestYear(published: CalendarDay, step: number, inYear: (year: number) => Period): Period | undefined {
  const year = yearOf(published)
  const candidates = [year - 1, year, year + 1].map(inYear)
  if (step < 0) return candidates.filter(({ last }) => last < published).at(-1)
  if (step > 0) return candidates.find(({ first }) => first > published)
  return candidates.find(({ first, last }) => first <= published && published <= last) ?? candidates[1]
}

const UNIT = '(?<unit>day|week|month|year|decade)'

function unitAfter(published: CalendarDay, name: string, n: number): Period {
  if (name === 'day') return oneDay(published + n)
  return name === 'decade' ? shifted(published, 'year', 10 * n) : shifted(published, name, n)
}

function dayAfter(day: CalendarDay, name: string, n: number): CalendarDay {
  if (name === 'day') return day + n
  if (name === 'week') return day + 7 * n
  const count = { month: 1, year: 12, decade: 120 }[name] ?? 0
  return addMonths(day, n * count)
}

/** The same day a number of months later; the last day of the month if that is shorter. */
function addMonths(day: CalendarDay, by: number): CalendarDay {
  const [year, month] = [yearOf(day), monthOf(day)]
  const ofMonth = day - dayOf(year, month, 1)
  const target = months(year, month + by, 1)
  return Math.min(target.first + ofMonth, target.last)
}

const PART: Readonly<Record<string, number>> = { first: 0, second: 1, third: 2, fourth: 3, last: 3 }

/** Dates relative to the publication; longer forms come before the shorter ones they contain. */
export const RELATIVE: readonly Rule[] = [
  // `the first quarter of last year`, `the second half of this year`, `the end of next year` (the year).
  {
    pattern: `(?:the )?(?<part>first|second|third|fourth|last)(?<of> quarter| half) of (?<which>last|this|next) year`,
    resolve: (match) =>
      resolved(match, (published) => {
        const year = yearOf(published) + stepOf(match.group('which'))
        const length = match.group('of') === ' half' ? 6 : 3
        const part = Math.min(PART[match.group('part')] ?? 0, 12 / length - 1)
        return months(year, 1 + part * length, length)
      }),
  },
  // `May last year`, `June of this year`.
  {
    pattern: `(?<month>${MONTH})(?<=[a-z]) (?:of )?(?<which>last|this|next) year`,
    resolve: (match) =>
      resolved(match, (published) =>
        monthPeriod(yearOf(published) + stepOf(match.group('which')), monthNumber(match.group('month'))),
      ),
  },
  // `the past three days`, `the next two weeks`, `the past decade`: from or to the publication date.
  {
    pattern: `(?:[Tt]he |[Tt]hese )(?<which>past|last|previous|next|coming) (?:(?<n>${NUMBER}) )?${UNIT}s?(?![a-z])`,
    resolve: (match) => {
      const { group, after } = match
      if (/^ (?:of|in) (?!\d)/u.test(after) || (group('n') === '' && group('unit') === 'day')) return undefined
      const n = group('n') === '' ? 1 : numberOf(group('n'))
      const isPast = /^(?:past|last|previous)$/u.test(group('which'))
      return resolved(match, (published) => {
        const end = dayAfter(published, group('unit'), isPast ? -n : n)
        return isPast ? { first: end, last: published } : { first: published, last: end }
      })
    },
  },
  // `today`, `yesterday morning`, `last night`.
  {
    pattern:
      '(?<word>[Tt]oday|[Tt]onight|(?:the )?day before yesterday|[Yy]esterday|[Tt]omorrow|[Ll]ast night|[Tt]his (?:morning|afternoon|evening))(?: (?:morning|afternoon|evening|night))?',
    resolve: (match) => {
      if (isName(match) || /^ Show\b/u.test(match.after)) return undefined
      const word = match.group('word').toLowerCase().replace(/^the /u, '')
      return resolved(match, (published) => oneDay(published + (DAYS[word] ?? 0)))
    },
  },
  // `last summer`, `this fall`, `next March`.
  {
    pattern: `(?<which>[Ll]ast|[Tt]his|[Nn]ext)(?: past| coming)? (?:(?<season>${SEASON})|(?<month>${MONTH})(?<=[a-z]))(?! ?\\d)`,
    resolve: (match) =>
      resolved(match, (published) => {
        const { group } = match
        const [month, count] =
          group('season') === '' ? [monthNumber(group('month')), 1] : [seasonMonth(group('season')), 3]
        return inNearestYear(published, stepOf(group('which')), (year) => months(year, month, count))
      }),
  },
  // `last decade`: a calendar decade such as 2000 to 2009.
  {
    pattern: `(?<which>[Ll]ast|[Tt]his|[Nn]ext) decade`,
    resolve: (match) =>
      resolved(match, (published) => {
        const first = 10 * (Math.floor(yearOf(published) / 10) + stepOf(match.group('which')))
        return years(first, first + 9)
      }),
  },
  // `last week`, `earlier this year`, `next quarter`.
  {
    pattern: `${WHICH} (?<unit>week|weekend|month|year|quarter)(?![a-z])`,
    resolve: (match) => {
      if (/\bthe $/iu.test(match.before)) return undefined // "the last week" is the past seven days, or that of something
      return resolved(match, (published) => shifted(published, match.group('unit'), stepOf(match.group('which'))))
    },
  },
  // `over the weekend`: the current one, otherwise the last.
  {
    pattern: '(?<=\\b(?:[Oo]ver|[Dd]uring|[Tt]hroughout) )the weekend',
    resolve: (match) => resolved(match, (published) => weekendAround(published - (weekdayOf(published) > 4 ? 0 : 7))),
  },
  // `two weeks ago`, `a year from now`: the whole day, week, month or year.
  {
    pattern: `(?<n>${NUMBER}) ${UNIT}s? (?<way>ago|from now|from today)`,
    resolve: (match) => {
      if (/(?:\d[.,]?|\b(?:a|and|couple of|few)) ?$/iu.test(match.before)) return undefined
      const n = numberOf(match.group('n')) * (match.group('way') === 'ago' ? -1 : 1)
      return resolved(match, (published) => unitAfter(published, match.group('unit'), n))
    },
  },
]
