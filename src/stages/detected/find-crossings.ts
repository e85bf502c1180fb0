import { dayOf } from '../../domain/days.ts'
import type { DetectionType } from '../../events/trends.ts'
import { cross } from './crossings.ts'
import { historyOf } from './days.ts'
import type { Figures, Level } from './level.ts'
import type { DetectedArticle, DetectedEntity, DetectedNamespace } from './memory.ts'
import { crossingsId, type RememberedCrossings } from './changelog.ts'
import { shift, SHIFT_SPANS } from './shift.ts'
import { spike, SPIKE_SPANS } from './spike.ts'
import { moments, type TimelineArrival } from './timeline.ts'
import { categoryOf, trend, TREND_SPANS } from './trend.ts'

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
