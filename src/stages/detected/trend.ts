import { DAY_MS, dayOf } from '../../domain/days.ts'
import { storyBaseline, hasLowSupport } from '../../domain/trends/velocity.ts'
import { ORIGINS, originsOf, type Arriving, type Figures, type Level, mostFrequent } from './level.ts'
import { allIn, countIn, type TimelineSpan } from './timeline.ts'

/** Window lengths before a point in time, milliseconds. */
export const TREND_SPANS = [DAY_MS]
const VELOCITY = 5
/** A detection continues above this velocity. */
const CONTINUES = 2.5

/** How fast a story grew in the day before one of its articles. `null` if it did not grow fast. */
export function trend(story: Arriving): Level | null {
  const { arrival, at } = story
  const before: TimelineSpan = { after: -Infinity, until: at - DAY_MS }
  const recent: TimelineSpan = { after: at - DAY_MS, until: at }
  const count = countIn(arrival, recent)
  if (count < ORIGINS) return null

  const days = (before.until - Math.min(firstOf(story), before.until)) / DAY_MS
  const baseline = storyBaseline(countIn(arrival, before), days)
  const velocity = count / baseline
  if (velocity < CONTINUES) return null
  return {
    isHigh: true,
    crossed: () => (velocity < VELOCITY ? null : crossing(story, { before, recent }, { velocity, baseline, count })),
  }
}

function crossing(
  { arrival }: Arriving,
  { before, recent }: Readonly<Record<'before' | 'recent', TimelineSpan>>,
  figures: Pick<Figures, 'velocity' | 'baseline' | 'count'>,
): Figures | null {
  const origins = originsOf(allIn(arrival, recent))
  if (origins < ORIGINS) return null
  const history = new Set(allIn(arrival, before).map(({ at }) => dayOf(at)))
  return {
    ...figures,
    window_hours: 24,
    origins,
    p_value: null,
    sentiment_before: null,
    sentiment_after: null,
    low_support: hasLowSupport({ origins, days_of_history: history.size }),
  }
}

function firstOf({ arrival: { timeline, added, without } }: Arriving): number {
  const known = timeline[0] === without ? timeline[1] : timeline[0]
  return Math.min(known?.at ?? Infinity, added.at)
}

/** The most frequent category (ties by name) among the story's articles up to then, if at least a third have it. */
export function categoryOf({ arrival, at }: Arriving): string | null {
  const articles = allIn(arrival, { after: -Infinity, until: at })
  const [category, count] = mostFrequent(articles.flatMap(({ categories }) => categories)) ?? [null, 0]
  return count * 3 >= articles.length ? category : null
}
