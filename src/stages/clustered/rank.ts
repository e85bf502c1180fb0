import type { Candidate, ArticleClustered, Decision, Origin, AssignmentAction } from '../../events/ledger.ts'
import { candidates, type ClusterCandidate } from './candidates.ts'
import { expectedScore } from './expected-score.ts'
import type { Features } from './features.ts'
import {
  inEnglishOrAll,
  link,
  linkScore,
  mayJoin,
  type ClusteredLink,
  type LinkScore,
  type Mean,
  KINDS,
  named,
  unnamed,
  type PairKind,
  type ArticlePair,
} from './pair.ts'
import { hasNoEnglish, membersByDistance, type Cluster } from './live-index.ts'
import type { ClusteredStories } from './memory.ts'
import { isForeign } from './packed-features.ts'
import { isInEnglish } from './rebuild/unit.ts'
import type { ClusteringModel, Weights } from '../../language/clustering/model.ts'
import type { RememberedMember } from './changelog.ts'
import { linkageScore } from './linkage-features.ts'

/** A story, the article's link to it, and its score. */
export interface RankedCluster {
  readonly cluster: Cluster
  readonly link: ClusteredLink
  readonly scored: LinkScore
}

interface RankInput {
  readonly article: Features
  /** The article's earlier revision. Its story is always ranked, by its other members. */
  readonly earlier: RememberedMember | null
}

/**
 * A story is compared unless its expected score is this much below the second-best score so far, or below a score with
 * which it may still give articles to a new story.
 */
const EXPECTED_MARGIN = 2
/** A story with a score this much below the threshold, or more, may give articles to a new story. */
const RIVAL_MARGIN = 1
/** Stories compared at least: a record shows the best two, however low their scores are. */
const LEAST_COMPARED = 4
/**
 * Stories whose score is expected, for each that the weights allow. By sketch alone, the story that an article joins is
 * not always among the nearest 32; a day between two articles counts as much as 12 bits.
 */
const REACH = 8
/** Stories compared at most, those with the highest expected scores. */
const MOST_COMPARED = 24
/**
 * A story with more articles than `FEW` is compared by `SAMPLED` of them first, and left out if that score is too low. In
 * one of a thousand the score by all is 1.8 higher. Most stories that are compared in vain are large ones.
 */
const SAMPLED = 4
const FEW = 8

/**
 * The stories that an article may join, ordered by score: the best two and others that were compared on the way to them,
 * and all that are compared across languages, whose scores are not expected beforehand and leave out no others.
 * Ties: the story with the more recent newest member, then the smaller id.
 */
export function rank(
  stories: ClusteredStories,
  { article, earlier }: RankInput,
  { weights, mu }: Pick<ClusteringModel, 'weights' | 'mu'>,
): RankedCluster[] {
  const own = earlier === null ? undefined : stories.clusters.get(earlier.clusterId)
  const { by_sketch, by_keys } = weights.candidates
  const reach = { ...weights, candidates: { by_sketch: REACH * by_sketch, by_keys: REACH * by_keys } }
  const others = candidates(stories.index, article, { weights: reach, mu }).filter(({ cluster }) => cluster !== own)
  const compare = (cluster: Cluster, least = -Infinity): RankedCluster[] =>
    compared(cluster, { article, earlier, own, least, index: stories.index }, weights)
  const ranked: RankedCluster[] = []
  const best = [-Infinity, -Infinity] // the two highest scores, the lower one first
  const isAcross = (one: ClusterCandidate): boolean => isForeign(article) || hasNoEnglish(stories.index, one.slot)
  for (const { cluster, expected } of byExpectedScore(
    others.filter((one) => !isAcross(one)),
    article,
    stories,
  )) {
    const [second = -Infinity] = best
    const least = ranked.length < LEAST_COMPARED ? second : Math.max(second, weights.join.threshold - RIVAL_MARGIN)
    if (expected + EXPECTED_MARGIN < least) break
    for (const next of compare(cluster, least - EXPECTED_MARGIN)) {
      ranked.push(next)
      best.push(next.scored.score)
    }
    best.sort((a, b) => a - b).splice(0, best.length - 2)
  }
  const across = others.filter(isAcross).flatMap(({ cluster }) => compare(cluster))
  return [...(own === undefined ? [] : compare(own)), ...ranked, ...across].sort(inOrder)
}

