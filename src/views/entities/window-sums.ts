import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../../domain/days.ts'
import type { Store } from '../../ports/store.ts'
import { ALWAYS, moment } from '../instant.ts'
import { query } from '../query.ts'
import { mentionsIn, type CurrentAnalyses } from './current-analyses.ts'
import { wholeUnits } from './whole-units.ts'

const at = (parameter: string): string => `{${parameter}: DateTime64(3, 'UTC')}`
/** As in the projections `by_day_and_type` and `by_hour_and_type` of `entity_articles`, which ClickHouse reads only for these expressions. */
const unit = (time: string, ms: number): string => `intDiv(toUnixTimestamp64Milli(${time}) + ${-ALWAYS}, ${ms})`
const within = (ms: number, from: string, until: string): string =>
  `${unit('occurred_at', ms)} >= ${unit(at(from), ms)} AND ${unit('occurred_at', ms)} < ${unit(at(until), ms)}`

const IN_WINDOW = `occurred_at > ${at('from')} AND occurred_at <= ${at('as_of')}`

/** Each row of a window meets one of three conditions. */
const IN_DAYS = within(DAY_MS, 'days_from', 'days_until')
const IN_HOURS = `${within(HOUR_MS, 'hours_from', 'hours_until')} AND NOT (${within(HOUR_MS, 'days_from', 'days_until')})`
const IN_REST = `${IN_WINDOW} AND NOT (occurred_at >= ${at('hours_from')} AND occurred_at < ${at('hours_until')})`

/** Two conditions on the analyses that do not count: the projection `by_time` finds those of known times. */
const IS_NEW = `${IN_WINDOW} AND _offset > {up_to: UInt64}`
const IS_REPLACED = `occurred_at IN {replaced_at: Array(DateTime64(3, 'UTC'))} AND _offset IN {replaced: Array(UInt64)}`

/** The parts of a window, and the sign of each part in its sums. */
export const PARTS = [
  [IN_DAYS, ''],
  [IN_HOURS, ''],
  [IN_REST, ''],
  [IS_NEW, '-'],
  [IS_REPLACED, '-'],
] as const
export type WindowPart = (typeof PARTS)[number]

export const SumsParams = z.object({
  from: moment,
  as_of: moment,
  hours_from: moment,
  hours_until: moment,
  days_from: moment,
  days_until: moment,
  up_to: z.int(),
  replaced: z.array(z.number()),
  replaced_at: z.array(moment),
})

/** The analyses of a window that count, given by the log offsets of those that do not. */
export interface CountedAnalyses extends CurrentAnalyses {
  readonly replaced: number[]
}

/** The parameters of `PARTS`. */
export function partsOf(analyses: CountedAnalyses) {
  const { hours, days } = wholeUnits(analyses)
  const units = { hours_from: hours.from, hours_until: hours.until, days_from: days.from, days_until: days.until }
  return { ...analyses, ...units }
}

/** The mentions in all analyses that count, from these sums: more than `mentionsIn` if rows are repeated. */
const mentionsInSums = query({
  name: 'entities.mentions_in_sums',
  sql: `
    SELECT sum(mentions) AS mentions FROM
    (${PARTS.map(
      ([condition, sign]) => `
      SELECT ${sign}toInt64(sum(mention_count)) AS mentions FROM entity_articles
      WHERE namespace = {namespace: String} AND ${condition}`,
    ).join(`
      UNION ALL`)}
    )`,
  params: SumsParams,
  row: z.object({ mentions: z.number() }),
})

/**
 * Whether the rows of the analyses that count are not all, or some of them repeated: an analysis that was repeated under
 * another log offset is excluded only as long as `analyzed_articles` has both rows.
 */
export async function hasRepeatedRows(store: Store, { replaced, ...window }: CurrentAnalyses): Promise<boolean> {
  if (replaced === null) return false
  const analyses = { ...window, replaced }
  const [[counted], [summed]] = await Promise.all([
    mentionsIn(store)(analyses),
    mentionsInSums(store)(partsOf(analyses)),
  ])
  return counted?.mentions !== summed?.mentions
}
