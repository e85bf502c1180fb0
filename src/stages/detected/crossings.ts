import { DAY_MS, HOUR_MS } from '../../domain/days.ts'
import type { Figures, Level } from './level.ts'
import type { Crossing } from './changelog.ts'

/** How long it must not have been high before it may be detected again. */
const CALM_MS = DAY_MS

/** Up to here the days before hold what was detected, and are no measure of what is usual since. */
const AGAIN_MS = 7 * DAY_MS

/** Moments nearer than this to what is known of a crossing are not written down: one entry an hour is enough. */
const STEP_MS = HOUR_MS

/** Of one subject: there is hardly more than one in two days. Those the longest way from the newest word are forgotten. */
const MOST = 100

interface CrossingResult {
  /** The same list: as they were. */
  readonly crossings: readonly Crossing[]
  /** What is to be detected. */
  readonly news: Figures | null
}

/** What a level makes of the crossings detected so far: one goes on, or a new one begins. All in event time, in any order. */
export function cross(crossings: readonly Crossing[], at: number, level: Level): CrossingResult {
  const near = crossings.find(({ from, last }) => at >= from - CALM_MS && at <= last + CALM_MS)
  if (near !== undefined) return { crossings: level.isHigh ? extended(crossings, near, at) : crossings, news: null }
  const again = crossings.some(({ from, last }) => from < at && at <= last + AGAIN_MS)
  const news = level.crossed(again)
  return { crossings: news === null ? crossings : nearest([...crossings, { from: at, last: at }], at), news }
}

function extended(crossings: readonly Crossing[], near: Crossing, at: number): readonly Crossing[] {
  if (at >= near.from - STEP_MS && at <= near.last + STEP_MS) return crossings
  const longer = { from: Math.min(near.from, at), last: Math.max(near.last, at) }
  return crossings.map((one) => (one === near ? longer : one))
}

/** Of two subjects that became one. */
export const together = (some: readonly Crossing[], others: readonly Crossing[]): readonly Crossing[] =>
  nearest([...some, ...others], Infinity)

/** By time; where there are too many those around a moment: an old corpus is detected no more often than today's news. */
function nearest(crossings: readonly Crossing[], at: number): readonly Crossing[] {
  const inOrder = [...crossings].sort((a, b) => a.from - b.from || a.last - b.last)
  if (inOrder.length <= MOST) return inOrder
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  const isLastFurther = Math.abs((last?.from ?? 0) - at) > Math.abs((first?.from ?? 0) - at)
  return nearest(isLastFurther ? inOrder.slice(0, -1) : inOrder.slice(1), at)
}
