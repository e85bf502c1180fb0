import { dayName, dayOf } from '../../domain/days.ts'
import type { EntityTime } from '../../events/articles.ts'
import type { Span } from '../sentences.ts'
import { ABSOLUTE } from './absolute.ts'
import { type Period, periodName, yearOf } from './calendar.ts'
import { RELATIVE } from './relative.ts'
import type { Rule } from './vocabulary.ts'

export interface TimeFound extends Span {
  readonly type: 'DATE'
  /**
   * ISO 8601 (`2016-05-03`, `2016-05`, `2016`, `2016-05-02/2016-05-08`); the text as written if it cannot be resolved.
   */
  readonly name: string
  /** `null` if it cannot be resolved, because the publication date is unknown or the date is ambiguous. */
  readonly time: EntityTime | null
}

/** The first rule that matches at a position wins: longer forms come before the shorter ones they contain. */
const RULES: readonly Rule[] = [...RELATIVE, ...ABSOLUTE]
const EACH = RULES.map(({ pattern }) => new RegExp(pattern, 'uy'))
const unnamed = (pattern: string): string => pattern.replace(/\(\?<\w+>/gu, '(?:')
/** All rules as one expression: the number of the matching group identifies the rule. */
const ANY = new RegExp(
  `(?:\\b|(?=['’]))(?:${RULES.map(({ pattern }) => `(${unnamed(pattern)})`).join('|')})(?![\\p{L}\\p{N}])`,
  'gu',
)

/** `\b` recognises only Latin letters without accents. */
const INSIDE_WORD = /[\p{L}\p{N}]$/u
/** Number of characters before and after a date that are examined. */
const AROUND = 80

/** Dates in `text.slice(start, end)`, resolved against the publication date (UTC milliseconds). Linear. */
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

/**
 * Replaces `matchAll`, which would create a new expression of all rules for every sentence and take three times as
 * long.
 */
function matches(sentence: string): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  ANY.lastIndex = 0
  for (let match = ANY.exec(sentence); match !== null; match = ANY.exec(sentence)) found.push(match)
  return found
}

/** Whether the years have four digits: others do not occur in news. */
export const isOfCalendar = ({ first, last }: Period): boolean => yearOf(first) >= 1000 && yearOf(last) <= 9999

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
