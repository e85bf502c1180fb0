import { dayName, dayOf } from '../../domain/days.ts'
import type { EntityTime } from '../../events/articles.ts'
import type { Span } from '../sentences.ts'
import { ABSOLUTE } from './absolute.ts'
import { type Period, periodName, yearOf } from './calendar.ts'
import { RELATIVE } from './relative.ts'
import type { Rule } from './vocabulary.ts'

interface TimeFound extends Span {
  readonly type: 'DATE'
  /** ISO 8601 (`2016-05-03`, `2016-05`, `2016`, `2016-05-02/2016-05-08`); as written where it cannot be resolved. */
  readonly name: string
  /** Null: unresolved, for want of a publication date or because it is ambiguous. */
  readonly time: EntityTime | null
}

/** The first rule that matches at a place wins: longer ways of writing stand before the shorter ones inside them. */
const RULES: readonly Rule[] = [...RELATIVE, ...ABSOLUTE]
const EACH = RULES.map(({ pattern }) => new RegExp(pattern, 'uy'))
const unnamed = (pattern: string): string => pattern.replace(/\(\?<\w+>/gu, '(?:')
/** All rules at once: which one matched shows in the number of the group. */
const ANY = new RegExp(
  `(?:\\b|(?=['’]))(?:${RULES.map(({ pattern }) => `(${unnamed(pattern)})`).join('|')})(?![\\p{L}\\p{N}])`,
  'gu',
)

/** `\b` knows Latin letters without accents only. */
const INSIDE_WORD = /[\p{L}\p{N}]$/u
/** How much of the sentence before and after a date is looked at. */
const AROUND = 80

/** Dates in `text.slice(start, end)`, resolved against the publication date (UTC milliseconds); linear. */
export function times(text: string, { start, end }: Span, published: number | null): readonly TimeFound[] {
  const sentence = text.slice(start, end)
  const day = published === null ? null : dayOf(published)
  const found: TimeFound[] = []
  for (const match of matches(sentence)) {
    const time = resolve(sentence, match, day)
    if (time !== undefined) found.push({ ...time, start: start + time.start, end: start + time.end })
  }
  return found
}

/** As `matchAll`, which would make a new expression of all the rules for every sentence: three times as slow. */
function matches(sentence: string): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  ANY.lastIndex = 0
  for (let match = ANY.exec(sentence); match !== null; match = ANY.exec(sentence)) found.push(match)
  return found
}

/** Four digits a year: what lies outside is no date that news means. */
const isOfCalendar = ({ first, last }: Period): boolean => yearOf(first) >= 1000 && yearOf(last) <= 9999

function resolve(sentence: string, match: RegExpExecArray, published: number | null): TimeFound | undefined {
  const matched: readonly (string | undefined)[] = match
  const which = matched.findIndex((group, i) => i > 0 && group !== undefined) - 1
  const [start, end] = [match.index, match.index + match[0].length]
  if (INSIDE_WORD.test(sentence.slice(Math.max(0, start - 2), start))) return undefined
  const groups = named(EACH[which], sentence, start)
  const period = RULES[which]?.resolve({
    group: (name) => groups[name] ?? '',
    before: sentence.slice(Math.max(0, start - AROUND), start),
    after: sentence.slice(end, end + AROUND),
    published,
  })
  if (period === undefined || (period !== null && !isOfCalendar(period))) return undefined
  const name = period === null ? match[0].replace(/\s+/gu, ' ') : periodName(period)
  return { type: 'DATE', start, end, name, time: period === null ? null : timeOf(period) }
}

function named(rule: RegExp | undefined, sentence: string, at: number): Readonly<Record<string, string | undefined>> {
  if (rule === undefined) return {}
  rule.lastIndex = at
  return rule.exec(sentence)?.groups ?? {}
}

const timeOf = ({ first, last }: Period): EntityTime => ({ start: dayName(first), end: dayName(last) })
