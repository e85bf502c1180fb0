import type { Candidate, ArticleClustered, Decision } from '../../events/ledger.ts'
import { candidates } from './candidates.ts'
import type { Features } from './features.ts'
import { link, linkScore, type ClusteredLink, type LinkScore, type Mean } from './link.ts'
import { nearestMembers, type Cluster } from './live-index.ts'
import type { ClusteredStories } from './memory.ts'
import type { ClusteringModel, Weights } from '../../language/clustering/model.ts'
import type { RememberedMember } from './changelog.ts'
import { linkageScore } from './linkage-features.ts'
import { named, unnamed, type PairKind, type ArticlePair } from './pair.ts'

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

/**
 * A link as named numbers: `size`, `mean_link`, `max_link`, `size_penalty`; `best_headline` (1 or 0) and `best.<feature>`
 * of the nearest member; and for each kind of pair `<kind>.pairs` and `<kind>.<feature>`, the mean over its pairs.
 */
function toFeatures({ size, means, best }: ClusteredLink, scored: LinkScore): Record<string, number> {
  const { mean_link, max_link, size_penalty } = scored
  const features: Record<string, number> = { size, mean_link, max_link, size_penalty }
  features['best_headline'] = best.kind === 'headline' ? 1 : 0
  write(features, 'best', best)
  for (const kind of KINDS) {
    const mean = means[kind]
    if (mean === undefined) continue
    features[`${kind}.pairs`] = mean.pairs
    write(features, kind, { kind, values: mean.values })
  }
  return features
}

/** The link again, from what was recorded of it. */
function fromFeatures(features: Readonly<Record<string, number>>): ClusteredLink {
  const means: Partial<Record<PairKind, Mean>> = {}
  for (const kind of KINDS) {
    const pairs = features[`${kind}.pairs`]
    if (pairs !== undefined) means[kind] = { pairs, values: read(features, kind, kind).values }
  }
  const kind = features['best_headline'] === 1 ? 'headline' : 'body'
  return { size: features['size'] ?? 0, means, best: read(features, 'best', kind) }
}

/** Not by this version's reckoning: a curator's word, and what another version of the stage found. */
const SAID: ReadonlySet<string> = new Set(['curator', 'reprocessed'])

type Recorded = Pick<ArticleClustered, 'action' | 'cluster_id' | 'decision'>

/**
 * The story that follows from a recorded decision and the weights it names; null: one of its own. A revision stays where
 * it was, so its record says how well it fits there.
 */
export function decideAgain(
  { action, cluster_id, decision }: Recorded,
  weights: Pick<Weights, 'pair' | 'join' | 'rebuild'>,
): string | null {
  if (action === 'revised' || SAID.has(decision.rule)) return cluster_id
  if (decision.rule !== 'link') return boundAgain(decision, weights)

  let best: string | null = null
  let highest = weights.join.threshold
  for (const candidate of [decision.chosen, decision.runner_up]) {
    const score = candidate === null ? -Infinity : linkScore(fromFeatures(candidate.features), weights).score
    if (candidate === null || score <= highest) continue
    highest = score
    best = candidate.cluster_id
  }
  return best
}

/** A re-print stays with its original; two groups are one where their bond bears it. */
function boundAgain(decision: Decision, weights: Pick<Weights, 'pair' | 'rebuild'>): string | null {
  const { rule, chosen, runner_up, threshold } = decision
  if (rule === 'copy') return chosen !== null && chosen.score >= threshold ? chosen.cluster_id : null
  const joined = (candidate: Candidate | null): boolean =>
    candidate !== null &&
    (candidate.features['strong_links'] ?? 0) > 0 &&
    linkageScore(candidate.features, weights) > threshold
  // a story that splits off is one because it is not joined with what it leaves
  return [chosen, runner_up].find(joined)?.cluster_id ?? null
}

const KINDS: readonly PairKind[] = ['body', 'headline']

function write(features: Record<string, number>, prefix: string, pair: ArticlePair): void {
  for (const [name, value] of Object.entries(named(pair))) features[`${prefix}.${name}`] = value
}

function read(features: Readonly<Record<string, number>>, prefix: string, kind: PairKind): ArticlePair {
  const own = Object.entries(features).filter(([name]) => name.startsWith(`${prefix}.`))
  return unnamed(kind, Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length + 1), value])))
}
