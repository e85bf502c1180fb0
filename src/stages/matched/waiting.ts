import { DAY_MS } from '../../domain/days.ts'
import { unmatchedStory } from './changelog.ts'
import type { EvaluatedStory } from './evaluate.ts'
import type { MatchedNamespace, MatchingStory } from './memory.ts'

/**
 * The stories whose velocity may change although nothing arrives: those with an article of the last 24 hours, and a
 * monitor that depends on time and that they did not match yet. Ordered by story id, since the order in which they were
 * watched is not restored.
 */
export function storiesInTime(held: MatchedNamespace, at: number): readonly EvaluatedStory[] {
  const numbers = [...held.monitors.values()]
    .filter(({ active, compiled }) => active && compiled.dependsOnTime)
    .map(({ number }) => number)
  if (numbers.length === 0) return []
  return [...held.watched]
    .filter((story) => mayMatch(story, numbers) && isRecent(story, at))
    .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1))
    .map(({ clusterId, articles, hits, known }) => ({
      known: known ?? unmatchedStory(clusterId),
      hits: new Set(numbers.filter((number) => hits.has(number))),
      articles: () => [...articles],
      at,
    }))
}

const mayMatch = ({ hits, known }: MatchingStory, numbers: readonly number[]): boolean =>
  numbers.some((number) => hits.has(number) && known?.published.includes(number) !== true)

function isRecent({ articles }: MatchingStory, at: number): boolean {
  for (const { occurred_at } of articles) if (occurred_at > at - DAY_MS && occurred_at <= at) return true
  return false
}
