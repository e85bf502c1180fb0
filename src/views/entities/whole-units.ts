import { DAY_MS, HOUR_MS } from '../../domain/days.ts'
import { NOW_AND_LATER } from '../instant.ts'
import type { Window } from '../query.ts'

/** A range of event time from `from` to before `until`, milliseconds since 1970. Empty if both are equal. */
interface TimeRange {
  readonly from: number
  readonly until: number
}

/** The whole UTC hours in a window, and the whole days in these, both before the end of time in the store. */
export function wholeUnits({ from, as_of }: Pick<Window, 'from' | 'as_of'>) {
  const hours = wholeIn({ from: from + 1, until: Math.min(as_of + 1, NOW_AND_LATER) }, HOUR_MS)
  return { hours, days: wholeIn(hours, DAY_MS) }
}

/** If there is none, an empty range at the end. */
function wholeIn({ from, until }: TimeRange, unit: number): TimeRange {
  const first = Math.ceil(from / unit) * unit
  const end = Math.floor(until / unit) * unit
  return first < end ? { from: first, until: end } : { from: until, until }
}
