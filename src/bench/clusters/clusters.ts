import { articlesNeeded, inputsFor, storedArticles, syntheticStories, NAMESPACE, arrange, NOW } from './world.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { clusteredParts } from '../../wiring/stages.ts'
import { ms, type BenchResult, type BenchPart, type BenchSetting } from '../part.ts'
import type { ArticleClustered } from '../../events/ledger.ts'
import type { Input } from '../../runtime/shapes.ts'
import { features, type Features } from '../../stages/clustered/features.ts'
import { link, linkScore } from '../../stages/clustered/pair.ts'
import { nearestMembers, type Cluster } from '../../stages/clustered/live-index.ts'
import type { ClusteredState, ClusteredStories } from '../../stages/clustered/memory.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import { clustered, type ClusteredStage } from '../../stages/clustered/stage.ts'
import { bytesInUse, ownCpuMs } from '../processes.ts'
import { realArticles } from '../real-articles.ts'
import { median } from '../rounds.ts'
import { dayName, dayOf } from '../../domain/days.ts'
import { dayEntry } from '../../stages/clustered/records.ts'

/**
 * The number of live stories and of arriving articles. Fewer articles arrive if comparing each with every story takes a
 * second.
 */
const LIVE = [
  { clusters: 8_000, newcomers: 200 },
  { clusters: 50_000, newcomers: 60 },
] as const

const WINDOWS = [55, 1_000, 5_000] as const

export const clusters: BenchPart = {
  about: `the clusterer with ${LIVE.map((live) => live.clusters.toLocaleString('en')).join(' and ')} live stories, compared with an exhaustive search; memory; rebuild`,
  alone: measure,
}

async function measure(setting: BenchSetting): Promise<BenchResult> {
  const { wiring } = setting
  const { texts, ...model } = clusteredParts(wiring)
  const { source, articles } = await realArticles(
    setting,
    Math.max(...LIVE.map(({ newcomers }) => articlesNeeded(newcomers))),
  )
  const given: ClusterBenchInput = { articles, model, texts, onProgress: (line) => wiring.out.progress(line) }
  const made_of = `${source}, and copies about other events`
  const live = LIVE.map((size) => benchLive(given, size))
  const rebuild = WINDOWS.map((window) => benchRebuild(given, window))
  return { figures: { made_of, live, rebuild }, lines: table(made_of, live, rebuild) }
}

export interface ClusterBenchInput {
  /** Analysed articles with their vectors. Most of them fill the state, the others arrive. */
  readonly articles: readonly ArticleAnalyzed[]
  readonly model: ClusteringModel
  /** The number of texts in the state, as configured. */
  readonly texts: number
  readonly onProgress: (line: string) => void
}

interface LiveBenchSize {
  /** Synthetic live stories, in addition to those of the real articles. */
  readonly clusters: number
  /** Articles that arrive. Each is also compared with every story. */
  readonly newcomers: number
}

/** A budget that is never reached, so that nothing is evicted during the measurement. */
const UNLIMITED = 10_000_000

