import { dayName, dayOf } from '../../domain/days.ts'
import { tombstone, type Entry } from '../../state/entry.ts'
import { pickOldest } from '../../state/eviction.ts'
import { articleCame, articleLeft, dayForgotten, dayRebuilt, noDays, type RebuiltDays } from './days.ts'
import {
  addMember,
  closeCluster,
  drawSketch,
  noIndex,
  openCluster,
  removeMember,
  type Cluster,
  type LiveIndex,
} from './live-index.ts'
import { fromRecord, textOf } from './records.ts'
import { dayKey, memberKey, type MemberRecord, type RememberedMember } from './changelog.ts'
import { noTexts, type Texts, forgetText, noRecentTexts, rememberText, type RecentTexts } from './texts.ts'

/** The stories of one namespace, as far as memory reaches. Owned and mutated by `evolve`. */
export interface ClusteredStories {
  readonly members: Map<string, RememberedMember>
  /** By the arrival of their newest articles as long as `inOrder` says so. */
  clusters: Map<string, Cluster>
  inOrder: boolean
  newest: number
  readonly index: LiveIndex
  readonly texts: Texts
  readonly days: RebuiltDays
}

export interface ClusteredState {
  readonly namespaces: Map<string, ClusteredStories>
  /** Articles kept, over all namespaces. */
  size: number
  readonly recent: RecentTexts
}

export interface MemorySettings {
  readonly mu: Float32Array
  /** Members that make up a story's sketch: its newest. */
  readonly compared: number
  /** Texts remembered, over all namespaces: at most as many as articles. */
  readonly texts: number
}

export const noStories = (): ClusteredStories => ({
  members: new Map(),
  clusters: new Map(),
  inOrder: true,
  newest: -Infinity,
  index: noIndex(),
  texts: noTexts(),
  days: noDays(),
})

export const nothing = (): ClusteredState => ({ namespaces: new Map(), size: 0, recent: noRecentTexts() })

/** What is remembered of an article or a rebuilt day, or null: the article is to be forgotten. */
export type ClusteredUpdate = Entry<MemberRecord>

/** The fold: a change puts one article into its story, moves it there, forgets it, or says that a day was rebuilt. */
export function evolve(
  state: ClusteredState,
  { key, value }: ClusteredUpdate,
  settings: MemorySettings,
): ClusteredState {
  const [namespace = '', articleId = '', day] = key.split(':')
  const stories = state.namespaces.get(namespace) ?? noStories()
  state.namespaces.set(namespace, stories)
  if (value?.rebuilt != null) dayRebuilt(stories.days, value.rebuilt)
  else if (day !== undefined) dayForgotten(stories.days, day)
  else replace({ state, stories, settings }, { namespace, articleId }, value)
  if (stories.members.size + stories.days.upTo.size === 0) state.namespaces.delete(namespace)
  return state
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
    forget(stories, before, settings)
    forgetText(state.recent, namespace, articleId)
  }
  if (value !== null) {
    remember(stories, fromRecord(value), settings)
    rememberTextOf(value, { state, stories, settings })
  }
  state.size += Number(value !== null) - Number(before !== undefined)
}

/** None of a record that is older than the memory of texts, or outlived its text. */
function rememberTextOf(record: MemberRecord, { state, stories, settings }: ClusteredHome): void {
  if (record.text_hash === '') return
  const home = { namespace: record.namespace, texts: stories.texts, budget: settings.texts }
  rememberText(state.recent, home, { order: record.log_order, read: () => textOf(record) })
}

function remember(stories: ClusteredStories, member: RememberedMember, settings: MemorySettings): void {
  stories.members.set(member.articleId, member)
  articleCame(stories.days, member)
  const known = stories.clusters.get(member.clusterId)
  const cluster = known ?? openCluster(stories.index, member.clusterId)
  addMember(stories.index, cluster, member)
  drawSketch(stories.index, cluster, settings)
  // the cluster with the newest article is last
  if (member.order > stories.newest) stories.clusters.delete(cluster.id)
  else if (known === undefined || newestOf(cluster) === member.order) stories.inOrder = false
  stories.clusters.set(cluster.id, cluster)
  stories.newest = Math.max(stories.newest, member.order)
}

