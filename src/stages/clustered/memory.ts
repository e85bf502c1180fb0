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
import { forgetText, noRecentTexts, rememberText, type RecentTexts } from './recent-texts.ts'
import { fromRecord, memberKey, textOf, type MemberRecord, type RememberedMember } from './remembered.ts'
import { noTexts, type Texts } from './texts.ts'

/** The stories of one namespace, as far as memory reaches. Owned and mutated by `evolve`. */
export interface Stories {
  /** By article id; in order of arrival as long as `inOrder` says so. */
  members: Map<string, RememberedMember>
  inOrder: boolean
  newest: number
  readonly clusters: Map<string, Cluster>
  readonly index: LiveIndex
  readonly texts: Texts
}

export interface State {
  readonly namespaces: Map<string, Stories>
  /** Articles in memory, over all namespaces. */
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

export const noStories = (): Stories => ({
  members: new Map(),
  inOrder: true,
  newest: -Infinity,
  clusters: new Map(),
  index: noIndex(),
  texts: noTexts(),
})

export const nothing = (): State => ({ namespaces: new Map(), size: 0, recent: noRecentTexts() })

/** What is remembered of an article, or null: it is to be forgotten. */
export interface Change {
  readonly key: string
  readonly value: MemberRecord | null
}

/** The fold: a change puts one article into its story, moves it there, or forgets it. */
export function evolve(state: State, { key, value }: Change, settings: MemorySettings): State {
  const [namespace = '', articleId = ''] = key.split(':')
  const stories = state.namespaces.get(namespace) ?? noStories()
  state.namespaces.set(namespace, stories)
  const before = stories.members.get(articleId)
  if (before !== undefined) {
    forget(stories, before, settings)
    forgetText(state.recent, namespace, articleId)
  }
  if (value !== null) {
    remember(stories, fromRecord(value), settings)
    if (value.text_hash !== '') {
      const home = { namespace, texts: stories.texts, budget: settings.texts }
      rememberText(state.recent, home, { order: value.log_order, read: () => textOf(value) })
    }
  }
  state.size += Number(value !== null) - Number(before !== undefined)
  if (stories.members.size === 0) state.namespaces.delete(namespace)
  return state
}

function remember(stories: Stories, member: RememberedMember, settings: MemorySettings): void {
  stories.members.set(member.articleId, member)
  stories.inOrder &&= member.order > stories.newest
  stories.newest = Math.max(stories.newest, member.order)
  const cluster = stories.clusters.get(member.clusterId) ?? openCluster(stories.index, member.clusterId)
  stories.clusters.set(cluster.id, cluster)
  addMember(stories.index, cluster, member)
  drawSketch(stories.index, cluster, settings)
}

function forget(stories: Stories, member: RememberedMember, settings: MemorySettings): void {
  stories.members.delete(member.articleId)
  const cluster = stories.clusters.get(member.clusterId)
  if (cluster === undefined) return
  removeMember(stories.index, cluster, member)
  if (cluster.members.length > 0) drawSketch(stories.index, cluster, settings)
  else {
    stories.clusters.delete(cluster.id)
    closeCluster(stories.index, cluster)
  }
}

/** At most so many leave with one arrival: a budget made smaller is reached by and by, not in one huge transaction. */
const LEAVE_AT_ONCE = 100

/**
 * Who has to leave so that one more article of `namespace` fits into the budget: the first to have arrived of the
 * largest namespace, so that a busy one never pushes out a quiet one. Dates play no part.
 */
export function leaving(state: State, namespace: string, budget: number): Change[] {
  const excess = Math.min(state.size + 1 - budget, LEAVE_AT_ONCE)
  if (excess <= 0) return []

  const queues = [...state.namespaces].map(([name, stories]) => ({
    name,
    left: stories.members.size + Number(name === namespace),
    queue: byArrival(stories).keys(),
  }))
  const gone: Change[] = []
  while (gone.length < excess) {
    queues.sort((a, b) => b.left - a.left || (a.name < b.name ? -1 : 1))
    const [largest] = queues
    const next = largest?.queue.next()
    if (largest === undefined || next?.done !== false) break
    largest.left -= 1
    gone.push({ key: memberKey(largest.name, next.value), value: null })
  }
  return gone
}

/** Members, first come first. Restored entries may come in any order; they are sorted when it first matters. */
function byArrival(stories: Stories): ReadonlyMap<string, RememberedMember> {
  if (!stories.inOrder) {
    stories.members = new Map([...stories.members].sort(([, a], [, b]) => a.order - b.order))
    stories.inOrder = true
  }
  return stories.members
}