/** The cost of a decision in one namespace with many live stories, compared with an exhaustive search. */
export function benchLive(given: ClusterBenchInput, { clusters, newcomers }: LiveBenchSize) {
  const { model, texts, onProgress } = given
  const stage = clustered({ ...model, budget: UNLIMITED, texts })
  const { window_days } = model.weights.join
  const world = arrange(given.articles, newcomers, window_days)
  const real = storedArticles(world.originals, model)
  onProgress(`${clusters} live stories are put into the state ...`)
  const filling = stateOf(stage, syntheticStories(real, { clusters, days: window_days, mu: model.mu }))
  const { members, bytes } = filling
  onProgress(`${world.before.length} real articles are decided ...`)
  const state = decideAll(stage, filling.state, inputsFor(world.before, members))
  const counted = inputsFor(world.arriving, members + world.before.length)
  onProgress(`${counted.length} articles are decided ...`)
  const decisions = counted.map((input) => timed(() => choice(stage.decide(state, input))))
  onProgress('they are compared with every story ...')
  const stories = state.namespaces.get(NAMESPACE)
  const live = stories?.clusters.size ?? 0
  const all = counted.map(({ event }) => timed(() => bestOfAll(stories, event, model)))
  const rate = timed(() => decideAll(stage, state, counted)).ms
  const reading = timed(() => counted.forEach(({ event }) => features(event, model))).ms
  const pairs = decisions.flatMap(({ value }, i) => (value === 'copy' ? [] : [[value, all[i]?.value] as const]))
  const joined = pairs.filter(([one, other]) => one !== null || other !== null)
  const decision_ms = median(decisions.map(({ ms }) => ms))
  const every_ms = median(all.map(({ ms }) => ms))
  return {
    live_clusters: live,
    articles_in_memory: members + world.before.length,
    newcomers: counted.length,
    /** Median CPU milliseconds per article: the whole decision, and comparing it with every live story. */
    ...{ decision_ms, every_ms, ratio: every_ms / decision_ms },
    /**
     * The share of arriving articles for which both choose the same story or none, and the share of those that at least
     * one of them assigns to an existing story.
     */
    identical_share: same(pairs),
    joined: joined.length,
    identical_share_of_joined: same(joined),
    /** Deciding and updating the state, on one core. */
    articles_a_second: (counted.length / rate) * 1000,
    /** The share of that time that extracting the features takes. */
    features_share: reading / rate,
    bytes_a_cluster: bytes / clusters,
    bytes_an_article: bytes / members,
  }
}

const same = (pairs: readonly (readonly [unknown, unknown])[]): number =>
  pairs.length === 0 ? 1 : pairs.filter(([one, other]) => one === other).length / pairs.length

/** The state after these state updates, and its size in bytes. */
function stateOf(stage: ClusteredStage, entries: Iterable<Parameters<ClusteredStage['memory']['evolve']>[1]>) {
  const before = bytesInUse()
  let state = stage.memory.empty()
  let members = 0
  for (const entry of entries) {
    state = stage.memory.evolve(state, entry)
    members++
  }
  return { state, members, bytes: bytesInUse() - before }
}

/**
 * The story that the article joins; `null` if there is none; `copy` for a reprint, which is assigned without a score.
 */
function choice(decided: ReturnType<ClusteredStage['decide']>): string | null {
  const [event]: readonly (ArticleClustered | undefined)[] = decided.kind === 'emit' ? decided.events : []
  if (event === undefined) throw new Error('The clusterer did not place an article of the bench')
  return event.decision.rule === 'copy' ? 'copy' : (event.decision.chosen?.cluster_id ?? null)
}

/** An exhaustive search with the same scores: the best story above the threshold. */
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

/** If scores are equal, the story with the newer latest member wins, then the smaller id. */
function isBetter(one: Scored, other: Scored): boolean {
  if (one.score !== other.score) return one.score > other.score
  if (one.cluster === null || other.cluster === null) return false // the score only equals the threshold
  const newer = newestOf(one.cluster) - newestOf(other.cluster)
  return newer > 0 || (newer === 0 && one.cluster.id < other.cluster.id)
}

const newestOf = ({ members }: Cluster): number => members.at(-1)?.features.time ?? -Infinity

/** Decides all inputs in order and updates the state. */
function decideAll(
  stage: ClusteredStage,
  state: ClusteredState,
  inputs: readonly Input<ArticleAnalyzed>[],
): ClusteredState {
  for (const input of inputs) {
    for (const entry of stage.decide(state, input).remember) state = stage.memory.evolve(state, entry)
  }
  return state
}

function timed<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const before = ownCpuMs()
  const value = work()
  return { value, ms: ownCpuMs() - before }
}

const ROUNDS = 3
/** Articles that arrive one by one. */
const SINGLE = 10
/** Days before `NOW` over which articles are spread: back to early on the first of the window's five event days. */
const DAYS_BACK = 4.4

