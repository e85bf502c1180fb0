import { similarity } from './centre.ts'
import type { Pair } from './join.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory, LedgerLink, Link } from './story.ts'

/** What two stories are to each other; their `shared_entities` comes first. */
export type Ties = readonly [Link, ...Link[]]

/** All links of two stories that share enough: `shared_entities` always, what signals say where they are strong. */
export function linksOf(pair: Pair, rules: GraphRules): Ties {
  const { one, other, confidence, shared_entities } = pair
  const shared: Link = {
    ...{ source: one.cluster_id, target: other.cluster_id, type: 'shared_entities' },
    ...{ directed: false, confidence, shared_entities },
  }
  const { kind, earlier, later } = signalOf(pair, rules)
  if (kind === null) return [shared]
  const near = similarity(one.centre, other.centre)
  if (near < kind.least) return [shared]
  const sure = (confidence + Math.min(1, near)) / 2
  return kind.type === 'merged_with'
    ? [shared, { ...shared, type: kind.type, confidence: sure }]
    : [shared, { ...shared, ...chapters(earlier, later), type: kind.type, confidence: sure }]
}

/** Whether the centres of two stories say anything of their links: nobody else's have to be known. */
export const centresMatter = (pair: Pair, rules: GraphRules): boolean => signalOf(pair, rules).kind !== null

function signalOf({ one, other, confidence }: Pair, rules: GraphRules) {
  const [earlier, later] = one.last_at <= other.last_at ? [one, other] : [other, one]
  const gap = later.first_at - earlier.last_at
  return { kind: gap > 0 ? evolved(gap, rules) : merged(confidence, rules), earlier, later }
}

interface Kind {
  readonly type: 'evolved_into' | 'merged_with'
  /** Cosine of the centres. */
  readonly least: number
}

/** One ended some time before the other began. */
const evolved = (gap: number, { evolved: { leastGapMs, mostGapMs, similarity: least } }: GraphRules): Kind | null =>
  gap >= leastGapMs && gap <= mostGapMs ? { type: 'evolved_into', least } : null

/** Both ran at the same time. */
const merged = (confidence: number, { merged: { confidence: enough, similarity: least } }: GraphRules): Kind | null =>
  confidence >= enough ? { type: 'merged_with', least } : null

const chapters = (earlier: GraphStory, later: GraphStory): Pick<Link, 'source' | 'target' | 'directed'> => ({
  ...{ source: earlier.cluster_id, target: later.cluster_id, directed: true },
})

/** What the ledger says is sure. */
export const linkOfLedger = ({ source, target, type }: LedgerLink): Link => ({
  ...{ source, target, type, confidence: 1, shared_entities: [] },
  directed: type === 'split_from',
})
