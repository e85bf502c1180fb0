import { dayOf } from '../../domain/days.ts'
import { countBefore } from '../../state/binary-search.ts'
import type { Cluster, LiveIndex, LiveIndexDay } from './live-index.ts'

/** A time span, both ends inclusive. */
export interface LiveSpan {
  readonly from: number
  readonly to: number
}

/** The days on which a search looks for articles, and the time span in which a story has an article if it is live. */
export interface SearchWindow {
  /** Those with articles, in order. */
  readonly days: readonly WindowDay[]
  readonly live: LiveSpan
}

export interface WindowDay {
  readonly number: number
  readonly day: LiveIndexDay
  /** Whether the window holds all of it: then the stories of all its articles are live. */
  readonly isWhole: boolean
}

export function windowOf({ days }: LiveIndex, live: LiveSpan): SearchWindow {
  const [first, last] = [dayOf(live.from), dayOf(live.to)]
  const inWindow: WindowDay[] = []
  for (let number = first; number <= last; number++) {
    const day = days.get(number)
    if (day !== undefined) inWindow.push({ number, day, isWhole: number > first && number < last })
  }
  return { days: inWindow, live }
}

/**
 * Most stories are found by their first and last member. A story that starts before and ends after the window may have
 * no member in it.
 */
export function isLive({ spans, bySlot }: LiveIndex, slot: number, { from, to }: LiveSpan): boolean {
  const first = spans[2 * slot] ?? Infinity
  const last = spans[2 * slot + 1] ?? -Infinity
  if (first > to || last < from) return false
  return first >= from || last <= to || hasMemberIn(bySlot[slot], { from, to })
}

/** Members are ordered by event time. */
function hasMemberIn(cluster: Cluster | undefined, { from, to }: LiveSpan): boolean {
  const members = cluster?.members ?? []
  const timeOf = (i: number): number => members[i]?.features.time ?? Infinity
  return timeOf(countBefore(members.length, (i) => timeOf(i) < from)) <= to
}