/**
 * A tick at the end of a day with this many articles in its window, of which those of earlier days are already
 * reclustered, and one after a single article has arrived on the reclustered day.
 */
export function benchRebuild({ articles, model, texts, onProgress }: ClusterBenchInput, window: number) {
  onProgress(`a day is rebuilt with ${window} articles in its window ...`)
  const stage = clustered({ ...model, budget: UNLIMITED, texts })
  const real = storedArticles(articles, model)
  const stories = syntheticStories(real, { clusters: window, days: DAYS_BACK, mu: model.mu })
  const filled = stateOf(stage, firstOf(stories, window))
  const today = dayOf(NOW)
  let { state } = filled
  for (let day = today - model.weights.rebuild.window_days; day < today; day++) {
    state = stage.memory.evolve(state, dayEntry(NAMESPACE, { day: dayName(day), up_to: UNLIMITED }))
  }
  const event = { event_id: 'tick', namespace: NAMESPACE, tick_at: NOW, flush: true }
  const tick = {
    event,
    topic: 'clock.ticked',
    place: { topic: 'clock.ticked', partition: 0, offset: 0 },
    loggedAt: NOW,
  }
  const ticks = Array.from({ length: ROUNDS }, () => timed(() => stage.decide(state, tick)))
  const ticks_after_one = inputsFor(arrange(articles, SINGLE, 1).arriving, UNLIMITED).map((input) => {
    state = stage.memory.evolve(state, dayEntry(NAMESPACE, { day: dayName(today), up_to: input.place.offset }))
    state = decideAll(stage, state, [input])
    return timed(() => stage.decide(state, tick))
  })
  const [first] = ticks
  const changes = first?.value.kind === 'emit' ? first.value.events.filter(({ action }) => action !== 'rebuilt') : []
  const tick_ms = median(ticks.map(({ ms }) => ms))
  return {
    articles_in_window: window,
    /**
     * CPU milliseconds of one tick that reclusters the last day, median of three, and the same per article of its
     * window.
     */
    ...{ tick_ms, ms_an_article: tick_ms / window },
    /** The median of ticks after one more article each. */
    one_article_ms: median(ticks_after_one.map(({ ms }) => ms)),
    /** Changes of stories: merges, splits and moves. */
    changes: changes.length,
  }
}

function* firstOf<Item>(items: Iterable<Item>, count: number): Generator<Item> {
  let taken = 0
  for (const item of items) {
    if (taken++ === count) return
    yield item
  }
}

const KB = 1024

const table = (
  source: string,
  live: readonly ReturnType<typeof benchLive>[],
  rebuild: readonly ReturnType<typeof benchRebuild>[],
): readonly string[] => [
  `  made of ${source}`,
  ...live.flatMap((f) => [
    `  ${f.live_clusters.toLocaleString('en')} live stories of ${f.articles_in_memory.toLocaleString('en')} articles, ${f.newcomers} come`,
    `    CPU ms an article       ${ms(f.decision_ms)}   with every story ${f.every_ms.toFixed(2)}, ${f.ratio.toFixed(1)} times as much`,
    `    choices the same        ${percent(f.identical_share)}   of the ${f.joined} that join a story ${percent(f.identical_share_of_joined).trim()}`,
    `    articles a second       ${f.articles_a_second.toFixed(0).padStart(9)}   on one core, ${percent(f.features_share).trim()} of it reading them`,
    `    memory                  ${kilobytes(f.bytes_a_cluster)} KB a story, ${kilobytes(f.bytes_an_article).trim()} KB an article`,
  ]),
  '  a tick that rebuilds one day',
  ...rebuild.map(
    (f) =>
      `    ${f.articles_in_window.toLocaleString('en').padStart(6)} articles         ${ms(f.tick_ms)} ms, ${f.ms_an_article.toFixed(3)} an article; ${f.changes} changes; ${f.one_article_ms.toFixed(1)} ms after one more article`,
  ),
]

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`.padStart(9)
const kilobytes = (bytes: number): string => (bytes / KB).toFixed(1).padStart(9)
