import type { Decision, Origin, PlacingAction } from '../../events/ledger.ts'
import { asCandidate, type RankedCluster } from './rank.ts'

export interface ClusteredVerdict extends Pick<Decision, 'rule' | 'chosen' | 'runner_up' | 'threshold'> {
  readonly action: PlacingAction
  readonly cluster_id: string
}

interface ClusteredVerdictNewcomer {
  /** The id of the story it would open. */
  readonly own: string
  /** That story is in memory: the article founded it and was forgotten since. */
  readonly returns: boolean
  readonly threshold: number
}

/** A new article joins the story it fits best if it fits well enough; else it opens one. */
export function place(
  [best, second]: readonly RankedCluster[],
  { own, returns, threshold }: ClusteredVerdictNewcomer,
): ClusteredVerdict {
  if (best !== undefined && best.scored.score > threshold) {
    return { action: 'joined', cluster_id: best.cluster.id, ...linked(best, second), threshold }
  }
  return { action: returns ? 'revised' : 'opened', cluster_id: own, ...linked(undefined, best), threshold }
}

/** A re-print goes to the story of what it re-prints. What it would fit best is recorded all the same. */
export function follow(
  ranked: readonly RankedCluster[],
  { original, threshold }: { readonly original: string; readonly threshold: number },
  { containment }: Pick<Origin, 'containment'>,
): ClusteredVerdict {
  return {
    action: 'joined',
    cluster_id: original,
    rule: 'copy',
    chosen: { cluster_id: original, score: containment, features: { containment } },
    runner_up: linked(undefined, other(ranked, original)).runner_up,
    threshold,
  }
}

/** A revision stays in its story. What else it would fit is recorded all the same. */
export function keep(ranked: readonly RankedCluster[], own: string, threshold: number): ClusteredVerdict {
  const mine = ranked.find(({ cluster }) => cluster.id === own)
  return { action: 'revised', cluster_id: own, ...linked(mine, other(ranked, own)), threshold }
}

const other = (ranked: readonly RankedCluster[], than: string) => ranked.find(({ cluster }) => cluster.id !== than)

const linked = (
  chosen: RankedCluster | undefined,
  second: RankedCluster | undefined,
): Pick<ClusteredVerdict, 'rule' | 'chosen' | 'runner_up'> => ({
  rule: 'link',
  chosen: chosen === undefined ? null : asCandidate(chosen),
  runner_up: second === undefined ? null : asCandidate(second),
})

export const decision = (
  { rule, chosen, runner_up, threshold }: ClusteredVerdict,
  versions: Decision['versions'],
): Decision => ({ rule, chosen, runner_up, threshold, versions })
