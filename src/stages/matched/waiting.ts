import { DAY_MS } from '../../domain/days.ts'
import { unmatchedStory } from './changelog.ts'
import type { EvaluatedStory } from './evaluate.ts'
import type { MatchedNamespace } from './memory.ts'

/**
 * The stories whose velocity may change although nothing arrives: those with an article of the last 24 hours that meets
 * the conditions of some monitor. Ordered by story id, since the order in which they were watched is not restored.
 */
export function waiting({ monitors, watched }: MatchedNamespace, at: number): readonly EvaluatedStory[] {
  if (![...monitors.values()].some(({ compiled }) => compiled.dependsOnTime)) return []
  return [...watched]
    .filter(({ articles }) => [...articles].some(({ occurred_at }) => occurred_at > at - DAY_MS && occurred_at <= at))
    .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1))
    .map(({ clusterId, articles, known }) => ({
      articles: [...articles],
      known: known ?? unmatchedStory(clusterId),
      at,
    }))
}
