import { countBefore } from '../../state/binary-search.ts'
import { DAY_MS, dayOf } from '../../domain/days.ts'
import type { Coverage, LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import { origins } from '../../domain/lifecycle/origins.ts'
import { knownOf, timesOf, type TransitionedStory } from './memory.ts'
import type { Departed } from './changelog.ts'

/** How articles covered a story up to a point in time; `null` when it had no article yet. */
export function coverage(story: TransitionedStory, at: number, numbers: LifecycleNumbers): Coverage | null {
  const times = timesOf(story)
  const until = upTo(times, at)
  const [first] = times
  const last = times[until - 1]
  if (first === undefined || last === undefined) return null

  const { departed } = knownOf(story)
  return {
    first_published: Math.min(first, departed?.first_published ?? first),
    last_published: Math.max(last, departed?.last_published ?? last),
    recent_origins: originsSince(story, at, numbers.breaking.windowMs),
    recent_articles: until - upTo(times, at - numbers.developing.windowMs),
    peak_day_articles: peakDay(times.subarray(0, until), departed),
  }
}

/** The number of times at or before a point in time. */
const upTo = (times: Float64Array, moment: number): number =>
  countBefore(times.length, (i) => (times[i] ?? Infinity) <= moment)

function originsSince(story: TransitionedStory, at: number, windowMs: number): number {
  const times = timesOf(story)
  if (upTo(times, at - windowMs) === times.length) return 0
  const published = [...story.articles.values()].filter(({ occurred_at }) => occurred_at <= at)
  const own = origins(published)
  const recent = published.filter(({ occurred_at }) => occurred_at > at - windowMs)
  return new Set(recent.map(({ article_id }) => own.get(article_id))).size
}

function peakDay(times: Float64Array, departed: Departed | null): number {
  const byDay = departed === null ? NONE : new Map(Object.entries(departed.articles_by_day).map(numbered))
  let peak = 0
  let day = NaN
  let count = 0
  for (const time of times) {
    const today = dayOf(time)
    count = today === day ? count + 1 : 1 + (byDay.get(today) ?? 0)
    day = today
    if (count > peak) peak = count
  }
  for (const articles of byDay.values()) if (articles > peak) peak = articles
  return peak
}

const NONE: ReadonlyMap<number, number> = new Map()

/** The day as a number of days since 1970. */
const numbered = ([day, articles]: [string, number]): [number, number] => [Date.parse(day) / DAY_MS, articles]