interface ExpectedCluster {
  readonly cluster: Cluster
  readonly expected: number
}

/** The highest expected scores first; ties by smaller story id. */
function byExpectedScore(
  found: readonly ClusterCandidate[],
  article: Features,
  { index }: ClusteredStories,
): ExpectedCluster[] {
  const scores = Float64Array.from(found, (candidate) => expectedScore(candidate, article, index))
  const least = scores.toSorted().at(-MOST_COMPARED) ?? -Infinity
  return found
    .flatMap(({ cluster }, i) => ((scores[i] ?? 0) < least ? [] : [{ cluster, expected: scores[i] ?? 0 }]))
    .sort((a, b) => b.expected - a.expected || (a.cluster.id < b.cluster.id ? -1 : 1))
    .filter(({ expected }, i) => i < MOST_COMPARED || expected === Infinity)
}

interface RankedFor extends RankInput {
  /** The story of the article's earlier revision. */
  readonly own: Cluster | undefined
  /** A story with a lower score may be left out. */
  readonly least: number
  readonly index: Pick<ClusteredStories['index'], 'foreign'>
}

/** Empty if the article can be compared with no member, or may not join the story. A revision is in its story already. */
function compared(
  cluster: Cluster,
  { article, earlier, own, least, index }: RankedFor,
  weights: Weights,
): RankedCluster[] {
  const counted = countedFor(article, cluster, index)
  const size = counted.length - Number(earlier !== null && counted.includes(earlier))
  const compare = (of: readonly Features[]): RankedCluster[] => {
    const found = link(article, { members: of, size }, weights.pair)
    return found === null ? [] : [{ cluster, link: found, scored: linkScore(found, weights) }]
  }
  const nearest = (most: number): Features[] =>
    comparable(counted, { article, earlier, most, nearest: weights.join.members_compared })
  const few = nearest(FEW + 1)
  const isLarge = few.length > FEW
  if (isLarge && compare(few.slice(0, SAMPLED)).some(({ scored }) => scored.score < least)) return []
  const members = isLarge ? nearest(weights.join.members_compared) : few
  return cluster !== own && !mayJoin(article, members, weights.join) ? [] : compare(members)
}

/** For an article in English the members in English, if there are any. */
const countedFor = (article: Features, { slot, members }: Cluster, { foreign }: RankedFor['index']) =>
  isForeign(article) || foreign[slot] === 0 ? members : inEnglishOrAll(members, isInEnglish)

interface ComparableOf extends RankInput {
  /** The most members returned. */
  readonly most: number
  /** The most members looked at, those nearest in time. */
  readonly nearest: number
}

/** The members nearest in time, without the earlier revision and those whose vectors are of another model. */
function comparable(
  members: readonly RememberedMember[],
  { article, earlier, most, nearest }: ComparableOf,
): Features[] {
  const found: Features[] = []
  for (const member of membersByDistance({ members }, article.time, nearest + 1)) {
    if (found.length === most) break
    if (member !== earlier && member.features.encoder === article.encoder) found.push(member.features)
  }
  return found
}

/** The candidate as it is recorded. */
const asCandidate = ({ cluster, link: found, scored }: RankedCluster): Candidate => ({
  cluster_id: cluster.id,
  score: scored.score,
  features: toFeatures(found, scored),
})

const inOrder = (a: RankedCluster, b: RankedCluster): number =>
  b.scored.score - a.scored.score || newest(b.cluster) - newest(a.cluster) || (a.cluster.id < b.cluster.id ? -1 : 1)

const newest = ({ members }: Cluster): number => members.at(-1)?.features.time ?? -Infinity

/**
 * A link as named numbers: `size`, `mean_link`, `max_link`, `size_penalty`; `best_headline` (1 or 0), `best_cross` (1, or
 * absent) and `best.<feature>`
 * of the nearest member; and for each kind of pair `<kind>.pairs` and `<kind>.<feature>`, the mean over its pairs.
 */
