import { dayOf } from './coverage.ts'
import { knownOf, type TransitionedStory } from './memory.ts'
import type { Departed, TransitionedArticleRecord } from './changelog.ts'

/** What a story keeps of articles that leave memory, beside those that left before. */
export const withDeparted = (
  story: TransitionedStory,
  evicted: readonly TransitionedArticleRecord[],
): Departed | null => evicted.map(asDeparted).reduce<Departed | null>(together, knownOf(story).departed)

/** Of two stories that became one. */
export function together(one: Departed | null, other: Departed | null): Departed | null {
  if (one === null || other === null) return one ?? other
  const days = new Map(Object.entries(one.articles_by_day))
  for (const [day, articles] of Object.entries(other.articles_by_day)) days.set(day, (days.get(day) ?? 0) + articles)
  return {
    first_published: Math.min(one.first_published, other.first_published),
    last_published: Math.max(one.last_published, other.last_published),
    articles_by_day: Object.fromEntries([...days].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const asDeparted = ({ occurred_at }: TransitionedArticleRecord): Departed => ({
  first_published: occurred_at,
  last_published: occurred_at,
  articles_by_day: { [dayOf(occurred_at)]: 1 },
})
