import { linkageScore, toLinkageFeatures } from './linkage-features.ts'
import { NO_CHANGE, type Changed } from './ledger.ts'
import type { Cluster } from './live-index.ts'
import type { ClusteringModel, Weights } from './model.ts'
import { linkLogit, pair } from './pair.ts'
import type { Ranked } from './rank.ts'
import { areComparable } from './rebuild/links.ts'
import { areApart, isHeldToCohesion, sidesOf } from './rebuild/unit.ts'
import type { RememberedMember } from './remembered.ts'

export interface Merged {
  readonly clusterId: string
  readonly changed: Omit<Changed, 'assignment_confidence'>
  /** Articles that were in the story that ended, as they are now; the newcomer is not among them. */
  readonly moved: readonly RememberedMember[]
}

type Model = Pick<ClusteringModel, 'weights' | 'versions'>

/**
 * Two stories compete for an article that fits both. It may show that they are one: then they are merged at once, so that
 * the next articles find one story, and the daily rebuild has nothing to change. The bar is above that of the rebuild
 * (hysteresis): what the rebuild would take apart again is not merged. The larger story keeps its id, of equals the one
 * the article joined. Null: nothing is merged.
 */
export function mergeCompeting(ranked: readonly Ranked[], newcomer: RememberedMember, model: Model): Merged | null {
  const { join } = model.weights
  const own = ranked.find(({ cluster }) => cluster.id === newcomer.clusterId)?.cluster
  const rival = ranked.find(({ cluster }) => cluster !== own)
  if (own === undefined || rival === undefined || rival.scored.score <= join.threshold) return null
  const other = rival.cluster
  if (areApart(sidesOf([newcomer, ...own.members]), sidesOf(other.members))) return null

  const groups = [[newcomer, ...nearest(own, newcomer, join)], nearest(other, newcomer, join)] as const
  const features = bondOf(...groups, model.weights)
  const score = linkageScore(features, model.weights)
  if (score <= join.merge_threshold) return null

  const mine = [...own.members, newcomer]
  const [to, from, leaving] = mine.length >= other.members.length ? [own, other, other.members] : [other, own, mine]
  const changed: Merged['changed'] = {
    action: 'merged',
    cluster_id: to.id,
    occurred_at: newest([...mine, ...other.members]),
    decision: {
      rule: 'linkage',
      chosen: {
        cluster_id: to.id,
        score,
        features: { ...features, strong_links: strongLinks(...groups, model.weights) },
      },
      runner_up: null,
      threshold: join.merge_threshold,
      versions: model.versions,
    },
    change: { ...NO_CHANGE, from_cluster_id: from.id, article_ids: leaving.map(({ articleId }) => articleId) },
  }
  return { clusterId: to.id, changed, moved: from.members.map((member) => ({ ...member, clusterId: to.id })) }
}

/** Members nearest in event time, of equals the first that came. */
function nearest({ members }: Cluster, to: RememberedMember, { merge_sample }: Weights['join']): RememberedMember[] {
  const gap = ({ features }: RememberedMember): number => Math.abs(features.time - to.features.time)
  return [...members].sort((a, b) => gap(a) - gap(b) || a.order - b.order).slice(0, merge_sample)
}

/** The bond of two groups as the rebuild measures it. */
function bondOf(
  mine: readonly RememberedMember[],
  theirs: readonly RememberedMember[],
  weights: Weights,
): Record<string, number> {
  const within = [cohesion(mine, weights), cohesion(theirs, weights)] as const
  return toLinkageFeatures(comparedPairs(mine, theirs), { pairs: mine.length * theirs.length, within }, weights)
}

const comparedPairs = (mine: readonly RememberedMember[], theirs: readonly RememberedMember[]) =>
  mine.flatMap((a) => theirs.filter((b) => areComparable(a, b)).map((b) => [a.features, b.features] as const))

/** Pairs whose link alone would begin a group in the rebuild. */
const strongLinks = (
  mine: readonly RememberedMember[],
  theirs: readonly RememberedMember[],
  weights: Weights,
): number =>
  comparedPairs(mine, theirs).filter(([a, b]) => linkLogit(pair(a, b), weights) > weights.rebuild.threshold).length

/** Mean link within a group; null: it is one article, or not held to cohesion (only texts without a date are). */
function cohesion(members: readonly RememberedMember[], weights: Weights): number | null {
  if (members.length < 2 || !members.every(isHeldToCohesion)) return null
  const links = members.flatMap(({ features: a }, i) =>
    members.slice(0, i).map(({ features: b }) => linkLogit(pair(a, b), weights)),
  )
  return links.reduce((sum, value) => sum + value, 0) / links.length
}

const newest = (members: readonly RememberedMember[]): number =>
  members.reduce((time, { features }) => Math.max(time, features.time), -Infinity)
