import * as chrono from 'chrono-node'
import { remembered } from '../memoize.ts'
import { DAY_MS, dayName } from '../../domain/days.ts'
import type { Span } from '../sentences.ts'
import { withoutOverlaps } from '../spans.ts'
import { escaped } from '../pattern.ts'
import { type CalendarDay, dayOf, monthPeriod, oneDay, type Period, periodName, weekAround } from '../times/calendar.ts'
import { isOfCalendar, type TimeFound, times } from '../times/times.ts'

/** The parsers of the library by ISO 639-1 code. */
const PARSERS: Readonly<Record<string, Pick<typeof chrono.de, 'parse'>>> = {
  ...{ ar: chrono.ar, de: chrono.de, es: chrono.es, fi: chrono.fi, fr: chrono.fr, id: chrono.id, it: chrono.it },
  ...{ ja: chrono.ja, nl: chrono.nl, pt: chrono.pt, ru: chrono.ru, sv: chrono.sv, uk: chrono.uk, vi: chrono.vi },
  zh: chrono.zh,
}

/**
 * Dates in a sentence of a text in another language than English, resolved against the publication date (UTC
 * milliseconds); years alone as in English. In languages that the library does not know, only years are found.
 */
export function datesIn(text: string, sentence: Span, at: DatedText): readonly TimeFound[] {
  const own = parsed(text, sentence, at)
  const years = times(text, sentence, at.published).filter(({ name }) => /^\d{4}$/u.test(name))
  return [...own, ...withoutOverlaps(years, own)].sort((a, b) => a.start - b.start)
}

interface DatedText {
  /** ISO 639-1. */
  readonly language: string
  /** UTC milliseconds; `null` if unknown. */
  readonly published: number | null
}

function parsed(text: string, { start, end }: Span, { language, published }: DatedText): TimeFound[] {
  const sentence = text.slice(start, end)
  const parser = PARSERS[language]
  if (parser === undefined || !cuesOf(language).test(sentence)) return []
  if ((sentence.match(/\d+/gu)?.length ?? 0) > MOST_NUMBERS) return []
  const reference = { instant: new Date(published ?? 0), timezone: 0 }
  return parser.parse(sentence, reference).flatMap(({ index, text: written, start: first, end: last }) => {
    const period = rangeOf({ first, last, written }, published)
    if (period === undefined) return []
    const from = start + index + written.length - written.trimStart().length
    const until = start + index + written.trimEnd().length
    return { type: 'DATE' as const, start: from, end: until, ...timeFields(period, written) }
  })
}

interface FoundDate {
  readonly first: chrono.ParsedComponents
  readonly last: chrono.ParsedComponents | undefined | null
  readonly written: string
}

/** `undefined` if it is no date; `null` if it depends on an unknown publication date. */
function rangeOf({ first, last, written }: FoundDate, published: number | null): Period | null | undefined {
  if (isAbbreviation(first, written)) return undefined
  const hasYear = first.isCertain('year') && /\d{4}/u.test(written)
  const reference = { published: hasYear ? (published ?? 0) : published, isNext: NEXT.test(written) }
  const period = periodOf(first, reference)
  return period ? inCalendar(period, last ? periodOf(last, reference) : null) : period
}

/** From the first to the end of the last; `undefined` if a year has not four digits. */
function inCalendar({ first, last }: Period, until: Period | null | undefined): Period | undefined {
  const whole = { first, last: Math.max(last, until?.last ?? last) }
  return isOfCalendar(whole) ? whole : undefined
}

interface DateReference {
  /** UTC milliseconds; `null` if unknown. */
  readonly published: number | null
  /** Whether a weekday is expressly a coming one. */
  readonly isNext: boolean
}

/** Words for a coming day. */
const NEXT =
  /nächst|kommend|prochain|pr[oó]xim|prossim|nästa|kommande|volgende|komende|следующ|наступн|ensi|下|来週|tới/iu

/** Shorter words in Latin letters are no weekdays: "so" is not Sunday. */
const SHORTEST_WEEKDAY = 5

function isAbbreviation(found: chrono.ParsedComponents, written: string): boolean {
  if (found.isCertain('day') || found.isCertain('month')) return false
  const words = written.match(/\p{L}+/gu) ?? []
  return words.every((word) => word.length < SHORTEST_WEEKDAY && /^\p{Script=Latin}/u.test(word))
}

/** Numbers in a sentence with dates. A list of more is no sentence, and takes the library a second. */
const MOST_NUMBERS = 16

const timeFields = (period: Period | null, written: string): Pick<TimeFound, 'name' | 'time'> =>
  period === null
    ? { name: written.trim(), time: null }
    : { name: periodName(period), time: { start: dayName(period.first), end: dayName(period.last) } }

/** `undefined` for a time of day alone; `null` if the day depends on an unknown publication date. */
function periodOf(found: chrono.ParsedComponents, { published, isNext }: DateReference): Period | null | undefined {
  const certain = (['day', 'weekday', 'month'] as const).filter((part) => found.isCertain(part))
  if (certain.length === 0) return undefined
  if (published === null) return null
  const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => found.get(part) ?? 0) as [
    number,
    number,
    number,
  ]
  if (certain.join() === 'month') return monthPeriod(year, month)
  return daysOf(found, dayOf(year, month, day), isNext ? Infinity : published)
}

/** The week for "la semaine dernière", else a day. */
function daysOf(found: chrono.ParsedComponents, day: CalendarDay, published: number): Period {
  const [hasDay, hasWeekday] = [found.isCertain('day'), found.isCertain('weekday')]
  if (!hasDay) return oneDay(pastWeekday(day, published))
  return !hasWeekday && found.get('weekday') !== null ? weekAround(day) : oneDay(day)
}

/** News names the days before it by their weekday. */
const pastWeekday = (day: CalendarDay, published: number): CalendarDay => (day * DAY_MS > published ? day - 7 : day)

/** What every sentence with a date has: a digit, or a word for a month, a day or a near time (CLDR). */
const cuesOf = remembered((language): RegExp => {
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2018, month, 15))
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2018, 0, 1 + day))
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const named = (times: readonly number[], options: Intl.DateTimeFormatOptions): readonly string[] =>
    times.map((time) => new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(time))
  const words = [
    ...named(months, { month: 'long' }),
    ...named(days, { weekday: 'long' }),
    ...named(days, { weekday: 'short' }).filter((word) => /\p{Script=Han}{2}/u.test(word)),
    ...[-1, 0, 1].map((days) => near.format(days, 'day')),
    ...(['week', 'month', 'year'] as const).map((unit) => near.format(-1, unit)),
  ]
  const stems = words.map((word) => word.slice(0, Math.max(3, word.length - 2)))
  return new RegExp(`\\d|${stems.map(escaped).join('|')}`, 'iu')
})
