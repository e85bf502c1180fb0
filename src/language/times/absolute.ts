import { patternIn } from '../model-files.ts'
import {
  type CalendarDay,
  dayInMonth,
  monthPeriod,
  oneDay,
  type Period,
  weekdayOf,
  yearOf,
  months,
  yearPeriod,
  years,
} from './calendar.ts'
import {
  type Match,
  type Rule,
  ANY_WEEKDAY,
  DAY,
  MONTH,
  monthNumber,
  ORDINAL,
  SEASON,
  seasonMonth,
  weekdayNumber,
  YEAR,
  WEEKDAY,
} from './vocabulary.ts'

/** A date without a year is in the past, unless it is at most this many days after publication. */
const AHEAD_DAYS = 92
/** Words that announce the next date as a future one, unless a verb of saying follows them. */
const ANNOUNCES = patternIn('times/announces')
/** Words directly after a date that announce it: "on Tuesday will vote", "Friday, when it is expected". */
const ANNOUNCED =
  /^(?:,? when \S+(?: \S+)?)? (?:will|is set|is expected|is scheduled|is due|are set|are expected|are due)\b/u

const isAnnounced = ({ before, after }: Match): boolean => ANNOUNCES.test(before) || ANNOUNCED.test(after)

/** The latest of last, this and next year's date that is not too far after the publication date. */
function nearest(match: Match, inYear: (year: number) => Period | undefined): Period | null | undefined {
  const { published } = match
  if (published === null) return inYear(LEAP_YEAR) === undefined ? undefined : null
  const year = yearOf(published)
  const candidates = [year - 1, year, year + 1].flatMap((each) => inYear(each) ?? [])
  if (isAnnounced(match)) return candidates.find(({ last }) => last >= published)
  return candidates.filter(({ first }) => first <= published + AHEAD_DAYS).at(-1)
}

const LEAP_YEAR = 2000

const nearestMonth = (match: Match, month: number): Period | null | undefined =>
  nearest(match, (year) => monthPeriod(year, month))

/** Days of one month, both inclusive. */
interface MonthDays {
  readonly month: number
  readonly from: number
  readonly to: number
}

const nearestDays = (match: Match, { month, from, to }: MonthDays): Period | null | undefined =>
  nearest(match, (year) => daysOf(year, { month, from, to }))

function daysOf(year: number, { month, from, to }: MonthDays): Period | undefined {
  const [first, last] = [dayInMonth(year, month, from), dayInMonth(year, month, to)]
  return first === undefined || last === undefined || first > last ? undefined : { first, last }
}

/** Years before and after publication in which a date with a weekday is searched for; farther away, weekdays recur. */
const WEEKDAY_YEARS = 5

/** The nearest year in which that date falls on that weekday. */
function nearestOnWeekday(published: CalendarDay, weekday: number, { month, from }: MonthDays): Period | undefined {
  const year = yearOf(published)
  const fits = Array.from({ length: 2 * WEEKDAY_YEARS + 1 }, (_, i) => year - WEEKDAY_YEARS + i)
    .flatMap((each) => dayInMonth(each, month, from) ?? [])
    .filter((day) => weekdayOf(day) === weekday)
  const [best] = fits.sort((a, b) => Math.abs(a - published) - Math.abs(b - published))
  return best === undefined ? undefined : oneDay(best)
}

/** The day is not the start of a longer number: `May 3,000`, `May 3.5`, `May 3:30`, `May 30%`. */
const NO_MORE = '(?!\\d|[,.:]\\d|\\u0020?(?:%|percent|per cent))'
const AND_DAY = `(?:(?:[-–]| to | through | and )(?<to>${DAY})${ORDINAL}${NO_MORE}(?! [AP]\\.?[Mm]))?`