/** Arrival of a story's newest article. */
const newestOf = ({ members }: Cluster): number => members.reduce((newest, { order }) => Math.max(newest, order), -1)

function forget(stories: ClusteredStories, member: RememberedMember, settings: MemorySettings): void {
  stories.members.delete(member.articleId)
  articleLeft(stories.days, member)
  const cluster = stories.clusters.get(member.clusterId)
  if (cluster === undefined) return
  removeMember(stories.index, cluster, member)
  if (cluster.members.length > 0) {
    if (newestOf(cluster) < member.order) stories.inOrder = false
    drawSketch(stories.index, cluster, settings)
  } else {
    stories.clusters.delete(cluster.id)
    closeCluster(stories.index, cluster)
  }
}

interface ClusteredArrival {
  readonly namespace: string
  /** Where the article goes: that story stays. */
  readonly clusterId: string
}

/**
 * What has to be evicted so that one more article fits into the budget: in the largest namespace, so that a busy one never
 * pushes out a quiet one, the stories that got no article for longest. A story leaves whole, so that one in memory is
 * known whole: what moves it moves all of it. Dates play no part.
 */
export function evict(
  state: ClusteredState,
  { namespace, clusterId }: ClusteredArrival,
  budget: number,
): ClusteredUpdate[] {
  const states = [...state.namespaces].map(([name, stories]) => ({
    namespace: name,
    size: stories.members.size,
    oldest: () => quietest(stories, name === namespace ? clusterId : null),
  }))
  const picked = pickOldest(states, { namespace, size: state.size, budget, sizeOf: ({ members }) => members.length })
  const gone = picked.flatMap(({ namespace: name, thing: { members } }) =>
    // the newest article last: otherwise the story would change its place in the order while it is evicted
    [...members]
      .sort((a, b) => a.order - b.order)
      .map(({ articleId }): ClusteredUpdate => tombstone(memberKey(name, articleId))),
  )
  return [...gone, ...daysEmptied(state, gone)]
}

function* quietest(stories: ClusteredStories, stays: string | null): Generator<Cluster> {
  for (const cluster of byArrival(stories).values()) if (cluster.id !== stays) yield cluster
}

/** Rebuilt days that have no article left after these evictions. */
function daysEmptied({ namespaces }: ClusteredState, gone: readonly ClusteredUpdate[]): ClusteredUpdate[] {
  const left = new Map<string, number>()
  for (const { key } of gone) {
    const { stories, day, namespace } = whereabouts(namespaces, key)
    if (!stories.days.upTo.has(day)) continue
    const name = dayKey(namespace, { day: dayName(day) })
    left.set(name, (left.get(name) ?? articlesOn(stories, day)) - 1)
  }
  return [...left].flatMap(([key, articles]) => (articles === 0 ? [{ key, value: null }] : []))
}

function whereabouts(namespaces: ClusteredState['namespaces'], key: string) {
  const [namespace = '', articleId = ''] = key.split(':')
  const stories = namespaces.get(namespace) ?? noStories()
  return { namespace, stories, day: dayOf(stories.members.get(articleId)?.features.time ?? 0) }
}

const articlesOn = ({ index }: ClusteredStories, day: number): number =>
  [...(index.days.get(day)?.slots.values() ?? [])].reduce((sum, count) => sum + count, 0)

/** Stories, the longest without a new article first. Sorts only after restores and moves. */
function byArrival(stories: ClusteredStories): ReadonlyMap<string, Cluster> {
  if (!stories.inOrder) {
    const sorted = [...stories.clusters].map(([id, cluster]) => ({ id, cluster, order: newestOf(cluster) }))
    sorted.sort((a, b) => a.order - b.order)
    stories.clusters = new Map(sorted.map(({ id, cluster }) => [id, cluster]))
    stories.inOrder = true
  }
  return stories.clusters
}
