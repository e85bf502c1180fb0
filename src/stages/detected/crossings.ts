import { DAY_MS, HOUR_MS, dayOf } from '../../domain/days.ts'
import type { Figures, Level } from './level.ts'
import { type Crossing, crossingsId, type RememberedCrossings } from './changelog.ts'
import type { DetectionType } from '../../events/trends.ts'
import { historyOf, moments, type TimelineArrival } from './timeline.ts'
import type { DetectedArticle, DetectedEntity, DetectedNamespace } from './memory.ts'
import { shift, SHIFT_SPANS } from './shift.ts'
import { spike, SPIKE_SPANS } from './spike.ts'
import { categoryOf, trend, TREND_SPANS } from './trend.ts'

/** Minimum time below the threshold before a new detection. */
const CALM_MS = DAY_MS

/** Until this long after a crossing, the previous days contain it and are no baseline. */
const AGAIN_MS = 7 * DAY_MS

/** A crossing is extended only if it grows by more than this: one entry per hour is enough. */
const STEP_MS = HOUR_MS

/**
 * Maximum crossings per subject (there is hardly more than one in two days). Those furthest from the newest are
 * dropped.
 */
const MOST = 100

interface CrossingResult {
  /** The same array if nothing changed. */
  readonly crossings: readonly Crossing[]
  /** The figures of a new detection; `null` if there is none. */
  readonly news: Figures | null
}

/**
 * Applies a level to the crossings detected so far: extends one, or starts a new one. Event times may come in any
 * order.
 */
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

/** The crossings of two subjects that became one. */
export const together = (some: readonly Crossing[], others: readonly Crossing[]): readonly Crossing[] =>
  nearest([...some, ...others], Infinity)

/**
 * Sorted by time and limited to those nearest to a point in time, so that an old corpus is detected no more often than
 * current news.
 */
function nearest(crossings: readonly Crossing[], at: number): readonly Crossing[] {
  const inOrder = [...crossings].sort((a, b) => a.from - b.from || a.last - b.last)
  if (inOrder.length <= MOST) return inOrder
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  const isLastFurther = Math.abs((last?.from ?? 0) - at) > Math.abs((first?.from ?? 0) - at)
  return nearest(isLastFurther ? inOrder.slice(0, -1) : inOrder.slice(1), at)
}

export interface DetectedNews extends Figures {
  /** Event time of the crossing. */
  readonly at: number
  readonly category: string | null
}

/** The updated crossings of a subject, and the new detections. */
export interface FoundCrossing {
  readonly crossing: RememberedCrossings
  readonly news: readonly DetectedNews[]
}

interface DetectedArrival {
  readonly added: DetectedArticle
  /** An older revision of the article. */
  readonly without: DetectedArticle | null
}

/** The detections caused by an article, for its story and each entity it names, at every event time that it affects. */
export function found(held: DetectedNamespace, arrival: DetectedArrival): readonly FoundCrossing[] {
  const { entities } = arrival.added
  return [aboutStory(held, arrival), ...entities.flatMap((entity) => aboutEntity(held, entity, arrival))].filter(
    (one) => one !== null,
  )
}

function aboutStory(held: DetectedNamespace, { added, without }: DetectedArrival): FoundCrossing | null {
  const { story } = added
  const arrival = { timeline: story.articles, added, without: without?.story === story ? without : null }
  return crossing(held, {
    type: 'trend.detected',
    id: story.id,
    arrival,
    spans: TREND_SPANS,
    levelAt: (at) => trend({ arrival, at }),
    categoryAt: (at) => categoryOf({ arrival, at }),
  })
}

function aboutEntity(
  held: DetectedNamespace,
  entity: DetectedEntity,
  { added, without }: DetectedArrival,
): readonly (FoundCrossing | null)[] {
  const namedBefore = without?.entities.includes(entity) ?? false
  const arrival = { timeline: entity.articles, added, without: namedBefore ? without : null }
  const naming = (at: number) => ({ arrival, at, entity, days: historyOf(held.days, dayOf(at)) })
  const subject = { id: entity.id, arrival, categoryAt: () => null }
  return [
    crossing(held, { ...subject, type: 'entity.spike', spans: SPIKE_SPANS, levelAt: (at) => spike(naming(at)) }),
    crossing(held, { ...subject, type: 'sentiment.shift', spans: SHIFT_SPANS, levelAt: (at) => shift(naming(at)) }),
  ]
}

interface DetectedSubject {
  readonly type: DetectionType
  readonly id: string
  readonly arrival: TimelineArrival<DetectedArticle>
  /** Milliseconds: the lengths of the windows before a point in time. */
  readonly spans: readonly number[]
  readonly levelAt: (at: number) => Level | null
  readonly categoryAt: (at: number) => string | null
}

function crossing(
  held: DetectedNamespace,
  { type, id, arrival, spans, levelAt, categoryAt }: DetectedSubject,
): FoundCrossing | null {
  const levels = moments(arrival, spans).flatMap((at) => {
    const level = levelAt(at)
    return level === null ? [] : { at, level }
  })
  if (levels.length === 0) return null // the common case

  const before = held.crossings.get(crossingsId(type, id)) ?? []
  let crossings = before
  const news: DetectedNews[] = []
  for (const { at, level } of levels) {
    const crossing = cross(crossings, at, level)
    crossings = crossing.crossings
    if (crossing.news !== null) news.push({ ...crossing.news, at, category: categoryAt(at) })
  }
  return crossings === before ? null : { crossing: { type, subject_id: id, crossings }, news }
}