const isMidNumber = ({ before }: Match): boolean => /[\d$€£.,:/-]$/u.test(before)
/** Whether "May" is a surname: "on page 3 May said". */
const isMrsMay = ({ group, after }: Match): boolean =>
  group('year') === '' &&
  group('month').startsWith('Ma') &&
  /^ (?:said|says|has|had|was|is|will|would|told|be)\b|^['’]s/u.test(after)

function dayOfMonth(match: Match): Period | null | undefined {
  const { group } = match
  const from = Number(group('day'))
  const days = { month: monthNumber(group('month')), from, to: Number(group('to') || from) }
  if (group('year') !== '') return daysOf(Number(group('year')), days)
  return isSeptember11(match, days) ? daysOf(2001, days) : withoutYear(match, days)
}

/** Whether the attacks of 2001 are meant. */
const isSeptember11 = ({ after }: Match, { month: which, from }: MonthDays): boolean =>
  which === 9 && from === 11 && /^ (?:terror|attack)/u.test(after)

function withoutYear(match: Match, days: MonthDays): Period | null | undefined {
  const weekday = match.group('weekday')
  if (weekday === '' || match.published === null) return nearestDays(match, days)
  return nearestOnWeekday(match.published, weekdayNumber(weekday), days) ?? nearestDays(match, days)
}

/** Months that are also names or words: dates only after `BEFORE_MONTH`. */
const NAME_LIKE = /^(?:March|April|May|June|August)$/u
const BEFORE_MONTH =
  /(?:^|[\s(])(?:in|since|until|till|during|early|late|mid|mid-|through|this|each|every|and in|as of|end of|start of|beginning of|middle of) ?$/iu

const dated = (year: number, monthInYear: number, day: number): Period | undefined => {
  const found = dayInMonth(year, monthInYear, day)
  return found === undefined ? undefined : oneDay(found)
}

const ORDER: Readonly<Record<string, number>> = { first: 0, second: 1, third: 2, fourth: 3, last: 3 }

/** Words before a weekday that is part of a name: feasts, sales, newspapers, programmes. */
const NAME_BEFORE =
  /(?:\b(?:Black|Super|Good|Ash|Bloody|Cyber|Palm|Easter|Holy|Maundy|Fat|Shrove|Ruby|Giving|Freaky|Whit|Taco|Casual|Football|Mega|Spy|Silver|Low|Friday|Mail on|News|The|Happy) |["“‘]|[@#_/-])$/u
const NAME_AFTER = patternIn('times/name-after')

/** The day that a weekday means. The weekday of publication means that day, except after "last" and "next". */
function dayOfWeekday(match: Match, published: CalendarDay): CalendarDay {
  const behind = (weekdayOf(published) - weekdayNumber(match.group('day')) + 7) % 7
  const ahead = (7 - behind) % 7
  const which = match.group('which').toLowerCase()
  if (which === 'last' || which === 'this past') return published - (behind === 0 ? 7 : behind)
  if (which === 'next') return published + (ahead === 0 ? 7 : ahead)
  return which !== '' || isAnnounced(match) ? published + ahead : published - behind
}

/** Words before a number that is not a year: `Room 2016`, `H.R. 1954`, `$2000`. */
const NO_YEAR_BEFORE = patternIn('times/no-year-before')
/** Words after a number that counts something: `2000 people`, `1999 miles`. */
const NO_YEAR_AFTER = patternIn('times/no-year-after')
/** A year before 1900 counts only after one of these. */
const DATES = /\b(?:in|since|by|until|before|after|from|of|circa|year|early|late|mid|between|and) $/iu

const isYear = ({ before, after }: Match, year: number): boolean =>
  !NO_YEAR_BEFORE.test(before) && !NO_YEAR_AFTER.test(after) && (year < 1900 || year > 2049 ? DATES.test(before) : true)

function span(year: number, to: string): Period | undefined {
  const last = to.length === 4 ? Number(to) : year - (year % 100) + Number(to)
  return last > year ? years(year, last) : undefined
}

/** Dates with a number or a name; longer forms come before the shorter ones they contain. */
export const ABSOLUTE: readonly Rule[] = [
  // `2016-05-03`, `2016/05/03`
  {
    pattern: `(?<year>${YEAR})[-/](?<month>0[1-9]|1[0-2])[-/](?<day>${DAY})(?![\\d/-])`,
    resolve: ({ group }) => dated(Number(group('year')), Number(group('month')), Number(group('day'))),
  },
  // `05/23/2016` and `23.5.2016`; ambiguous unless one of the first two numbers is above 12.
  {
    pattern: `(?<a>\\d{1,2})[/.](?<b>\\d{1,2})[/.](?<year>(?:19|20)\\d\\d)(?![\\d/])`,
    resolve: ({ group }) => {
      const [a, b, year] = [Number(group('a')), Number(group('b')), Number(group('year'))]
      if (a > 12 || a === b) return dated(year, b, a)
      return b > 12 ? dated(year, a, b) : null
    },
  },
  // `the first quarter of 2018`, `Q3 2016`, `the second half of 2017`.
  {
    pattern: `(?:(?:the )?(?:(?<quarter>first|second|third|fourth|last)[- ]quarter|(?<half>first|second) half)(?: of)?(?: the)?(?: fiscal)?(?: year)?|Q(?<q>[1-4])(?: of)?),? (?<year>${YEAR})(?![\\d%]|,\\d)`,
    resolve: ({ group }) => {
      const year = Number(group('year'))
      if (group('half') !== '') return months(year, 1 + 6 * (ORDER[group('half')] ?? 0), 6)
      const quarter = group('q') === '' ? (ORDER[group('quarter')] ?? 0) : Number(group('q')) - 1
      return months(year, 1 + 3 * quarter, 3)
    },
  },
  // `fiscal 2017`: the calendar year, because it is unknown whose fiscal year is meant.
  {
    pattern: `(?:[Ff]iscal(?: [Yy]ear)? |FY ?)(?<year>${YEAR})(?!\\d)`,
    resolve: ({ group }) => yearPeriod(Number(group('year'))),
  },
  // `summer of 2015`, `the fall of 2016`.
  {
    pattern: `(?:the )?(?<season>${SEASON})(?: of|,)? (?<year>${YEAR})(?![\\d%]|,\\d)`,
    resolve: ({ group }) => months(Number(group('year')), seasonMonth(group('season')), 3),
  },
  // `the 1990s`, `the early '80s`.
  {
    pattern: `(?:the )?(?:(?:early|mid|late)[- ])?(?:(?<full>1[5-9]\\d|20\\d)0|['’](?<short>[2-9])0)['’]?s`,
    resolve: ({ group }) => {
      const first = group('full') === '' ? 1900 + 10 * Number(group('short')) : 10 * Number(group('full'))
      return years(first, first + 9)
    },
  },
  // `the 19th century`
  {
    pattern: `(?:the )?(?<n>[12]?\\d)(?:st|nd|rd|th) [Cc]entury`,
    resolve: ({ group }) => {
      const n = Number(group('n'))
      return n < 11 || n > 22 ? undefined : years(100 * n - 99, 100 * n)
    },
  },
  // `Tuesday 3 May 2016`, `the 3rd of May`.
  {
    pattern: `(?:(?<weekday>${ANY_WEEKDAY}),? )?(?:the )?(?<day>${DAY})${ORDINAL}${AND_DAY} (?:of )?(?<month>${MONTH})(?:,? (?<year>${YEAR})(?!\\d))?`,
    resolve: (match) => (isMidNumber(match) || isMrsMay(match) ? undefined : dayOfMonth(match)),
  },
  // `Tuesday, May 3, 2016`, `May 3`, `Sept. 11-13`.
  {
    pattern: `(?:(?<weekday>${ANY_WEEKDAY}),? )?(?<month>${MONTH}) (?<day>${DAY})${ORDINAL}${NO_MORE}${AND_DAY}(?:,? (?:of )?(?<year>${YEAR})(?!\\d))?`,
    resolve: dayOfMonth,
  },
  // `May 2016`, `May, 2016`, `May of 2016`.
  {
    pattern: `(?<month>${MONTH}),? (?:of )?(?<year>${YEAR})(?![\\d%]|,\\d)`,
    resolve: ({ group }) => monthPeriod(Number(group('year')), monthNumber(group('month'))),
  },
  // `in May`, `the November election`.
  {
    pattern: `(?<month>${MONTH})(?<=[a-z])(?! ?\\d)`,
    resolve: (match) => {
      const { group, before, after } = match
      if (NAME_LIKE.test(group('month')) && (!BEFORE_MONTH.test(before) || /^(?:['’]s| \p{Lu})/u.test(after)))
        return undefined
      return nearestMonth(match, monthNumber(group('month')))
    },
  },
  // `on Tuesday`, `last Friday`, `next Monday morning`: a past day unless the words announce it.
  {
    pattern: `(?:(?:(?<which>[Ll]ast|[Nn]ext|[Tt]his(?: past| coming)?) ))?(?<day>${WEEKDAY})(?: (?:morning|afternoon|evening|night)s?(?![a-z]))?`,
    resolve: (match) => {
      if (NAME_AFTER.test(match.after) || (match.group('which') === '' && NAME_BEFORE.test(match.before)))
        return undefined
      if (match.published === null) return null
      return oneDay(dayOfWeekday(match, match.published))
    },
  },
  // `2016`, `1789` after a preposition, `2012-2016`, `2015-16`.
  {
    pattern: `(?<year>${YEAR})(?:[-–](?<to>${YEAR}|\\d\\d)(?![\\d-]))?`,
    resolve: (match) => {
      const year = Number(match.group('year'))
      if (!isYear(match, year)) return undefined
      return match.group('to') === '' ? yearPeriod(year) : span(year, match.group('to'))
    },
  },
]
