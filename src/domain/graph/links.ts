import { similarity } from './centre.ts'
import { isShared, type StoryPair } from './join.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory, LedgerLink, Link } from './story.ts'

/** The links of two stories that share enough: `shared_entities`, and `merged_with` if parallel stories converged. */
export function linksOf(pair: StoryPair, rules: GraphRules): readonly Link[] {
  const { one, other, confidence, shared_entities } = pair
  if (!isShared(pair, rules)) return []
  const shared: Link = {
    source: one.cluster_id,
    target: other.cluster_id,
    type: 'shared_entities',
    directed: false,
    confidence,
    shared_entities,
  }
  if (!isParallel(one, other) || confidence < rules.merged.confidence) return [shared]
  const near = similarity(one.centre, other.centre)
  if (near < rules.merged.similarity) return [shared]
  // Parallel stories that converged.
  return [shared, { ...shared, type: 'merged_with', confidence: (confidence + Math.min(1, near)) / 2 }]
}

/** Whether the two stories overlap in time. */
const isParallel = (a: GraphStory, b: GraphStory): boolean => a.first_at <= b.last_at && b.first_at <= a.last_at

/** The link of a ledger entry, which is certain. */
export const linkOfLedger = ({ source, target, type }: LedgerLink): Link => ({
  source,
  target,
  type,
  confidence: 1,
  shared_entities: [],
  directed: type === 'split_from',
})
