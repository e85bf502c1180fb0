import { DAY_MS, HOUR_MS, dayOf } from '../../domain/days.ts'
import type { Figures, Level } from './level.ts'
import { type Crossing, crossingsId, type RememberedCrossings } from './changelog.ts'
import type { DetectionType } from '../../events/trends.ts'
import { historyOf, moments, type TimelineArrival } from './timeline.ts'
import type { DetectedArticle, DetectedEntity, DetectedNamespace } from './memory.ts'
import { shift, SHIFT_SPANS } from './shift.ts'
import { spike, SPIKE_SPANS } from './spike.ts'
import { categoryOf, trend, TREND_SPANS } from './trend.ts'

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

export interface DetectedNews extends Figures {
  /** Event time of the crossing. */
  readonly at: number
  readonly category: string | null
}

/** What is to be remembered of a subject's crossings, and what of it is news. */
export interface FoundCrossing {
  readonly crossing: RememberedCrossings
  readonly news: readonly DetectedNews[]
}

interface DetectedArrival {
  readonly added: DetectedArticle
  /** An older revision of it. */
  readonly without: DetectedArticle | null
}

/** What an article makes known, at its event time and as far as it reaches: of its story, and of each entity it names. */
export function found(held: DetectedNamespace, arrival: DetectedArrival): readonly FoundCrossing[] {
  const { entities } = arrival.added
  return [aboutStory(held, arrival), ...entities.flatMap((entity) => aboutEntity(held, entity, arrival))].filter(
    (one) => one !== null,
  )
}

function aboutStory(held: DetectedNamespace, { added, without }: DetectedArrival): FoundCrossing | null {
  const { story } = added
  const coming = { timeline: story.articles, added, without: without?.story === story ? without : null }
  return crossing(held, {
    type: 'trend.detected',
    id: story.id,
    coming,
    spans: TREND_SPANS,
    levelAt: (at) => trend({ coming, at }),
    categoryAt: (at) => categoryOf({ coming, at }),
  })
}

function aboutEntity(
  held: DetectedNamespace,
  entity: DetectedEntity,
  { added, without }: DetectedArrival,
): readonly (FoundCrossing | null)[] {
  const wasIn = without?.entities.includes(entity) ?? false
  const coming = { timeline: entity.articles, added, without: wasIn ? without : null }
  const naming = (at: number) => ({ coming, at, entity, days: historyOf(held.days, dayOf(at)) })
  const subject = { id: entity.id, coming, categoryAt: () => null }
  return [
    crossing(held, { ...subject, type: 'entity.spike', spans: SPIKE_SPANS, levelAt: (at) => spike(naming(at)) }),
    crossing(held, { ...subject, type: 'sentiment.shift', spans: SHIFT_SPANS, levelAt: (at) => shift(naming(at)) }),
  ]
}

interface DetectedSubject {
  readonly type: DetectionType
  readonly id: string
  readonly coming: TimelineArrival<DetectedArticle>
  /** Milliseconds: how far before a moment its levels look. */
  readonly spans: readonly number[]
  readonly levelAt: (at: number) => Level | null
  readonly categoryAt: (at: number) => string | null
}

function crossing(
  held: DetectedNamespace,
  { type, id, coming, spans, levelAt, categoryAt }: DetectedSubject,
): FoundCrossing | null {
  const levels = moments(coming, spans).flatMap((at) => {
    const level = levelAt(at)
    return level === null ? [] : { at, level }
  })
  if (levels.length === 0) return null // as nearly always

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
