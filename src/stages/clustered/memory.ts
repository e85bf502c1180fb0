import { dayName, dayOf } from '../../domain/days.ts'
import { tombstone, type Entry } from '../../state/entry.ts'
import { pickOldest } from '../../state/eviction.ts'
import { addTo, takeFrom } from '../../state/keys-by.ts'
import type { Steps } from '../../state/steps.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import { Arrivals } from './arrivals.ts'
import { articleArrived, articleRemoved, dayEvicted, dayRebuilt, noDays, type RebuiltDays } from './days.ts'
import { FeatureBlocks } from './feature-blocks.ts'
import {
  addMember,
  buildIndex,
  closeCluster,
  noIndex,
  openCluster,
  removeMember,
  type Cluster,
  type LiveIndex,
} from './live-index.ts'
import { evictedArticle, type EvictedArticle } from './assignments.ts'
import { fromRecord, textOf } from './records.ts'
import { dayKey, memberKey, type MemberRecord, type RememberedMember } from './changelog.ts'
import { indexTexts, noTexts, type Texts, forgetText, noRecentTexts, rememberText, type RecentTexts } from './texts.ts'

/** The stories of one namespace that are in memory. Owned and mutated by `evolve`. */
export interface ClusteredStories {
  readonly members: Map<string, RememberedMember>
  readonly clusters: Map<string, Cluster>
  /** The newest article of each story. */
  readonly arrivals: Arrivals
  readonly index: LiveIndex
  readonly texts: Texts
  readonly days: RebuiltDays
  /** The articles that each subject page lists. */
  readonly pages: Map<string, Set<RememberedMember>>
}

export interface ClusteredState {
  readonly namespaces: Map<string, ClusteredStories>
  /** Articles kept, over all namespaces. */
  size: number
  readonly recent: RecentTexts
  /** The features of all articles. */
  readonly blocks: FeatureBlocks
}

export interface MemorySettings {
  /** Texts kept, over all namespaces; at most as many as articles. */
  readonly texts: number
}

export function noStories(): ClusteredStories {
  const clusters = new Map<string, Cluster>()
  return {
    members: new Map(),
    clusters,
    arrivals: new Arrivals(({ id, order }) => clusters.get(id)?.newest === order),
    index: noIndex(),
    texts: noTexts(),
    days: noDays(),
    pages: new Map(),
  }
}

export const emptyState = (): ClusteredState => ({
  namespaces: new Map(),
  size: 0,
  recent: noRecentTexts(),
  blocks: new FeatureBlocks(),
})

/** The state of an article or a rebuilt day; `null` evicts the article. */
export type ClusteredUpdate = Entry<MemberRecord>

/** Applies one state update: adds an article to its story, moves or evicts it, or marks a day as rebuilt. */
export function evolve(
  state: ClusteredState,
  { key, value }: ClusteredUpdate,
  settings: MemorySettings,
): ClusteredState {
  const [namespace = '', articleId = '', day] = key.split(':')
  const stories = state.namespaces.get(namespace) ?? noStories()
  state.namespaces.set(namespace, stories)
  if (value?.rebuilt != null) dayRebuilt(stories.days, value.rebuilt)
  else if (day !== undefined) dayEvicted(stories.days, day)
  else replace({ state, stories, settings }, { namespace, articleId }, value)
  if (stories.members.size + stories.days.upTo.size === 0) state.namespaces.delete(namespace)
  return state
}

/** Builds the indexes of all namespaces, in steps. */
export function* buildIndexes(
  { namespaces }: ClusteredState,
  { weights, mu }: Pick<ClusteringModel, 'weights' | 'mu'>,
): Steps<void> {
  for (const { index, texts } of namespaces.values()) {
    yield* buildIndex(index, { mu, compared: weights.join.members_compared })
    yield* indexTexts(texts)
  }
}

interface ClusteredHome {
  readonly state: ClusteredState
  readonly stories: ClusteredStories
  readonly settings: MemorySettings
}

interface ArticleName {
  readonly namespace: string
  readonly articleId: string
}

function replace(
  { state, stories, settings }: ClusteredHome,
  { namespace, articleId }: ArticleName,
  value: MemberRecord | null,
): void {
  const before = stories.members.get(articleId)
  if (before !== undefined) {
    forget(stories, before)
    forgetText(state.recent, namespace, articleId)
    state.blocks.remove(before.features)
  }
  if (value !== null) {
    remember(stories, fromRecord(value, state.blocks))
    rememberTextOf(value, { state, stories, settings })
  }
  state.size += Number(value !== null) - Number(before !== undefined)
}

