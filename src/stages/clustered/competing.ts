import type { Decision } from '../../events/ledger.ts'
import { linkageScore, toLinkageFeatures } from './linkage-features.ts'
import { NO_CHANGE, type ChangedStories } from './ledger.ts'
import type { Cluster } from './live-index.ts'
import type { ClusteringModel, Weights } from '../../language/clustering/model.ts'
import { comparedOf, inEnglishOrAll, linkLogit, pair } from './pair.ts'
import type { RankedCluster } from './rank.ts'
import { areComparable } from './rebuild/links.ts'
import { areApart, isInEnglish, usesCohesion, usesSize, sidesOf } from './rebuild/unit.ts'
import type { RememberedMember } from './changelog.ts'

/** The changes that a new article causes in competing stories. */
export interface Regrouped {
  /** The story of the new article after the change. */
  readonly clusterId: string
  readonly changed: Omit<ChangedStories, 'assignment_confidence'>
  /** Articles that change their story, in their new state, without the new article. */
  readonly moved: readonly RememberedMember[]
}

type Model = Pick<ClusteringModel, 'weights' | 'versions'>

interface Competing {
  readonly newcomer: RememberedMember
  /**
   * The story the article joined. `undefined` if it opened one, or reprints an article of a story that is not a
   * candidate.
   */
  readonly own: Cluster | undefined
  /** The best-scoring other story. */
  readonly rival: RankedCluster
  /** The new article and the articles of its story that are nearest to it in time. */
  readonly mine: readonly RememberedMember[]
  /** The same for the other story. */
  readonly theirs: readonly RememberedMember[]
}

/**
 * Two stories compete for an article. It may show that they are one (they are merged), or that some articles of the
 * other story belong with it (they move, or split off if it opened a story). This happens at once, so that later
 * articles find the right story and the rebuild has less to change. `null` if nothing changes.
 */
export function regroup(ranked: readonly RankedCluster[], newcomer: RememberedMember, model: Model): Regrouped | null {
  const own = ranked.find(({ cluster }) => cluster.id === newcomer.clusterId)?.cluster
  const rival = ranked.find(({ cluster }) => cluster !== own)
  if (rival === undefined || (own === undefined && !newcomer.founded)) return null
  const { join } = model.weights
  const mine = [newcomer, ...nearest(own, newcomer, join)]
  const competing = { newcomer, own, rival, mine, theirs: nearest(rival.cluster, newcomer, join) }
  return merge(competing, model) ?? move(competing, model)
}

/**
 * The threshold is above that of the rebuild (hysteresis), so that nothing is merged that the rebuild would split
 * again. The larger story keeps its id. If both are equally large, the one the article joined keeps its id.
 */
function merge({ newcomer, own, rival, ...nearby }: Competing, model: Model): Regrouped | null {
  const { join } = model.weights
  if (own === undefined || rival.scored.score <= join.threshold) return null
  const other = rival.cluster
  const mine = [...own.members, newcomer]
  if (areApart(sidesOf(mine), sidesOf(other.members))) return null

  const bond = bondOf(nearby.mine, nearby.theirs, model.weights)
  if (bond.score <= join.merge_threshold) return null

  const [to, from, evicted] = mine.length >= other.members.length ? [own, other, other.members] : [other, own, mine]
  const chosen = { cluster_id: to.id, ...bond }
  const changed = changeOf({ action: 'merged', to: to.id, from, articles: evicted, chosen, runner_up: null }, model)
  return {
    clusterId: to.id,
    changed: { ...changed, occurred_at: newest([...mine, ...other.members]) },
    moved: inStory(from.members, to.id),
  }
}

/**
 * An article changes its story if its mean link to the rest of its story is too low to join it, and its mean link to
 * the story of the new article is high enough to merge (hysteresis). Articles placed by a curator, reprints and their
 * originals stay. At most half of a story's articles move: larger changes are left to the rebuild.
 */
function move({ newcomer, rival: { cluster: other }, mine, theirs }: Competing, model: Model): Regrouped | null {
  const { weights } = model
  const { merge_threshold } = weights.join
  const bound = boundIn(other)
  const moving = theirs.filter(
    (member) =>
      !bound.has(member) &&
      meanLink(member, mine, weights) > merge_threshold &&
      meanLink(member, theirs, weights) <= weights.join.threshold,
  )
  if (moving.length === 0 || 2 * moving.length > other.members.length) return null
  const bond = bondOf(moving, mine, weights)
  const rest = theirs.filter((member) => !moving.includes(member))
  const left = bondOf(newcomer.founded ? [newcomer, ...moving] : moving, rest, weights)
  if (bond.score <= merge_threshold || left.score > merge_threshold) return null

  const to = newcomer.clusterId
  const change = { to, from: other, articles: moving, runner_up: { cluster_id: other.id, ...left } }
  // a split story is justified by its low bond to the story it leaves, so it has no chosen candidate
  const reasoned = newcomer.founded
    ? ({ ...change, action: 'split', chosen: null } as const)
    : ({ ...change, action: 'moved', chosen: { cluster_id: to, ...bond } } as const)
  return {
    clusterId: to,
    changed: { ...changeOf(reasoned, model), occurred_at: newest([...moving, newcomer]) },
    moved: inStory(moving, to),
  }
}

