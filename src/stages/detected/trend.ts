import { DAY_MS, dayOf } from '../../domain/days.ts'
import { storyBaseline, hasLowSupport } from '../../domain/trends/velocity.ts'
import { ORIGINS, originsOf, type Arriving, type Figures, type Level, mostFrequent } from './level.ts'
import { allIn, countIn, type TimelineSpan } from './timeline.ts'

/** Milliseconds: how far before a moment it looks. */
export const TREND_SPANS = [DAY_MS]
const VELOCITY = 5
/** Where what was detected goes on. */
const STAYS = 2.5

/** How fast a story grew in the day before an article of it. Null: not fast. */
export function trend(story: Arriving): Level | null {
  const { coming, at } = story
  const before: TimelineSpan = { after: -Infinity, until: at - DAY_MS }
  const recent: TimelineSpan = { after: at - DAY_MS, until: at }
  const count = countIn(coming, recent)
  if (count < ORIGINS) return null

  const days = (before.until - Math.min(firstOf(story), before.until)) / DAY_MS
  const baseline = storyBaseline(countIn(coming, before), days)
  const velocity = count / baseline
  if (velocity < STAYS) return null
  return {
    isHigh: true,
    crossed: () => (velocity < VELOCITY ? null : crossing(story, { before, recent }, { velocity, baseline, count })),
  }
}

function crossing(
  { coming }: Arriving,
  { before, recent }: Readonly<Record<'before' | 'recent', TimelineSpan>>,
  figures: Pick<Figures, 'velocity' | 'baseline' | 'count'>,
): Figures | null {
  const origins = originsOf(allIn(coming, recent))
  if (origins < ORIGINS) return null
  const history = new Set(allIn(coming, before).map(({ at }) => dayOf(at)))
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

function firstOf({ coming: { timeline, added, without } }: Arriving): number {
  const known = timeline[0] === without ? timeline[1] : timeline[0]
  return Math.min(known?.at ?? Infinity, added.at)
}

/** Of its articles up to then a third has it; the most frequent, by name where two are. */
export function categoryOf({ coming, at }: Arriving): string | null {
  const articles = allIn(coming, { after: -Infinity, until: at })
  const [category, count] = mostFrequent(articles.flatMap(({ categories }) => categories)) ?? [null, 0]
  return count * 3 >= articles.length ? category : null
}
