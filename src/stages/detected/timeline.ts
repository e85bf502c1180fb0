import { countBefore } from '../../state/binary-search.ts'
import { DAY_MS } from '../../domain/days.ts'
import { PRIOR_DAYS } from '../../domain/trends/velocity.ts'

/** An item with an event time, milliseconds since 1970. */
interface Timed {
  readonly at: number
}

/** The time span after `after`, up to and including `until`: milliseconds since 1970. */
export interface TimelineSpan {
  readonly after: number
  readonly until: number
}

/** The number of items at or before a point in time, in a timeline. */
const upTo = (timeline: readonly Timed[], moment: number): number =>
  countBefore(timeline.length, (i) => (timeline[i]?.at ?? Infinity) <= moment)

/**
 * Lists up to this length are allocated at exact size: most have one or two items, and there are hundreds of thousands.
 */
const SMALL = 16

/** Adds an item to the timeline. Returns a new array while it is small. */
export function put<One extends Timed>(timeline: One[], one: One): One[] {
  const place = upTo(timeline, one.at)
  if (timeline.length < SMALL) return timeline.slice(0, place).concat([one], timeline.slice(place))
  if (place === timeline.length) timeline.push(one)
  else timeline.splice(place, 0, one)
  return timeline
}

export function take<One extends Timed>(timeline: One[], one: One): void {
  const place = timeline.lastIndexOf(one, upTo(timeline, one.at) - 1)
  if (place >= 0) timeline.splice(place, 1)
}

/** A timeline in which `added` replaces `without`. */
export interface TimelineArrival<One extends Timed> {
  readonly timeline: readonly One[]
  readonly added: One
  readonly without: One | null
}

/**
 * The points in time at which windows of the given lengths must be re-evaluated after an arrival: its own event time
 * and, if later items arrived before it, that of the last item that shares a window with it.
 */
export function moments<One extends Timed>(
  { timeline, added: { at } }: TimelineArrival<One>,
  lengths: readonly number[],
) {
  if ((timeline.at(-1)?.at ?? at) <= at) return [at]
  const lasts = lengths.map((length) => Math.max(at, timeline[upTo(timeline, at + length - 1) - 1]?.at ?? at))
  return [...new Set([at, ...lasts])].sort((a, b) => a - b)
}

export const isIn = ({ at }: Timed, { after, until }: TimelineSpan): boolean => at > after && at <= until

export function countIn<One extends Timed>(
  { timeline, added, without }: TimelineArrival<One>,
  span: TimelineSpan,
): number {
  const known = Math.max(0, upTo(timeline, span.until) - upTo(timeline, span.after))
  return known + Number(isIn(added, span)) - Number(without !== null && isIn(without, span))
}

/** The items in a span, ordered by time, except that the added one is last. */
export function allIn<One extends Timed>(
  { timeline, added, without }: TimelineArrival<One>,
  span: TimelineSpan,
): readonly One[] {
  const known = timeline.slice(upTo(timeline, span.after), upTo(timeline, span.until))
  const kept = without === null ? known : known.filter((one) => one !== without)
  return isIn(added, span) ? [...kept, added] : kept
}

/** UTC days of event time, counted since 1970, with articles of a namespace. */
export interface DetectedDays {
  /** Articles in memory by day. */
  readonly articles: Map<number, number>
  /** Days with evicted articles: the remaining count is not the day's total. */
  readonly lost: Set<number>
  /** A cache: the history of a day. Cleared when a day is added or removed. */
  readonly history: Map<number, readonly number[]>
}

export const noDays = (): DetectedDays => ({ articles: new Map(), lost: new Set(), history: new Map() })

/** The time span of a day, in whole milliseconds. */
export const spanOf = (day: number): TimelineSpan => ({ after: day * DAY_MS - 1, until: (day + 1) * DAY_MS - 1 })

/** The complete days among the seven ingestion days before a day, earliest first. */
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

/** Marks a day as incomplete, or removes the mark. */
export function lose({ lost, history }: DetectedDays, name: string, isLost: boolean): void {
  const day = Date.parse(name) / DAY_MS
  if (isLost) lost.add(day)
  else lost.delete(day)
  history.clear()
}