/** Skips records without a text: written before texts were kept, or whose text was evicted first. */
function rememberTextOf(record: MemberRecord, { state, stories, settings }: ClusteredHome): void {
  if (record.text_hash === '') return
  const home = { namespace: record.namespace, texts: stories.texts, budget: settings.texts }
  rememberText(state.recent, home, { order: record.log_order, read: () => textOf(record) })
}

function remember(stories: ClusteredStories, arriving: RememberedMember): void {
  // one string for all articles of a story
  const member = { ...arriving, clusterId: stories.clusters.get(arriving.clusterId)?.id ?? arriving.clusterId }
  stories.members.set(member.articleId, member)
  if (member.subjectId !== null) addTo(stories.pages, member.subjectId, member)
  articleArrived(stories.days, member)
  const cluster = stories.clusters.get(member.clusterId) ?? openCluster(stories.index, member.clusterId)
  stories.clusters.set(cluster.id, cluster)
  const { newest } = cluster
  addMember(stories.index, cluster, member)
  if (cluster.newest !== newest) arrived(stories, cluster)
}

const arrived = ({ arrivals, clusters }: ClusteredStories, { id, newest }: Cluster): void => {
  arrivals.add({ id, order: newest }, clusters.size)
}

function forget(stories: ClusteredStories, member: RememberedMember): void {
  stories.members.delete(member.articleId)
  if (member.subjectId !== null) takeFrom(stories.pages, member.subjectId, member)
  articleRemoved(stories.days, member)
  const cluster = stories.clusters.get(member.clusterId)
  if (cluster === undefined) return
  const { newest } = cluster
  removeMember(stories.index, cluster, member)
  if (cluster.members.length === 0) {
    stories.clusters.delete(cluster.id)
    closeCluster(stories.index, cluster)
  } else if (cluster.newest !== newest) arrived(stories, cluster)
}

/** The state updates of an eviction, and where the stories of the articles are found from then on. */
export interface ClusteredEviction {
  readonly updates: readonly ClusteredUpdate[]
  readonly rows: readonly EvictedArticle[]
}

interface ClusteredArrival {
  readonly namespace: string
  /** The story that the article joins. It is not evicted. */
  readonly clusterId: string
}

/**
 * What must be evicted to make room for one more article: in the largest namespace, so that a busy one never evicts the
 * state of a quiet one, the stories without a new article for longest. Stories are evicted as a whole, so that a story
 * in memory is always complete and a change moves all of it. Event times play no role.
 */
export function evict(
  state: ClusteredState,
  { namespace, clusterId }: ClusteredArrival,
  budget: number,
): ClusteredEviction {
  const states = [...state.namespaces].map(([name, stories]) => ({
    namespace: name,
    size: stories.members.size,
    oldest: () => longestQuiet(stories, name === namespace ? clusterId : null),
  }))
  const picked = pickOldest(states, { namespace, size: state.size, budget, sizeOf: ({ members }) => members.length })
  const rows = picked.flatMap(({ namespace: name, thing: { members } }) =>
    // the newest article last: otherwise the story would change its position while it is evicted
    [...members].sort((a, b) => a.order - b.order).map((member) => evictedArticle(name, member)),
  )
  const gone = rows.map((row): ClusteredUpdate => tombstone(memberKey(row.namespace, row.article_id)))
  return { updates: [...gone, ...daysEmptied(state, gone)], rows }
}

function* longestQuiet(stories: ClusteredStories, stays: string | null): Generator<Cluster> {
  for (const { id } of stories.arrivals.inOrder()) {
    const cluster = id === stays ? undefined : stories.clusters.get(id)
    if (cluster !== undefined) yield cluster
  }
}

/** Rebuilt days without articles after these evictions. */
function daysEmptied({ namespaces }: ClusteredState, gone: readonly ClusteredUpdate[]): ClusteredUpdate[] {
  const left = new Map<string, number>()
  for (const { key } of gone) {
    const { stories, day, namespace } = locate(namespaces, key)
    if (!stories.days.upTo.has(day)) continue
    const name = dayKey(namespace, { day: dayName(day) })
    left.set(name, (left.get(name) ?? articlesOn(stories, day)) - 1)
  }
  return [...left].flatMap(([key, articles]) => (articles === 0 ? [{ key, value: null }] : []))
}

function locate(namespaces: ClusteredState['namespaces'], key: string) {
  const [namespace = '', articleId = ''] = key.split(':')
  const stories = namespaces.get(namespace) ?? noStories()
  return { namespace, stories, day: dayOf(stories.members.get(articleId)?.features.time ?? 0) }
}

const articlesOn = ({ index }: ClusteredStories, day: number): number => index.days.get(day)?.articles ?? 0
