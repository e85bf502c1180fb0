import { DAY_MS } from '../../domain/days.ts'
import { PRIOR_DAYS } from '../../domain/trends/velocity.ts'
import type { TimelineSpan } from './timeline.ts'

/** UTC days of event time, counted since 1970, on which a namespace took articles in. */
export interface DetectedDays {
  /** Remembered articles by day. */
  readonly articles: Map<number, number>
  /** Days of which articles were forgotten: what is left of them says nothing of how much there was. */
  readonly lost: Set<number>
  /** A cache: the history of a day. Empty once a day comes or goes. */
  readonly history: Map<number, readonly number[]>
}

export const noDays = (): DetectedDays => ({ articles: new Map(), lost: new Set(), history: new Map() })

/** Day by day, all of its moments: whole milliseconds. */
export const spanOf = (day: number): TimelineSpan => ({ after: day * DAY_MS - 1, until: (day + 1) * DAY_MS - 1 })

/** Of the seven ingestion days before a day those that are remembered whole, the earliest first. */
export function historyOf(days: DetectedDays, day: number): readonly number[] {
  const known = days.history.get(day)
  if (known !== undefined) return known
  const earlier = [...new Set([...days.articles.keys(), ...days.lost])].filter((one) => one < day)
  const history = earlier
    .sort((a, b) => a - b)
    .slice(-PRIOR_DAYS)
    .filter((one) => !days.lost.has(one))
  days.history.set(day, history)
  return history
}

export function countOn({ articles, history }: DetectedDays, day: number, change: number): void {
  const before = articles.get(day) ?? 0
  const after = before + change
  if (after === 0) articles.delete(day)
  else articles.set(day, after)
  if (before === 0 || after === 0) history.clear()
}

/** Marks a day as not whole, or takes the mark away. */
export function lose({ lost, history }: DetectedDays, name: string, isLost: boolean): void {
  const day = Date.parse(name) / DAY_MS
  if (isLost) lost.add(day)
  else lost.delete(day)
  history.clear()
}
