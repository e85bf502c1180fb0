import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import type { ArticleClustered } from '../../events/ledger.ts'
import type { Input } from '../../runtime/shapes.ts'
import { features, type Features } from '../../stages/clustered/features.ts'
import { link, linkScore } from '../../stages/clustered/pair.ts'
import { nearestMembers, type Cluster } from '../../stages/clustered/live-index.ts'
import type { ClusteredState, ClusteredStories } from '../../stages/clustered/memory.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import { clustered, type ClusteredStage } from '../../stages/clustered/stage.ts'
import { median } from '../rounds.ts'
import { arriving, asRemembered, livingStories, NAMESPACE, worldOf } from './world.ts'

export interface LiveFigure {
  readonly live_clusters: number
  readonly articles_in_memory: number
  readonly newcomers: number
  /** CPU milliseconds an article, medians: the whole decision, and comparing with every live story. */
  readonly decision_ms: number
  readonly every_ms: number
  readonly ratio: number
  /** Newcomers for which both choose the same story, or none; and of those that any of them joins to one. */
  readonly identical_share: number
  readonly joined: number
  readonly identical_share_of_joined: number
  /** Deciding and remembering, on one core. */
  readonly articles_a_second: number
  /** Of that time, what reading the article takes. */
  readonly features_share: number
  readonly bytes_a_cluster: number
  readonly bytes_an_article: number
}

export interface ClusterBenchInput {
  /** Analysed articles with their vectors: most of them make up the memory, the others come. */
  readonly articles: readonly ArticleAnalyzed[]
  readonly model: ClusteringModel
  /** Texts remembered, as configured. */
  readonly texts: number
  readonly onProgress: (line: string) => void
}

export interface LiveBenchSize {
  /** Live stories elsewhere, beside those at home. */
  readonly clusters: number
  /** Articles that come; each is also compared with every story. */
  readonly newcomers: number
}

/** Nothing is forgotten while it is measured. */
export const NOT_FULL = 10_000_000

/** One namespace with so many live stories: what a decision costs, beside comparing with every story. */
export function benchLive(given: ClusterBenchInput, { clusters, newcomers }: LiveBenchSize): LiveFigure {
  const { model, texts, onProgress } = given
  const stage = clustered({ ...model, budget: NOT_FULL, texts })
  const { window_days } = model.weights.join
  const world = worldOf(given.articles, newcomers, window_days)
  const real = asRemembered(world.rest, model)
  onProgress(`${clusters} live stories are put into memory ...`)
  const filling = filled(stage, livingStories(real, { clusters, days: window_days, mu: model.mu }))
  const { members, bytes } = filling
  onProgress(`${world.before.length} real articles are decided ...`)
  const state = lived(stage, filling.state, arriving(world.before, members))
  const counted = arriving(world.come, members + world.before.length)
  onProgress(`${counted.length} articles are decided ...`)
  const decisions = counted.map((input) => timed(() => choice(stage.decide(state, input))))
  onProgress('they are compared with every story ...')
  const stories = state.namespaces.get(NAMESPACE)
  const live = stories?.clusters.size ?? 0
  const all = counted.map(({ event }) => timed(() => bestOfAll(stories, event, model)))
  const rate = total(() => lived(stage, state, counted))
  const reading = total(() => counted.forEach(({ event }) => features(event, model)))
  const pairs = decisions.flatMap(({ value }, i) => (value === 'copy' ? [] : [[value, all[i]?.value] as const]))
  const joined = pairs.filter(([one, other]) => one !== null || other !== null)
  const decision_ms = median(decisions.map(({ ms }) => ms))
  const every_ms = median(all.map(({ ms }) => ms))
  return {
    live_clusters: live,
    articles_in_memory: members + world.before.length,
    newcomers: counted.length,
    decision_ms,
    every_ms,
    ratio: every_ms / decision_ms,
    identical_share: same(pairs),
    joined: joined.length,
    identical_share_of_joined: same(joined),
    articles_a_second: (counted.length / rate) * 1000,
    features_share: reading / rate,
    bytes_a_cluster: bytes / clusters,
    bytes_an_article: bytes / members,
  }
}

const same = (pairs: readonly (readonly [unknown, unknown])[]): number =>
  pairs.length === 0 ? 1 : pairs.filter(([one, other]) => one === other).length / pairs.length

/** Memory with these entries, and the bytes that it takes. */
export function filled(stage: ClusteredStage, entries: Iterable<Parameters<ClusteredStage['memory']['evolve']>[1]>) {
  const before = bytesInUse()
  let state = stage.memory.empty()
  let members = 0
  for (const entry of entries) {
    state = stage.memory.evolve(state, entry)
    members++
  }
  return { state, members, bytes: bytesInUse() - before }
}

/** Story joined; null: none; `copy`: a re-print, which no comparison decides. */
function choice(decided: ReturnType<ClusteredStage['decide']>): string | null {
  const [event]: readonly (ArticleClustered | undefined)[] = decided.kind === 'emit' ? decided.events : []
  if (event === undefined) throw new Error('The clusterer did not place an article of the bench')
  return event.decision.rule === 'copy' ? 'copy' : (event.decision.chosen?.cluster_id ?? null)
}

/** The same scoring on every story, without a search: the best story above the threshold. */
function bestOfAll(
  stories: ClusteredStories | undefined,
  article: ArticleAnalyzed,
  model: ClusteringModel,
): string | null {
  const own = features(article, model)
  if (own === null || stories === undefined) return null
  let best: Scored = { cluster: null, score: model.weights.join.threshold }
  for (const cluster of stories.clusters.values()) {
    const score = scoreOf(cluster, own, model)
    if (isBetter({ cluster, score }, best)) best = { cluster, score }
  }
  return best.cluster?.id ?? null
}

interface Scored {
  readonly cluster: Cluster | null
  readonly score: number
}

function scoreOf(cluster: Cluster, own: Features, { weights }: Pick<ClusteringModel, 'weights'>): number {
  const members = nearestMembers(cluster, own.time, weights.join.members_compared).map((member) => member.features)
  const found = link(own, { members, size: cluster.members.length }, weights.pair)
  return found === null ? -Infinity : linkScore(found, weights).score
}

/** Of equal scores: the story with the newer newest member, then the smaller id. */
function isBetter(one: Scored, other: Scored): boolean {
  if (one.score !== other.score) return one.score > other.score
  if (one.cluster === null || other.cluster === null) return false // it only equals the threshold
  const newer = newestOf(one.cluster) - newestOf(other.cluster)
  return newer > 0 || (newer === 0 && one.cluster.id < other.cluster.id)
}

const newestOf = ({ members }: Cluster): number => members.at(-1)?.features.time ?? -Infinity

/** All decided and remembered, one after the other. */
function lived(
  stage: ClusteredStage,
  state: ClusteredState,
  inputs: readonly Input<ArticleAnalyzed>[],
): ClusteredState {
  for (const input of inputs) {
    for (const entry of stage.decide(state, input).remember) state = stage.memory.evolve(state, entry)
  }
  return state
}

export const total = (work: () => void): number => timed(work).ms

export function timed<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const before = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(before)
  return { value, ms: (user + system) / 1000 }
}

/** After everything that nobody needs has been collected. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
