import type { ClusterAction, Decision } from '../../events/articles.ts'
import { asCandidate, type Ranked } from './rank.ts'

export interface Verdict {
  readonly action: ClusterAction
  readonly cluster_id: string
  readonly chosen: Ranked | null
  readonly runner_up: Ranked | null
}

interface Newcomer {
  /** The id of the story it would open. */
  readonly own: string
  /** That story is in memory: the article founded it and was forgotten since. */
  readonly returns: boolean
  readonly threshold: number
}

/** A new article joins the story it fits best if it fits well enough; else it opens one. */
export function place([best, second]: readonly Ranked[], newcomer: Newcomer): Verdict {
  if (best !== undefined && best.scored.score > newcomer.threshold) {
    return { action: 'joined', cluster_id: best.cluster.id, chosen: best, runner_up: second ?? null }
  }
  return {
    action: newcomer.returns ? 'revised' : 'opened',
    cluster_id: newcomer.own,
    chosen: null,
    runner_up: best ?? null,
  }
}

/** A revision stays in its story. What else it would fit is recorded all the same. */
export function keep(ranked: readonly Ranked[], own: string): Verdict {
  const chosen = ranked.find(({ cluster }) => cluster.id === own) ?? null
  const runner_up = ranked.find(({ cluster }) => cluster.id !== own) ?? null
  return { action: 'revised', cluster_id: own, chosen, runner_up }
}

export const decision = (
  { chosen, runner_up }: Verdict,
  { threshold, versions }: Pick<Decision, 'threshold' | 'versions'>,
): Decision => ({
  rule: 'link',
  chosen: chosen === null ? null : asCandidate(chosen),
  runner_up: runner_up === null ? null : asCandidate(runner_up),
  threshold,
  versions,
})
