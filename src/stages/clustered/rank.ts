import type { Candidate } from '../../events/ledger.ts'
import { candidates } from './candidates.ts'
import { toFeatures } from './explain.ts'
import type { Features } from './features.ts'
import { link, linkScore, type ClusteredLink, type LinkScore } from './link.ts'
import { nearestMembers, type Cluster } from './live-index.ts'
import type { ClusteredStories } from './memory.ts'
import type { ClusteringModel } from '../../domain/clustering/model.ts'
import type { RememberedMember } from './changelog.ts'

/** A story, how the article is linked to it, and what that is worth. */
export interface RankedCluster {
  readonly cluster: Cluster
  readonly link: ClusteredLink
  readonly scored: LinkScore
}

interface RankInput {
  readonly article: Features
  /** The article's earlier revision: its story is always ranked, by its other members. */
  readonly earlier: RememberedMember | null
}

/**
 * Stories in order of how well the article fits them. Equal scores: the story with the newer newest member, then the
 * smaller id.
 */
export function rank(
  stories: ClusteredStories,
  { article, earlier }: RankInput,
  { weights, mu }: Pick<ClusteringModel, 'weights' | 'mu'>,
): RankedCluster[] {
  const own = earlier === null ? undefined : stories.clusters.get(earlier.clusterId)
  const considered = new Set(candidates(stories.index, article, { weights, mu }))
  if (own !== undefined) considered.add(own)

  const ranked: RankedCluster[] = []
  for (const cluster of considered) {
    const size = cluster.members.length - Number(cluster === own)
    const members = nearestMembers(cluster, article.time, weights.join.members_compared + 1)
      .filter((member) => member !== earlier && member.features.encoder === article.encoder)
      .slice(0, weights.join.members_compared)
    const found = link(article, { members: members.map((member) => member.features), size }, weights.pair)
    if (found !== null) ranked.push({ cluster, link: found, scored: linkScore(found, weights) })
  }
  ranked.sort(inOrder)
  return ranked
}

/** As it is recorded. */
export const asCandidate = ({ cluster, link: found, scored }: RankedCluster): Candidate => ({
  cluster_id: cluster.id,
  score: scored.score,
  features: toFeatures(found, scored),
})

const inOrder = (a: RankedCluster, b: RankedCluster): number =>
  b.scored.score - a.scored.score || newest(b.cluster) - newest(a.cluster) || (a.cluster.id < b.cluster.id ? -1 : 1)

const newest = ({ members }: Cluster): number => members.at(-1)?.features.time ?? -Infinity