/** Articles that never leave a story individually. */
function boundIn({ members }: Cluster): ReadonlySet<RememberedMember> {
  const originals = new Set(members.map(({ duplicateOf }) => duplicateOf))
  return new Set(
    members.filter(
      ({ articleId, duplicateOf, constraints }) =>
        constraints.length > 0 || duplicateOf !== null || originals.has(articleId),
    ),
  )
}

interface Moving extends Pick<Decision, 'chosen' | 'runner_up'> {
  readonly action: 'merged' | 'split' | 'moved'
  readonly to: string
  readonly from: Cluster
  readonly articles: readonly RememberedMember[]
}

const changeOf = ({ action, to, from, articles, ...reasons }: Moving, { weights, versions }: Model) => ({
  action,
  cluster_id: to,
  decision: {
    rule: 'linkage' as const,
    ...reasons,
    threshold: weights.join.merge_threshold,
    versions,
  },
  change: { ...NO_CHANGE, from_cluster_id: from.id, article_ids: articles.map(({ articleId }) => articleId) },
})

const inStory = (members: readonly RememberedMember[], clusterId: string): RememberedMember[] =>
  members.map((member) => ({ ...member, clusterId }))

/** The members nearest in event time, of those in English if there are any; ties by arrival. */
function nearest(
  story: Cluster | undefined,
  to: RememberedMember,
  { merge_sample }: Weights['join'],
): RememberedMember[] {
  const gap = ({ features }: RememberedMember): number => Math.abs(features.time - to.features.time)
  return [...inEnglishOrAll(story?.members ?? [], isInEnglish)]
    .sort((a, b) => gap(a) - gap(b) || a.order - b.order)
    .slice(0, merge_sample)
}

interface Bond {
  readonly score: number
  readonly features: Record<string, number>
}

/** The bond of two groups, computed as in the rebuild. */
function bondOf(mine: readonly RememberedMember[], theirs: readonly RememberedMember[], weights: Weights): Bond {
  const within = [cohesion(mine, weights), cohesion(theirs, weights)] as const
  const { known, pairs, articles } = comparedPairs(mine, theirs)
  const size = articles.every(usesSize) ? articles.length : null
  const compared = known.map(([a, b]) => pair(a, b))
  const measured = toLinkageFeatures(compared, { pairs, within, size }, weights)
  const strong = compared.filter((found) => linkLogit(found, weights) > weights.rebuild.threshold)
  return { score: linkageScore(measured, weights), features: { ...measured, strong_links: strong.length } }
}

/** The articles of two groups that are compared, their pairs that can be, and the number of all pairs. */
function comparedPairs(mine: readonly RememberedMember[], theirs: readonly RememberedMember[]) {
  const [one, other] = comparedOf(mine, theirs, isInEnglish)
  return {
    known: one.flatMap((a) => other.filter((b) => areComparable(a, b)).map((b) => [a.features, b.features] as const)),
    pairs: one.length * other.length,
    articles: [...one, ...other],
  }
}

/** Mean link of an article to the others of a group. NaN if none can be compared: every comparison with it is false. */
function meanLink(member: RememberedMember, group: readonly RememberedMember[], weights: Weights): number {
  const { known } = comparedPairs(
    [member],
    group.filter((other) => other !== member),
  )
  return known.reduce((sum, [a, b]) => sum + linkLogit(pair(a, b), weights), 0) / known.length
}

/**
 * Mean link within a group. `null` for a single article, or if cohesion does not apply (it applies only to texts
 * without a date).
 */
function cohesion(members: readonly RememberedMember[], weights: Weights): number | null {
  if (members.length < 2 || !members.every(usesCohesion)) return null
  const links = members.flatMap(({ features: a }, i) =>
    members.slice(0, i).map(({ features: b }) => linkLogit(pair(a, b), weights)),
  )
  return links.reduce((sum, value) => sum + value, 0) / links.length
}

const newest = (members: readonly RememberedMember[]): number =>
  members.reduce((time, { features }) => Math.max(time, features.time), -Infinity)