function toFeatures({ size, means, best }: ClusteredLink, scored: LinkScore): Record<string, number> {
  const { mean_link, max_link, size_penalty } = scored
  const features: Record<string, number> = { size, mean_link, max_link, size_penalty }
  features['best_headline'] = best.kind === 'headline' ? 1 : 0
  if (best.kind === 'cross') features['best_cross'] = 1
  write(features, 'best', best)
  for (const kind of KINDS) {
    const mean = means[kind]
    if (mean === undefined) continue
    features[`${kind}.pairs`] = mean.pairs
    write(features, kind, { kind, values: mean.values })
  }
  return features
}

/** Restores the link from its recorded features. */
function fromFeatures(features: Readonly<Record<string, number>>): ClusteredLink {
  const means: Partial<Record<PairKind, Mean>> = {}
  for (const kind of KINDS) {
    const pairs = features[`${kind}.pairs`]
    if (pairs !== undefined) means[kind] = { pairs, values: unnamed(kind, features, `${kind}.`).values }
  }
  const kind = features['best_cross'] === 1 ? 'cross' : features['best_headline'] === 1 ? 'headline' : 'body'
  return { size: features['size'] ?? 0, means, best: unnamed(kind, features, 'best.') }
}

/** Rules that this version does not compute: a curator's correction, and the result of another version of the stage. */
const NOT_RECOMPUTED: ReadonlySet<string> = new Set(['curator', 'reprocessed'])
type Recorded = Pick<ArticleClustered, 'action' | 'cluster_id' | 'decision'>

/**
 * Recomputes the story from a recorded decision and the weights it names. `null` if the article opens a story of its
 * own. A revision stays in its story; its record shows how well it fits there.
 */
export function decideAgain(
  { action, cluster_id, decision }: Recorded,
  weights: Pick<Weights, 'pair' | 'join' | 'rebuild'>,
): string | null {
  if (action === 'revised' || NOT_RECOMPUTED.has(decision.rule)) return cluster_id
  if (decision.rule !== 'link') return recomputedCluster(decision, weights)

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

/** A reprint stays with its original. Two groups are joined if their bond is above the threshold. */
function recomputedCluster(decision: Decision, weights: Pick<Weights, 'pair' | 'rebuild'>): string | null {
  const { rule, chosen, runner_up, threshold } = decision
  if (rule === 'copy') return chosen !== null && chosen.score >= threshold ? chosen.cluster_id : null
  const joined = (candidate: Candidate | null): boolean =>
    candidate !== null &&
    (candidate.features['strong_links'] ?? 0) > 0 &&
    linkageScore(candidate.features, weights) > threshold
  // a split story is justified by its low bond to the story it leaves
  return [chosen, runner_up].find(joined)?.cluster_id ?? null
}

function write(features: Record<string, number>, prefix: string, pair: ArticlePair): void {
  for (const [name, value] of Object.entries(named(pair))) features[`${prefix}.${name}`] = value
}

export interface ClusteredVerdict extends Pick<Decision, 'rule' | 'chosen' | 'runner_up' | 'threshold'> {
  readonly action: AssignmentAction
  readonly cluster_id: string
}

interface ClusteredVerdictNewcomer {
  /** The id of the story it would open. */
  readonly own: string
  /** Whether that story is in memory: the article founded it and was evicted since. */
  readonly returns: boolean
  readonly threshold: number
}

/** A new article joins the highest-scoring story above the threshold, or opens one. */
export function assign(
  [best, second]: readonly RankedCluster[],
  { own, returns, threshold }: ClusteredVerdictNewcomer,
): ClusteredVerdict {
  if (best !== undefined && best.scored.score > threshold) {
    return { action: 'joined', cluster_id: best.cluster.id, ...linked(best, second), threshold }
  }
  return { action: returns ? 'revised' : 'opened', cluster_id: own, ...linked(undefined, best), threshold }
}

/** A reprint joins the story of its original. The best other candidates are recorded as well. */
export function joinOriginal(
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

/** A revision stays in its story. The best other candidates are recorded as well. */
export function keepStory(ranked: readonly RankedCluster[], own: string, threshold: number): ClusteredVerdict {
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
