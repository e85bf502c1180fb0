import type { LifecycleNumbers } from '../../events/lifecycle-rules.ts'
import { blankStory, type Remembered, type RememberedArticle, type RememberedStory } from './changelog.ts'

/** A story as far as memory reaches. */
export interface Story {
  readonly clusterId: string
  /** By article id. */
  readonly articles: Map<string, RememberedArticle>
  known: RememberedStory | null
  /** Event times of the articles, ascending; null: to be drawn anew. A cache. */
  times: Float64Array | null
}

/** The stories of one namespace. Owned and mutated by `evolve`. */
export interface Stories {
  /** By article id; in order of arrival as long as `inOrder` says so: a compacted changelog restores them in any order. */
  articles: Map<string, RememberedArticle>
  inOrder: boolean
  newest: number
  readonly stories: Map<string, Story>
  /** Those whose state may change by itself as time passes: all others a tick may leave out. */
  readonly awake: Set<Story>
}

export interface State {
  readonly namespaces: Map<string, Stories>
  /** Articles in memory, over all namespaces. */
  size: number
}

export const nothing = (): State => ({ namespaces: new Map(), size: 0 })

export const noStories = (): Stories => ({
  articles: new Map(),
  inOrder: true,
  newest: -Infinity,
  stories: new Map(),
  awake: new Set(),
})

/** A remembered thing, or null: it is to be forgotten. */
export interface Change {
  readonly key: string
  readonly value: Remembered | null
}

/** Folds one remembered thing, or its end, into the state. */
export function evolve(state: State, { key, value }: Change, numbers: LifecycleNumbers): State {
  const [namespace = '', kind, id = ''] = key.split(':')
  const held = storiesOf(state, namespace)
  const before = held.articles.size
  const touched = kind === 'article' ? putArticle(held, id, value) : putStory(held, id, value)
  for (const story of touched) settle(held, story, numbers)
  state.size += held.articles.size - before
  if (held.stories.size === 0) state.namespaces.delete(namespace)
  return state
}

function storiesOf(state: State, namespace: string): Stories {
  const held = state.namespaces.get(namespace) ?? noStories()
  state.namespaces.set(namespace, held)
  return held
}

function putArticle(held: Stories, id: string, value: Remembered | null): readonly Story[] {
  const article = value?.article ?? null
  const known = held.articles.get(id)
  const left = known === undefined ? [] : [storyOf(held, known.cluster_id)]
  for (const story of left) story.articles.delete(id)
  if (article === null) {
    held.articles.delete(id)
    return left
  }
  if (known === undefined) {
    held.inOrder &&= article.log_order > held.newest
    held.newest = Math.max(held.newest, article.log_order)
  }
  held.articles.set(id, article)
  const story = storyOf(held, article.cluster_id)
  story.articles.set(id, article)
  return [...left, story]
}

function putStory(held: Stories, id: string, value: Remembered | null): readonly Story[] {
  const story = storyOf(held, id)
  story.known = value?.story ?? null
  return [story]
}

function storyOf(held: Stories, clusterId: string): Story {
  const story = held.stories.get(clusterId) ?? { clusterId, articles: new Map(), known: null, times: null }
  held.stories.set(clusterId, story)
  return story
}

function settle(held: Stories, story: Story, numbers: LifecycleNumbers): void {
  story.times = null
  if (story.articles.size === 0 && story.known === null) held.stories.delete(story.clusterId)
  if (isAwake(story, numbers)) held.awake.add(story)
  else held.awake.delete(story)
}

/** Asleep: without articles, or concluded at a moment after which no rule can match any more without news. */
function isAwake({ articles, known }: Story, { mature, contested }: LifecycleNumbers): boolean {
  if (articles.size === 0) return false
  if (known?.lifecycle_state !== 'concluded' || known.evaluated_at === null) return true
  const concluded = known.evaluated_at
  return (
    [...articles.values()].some(({ occurred_at }) => occurred_at + mature.youngMs > concluded) ||
    Object.values(known.receptions).some(({ newest_post }) => newest_post + contested.activeMs >= concluded)
  )
}

/** What is known of a story besides its articles. */
export const knownOf = ({ clusterId, known }: Pick<Story, 'clusterId' | 'known'>): RememberedStory =>
  known ?? blankStory(clusterId)

/** First come first. Sorted when it first matters. */
export function byArrival(held: Stories): ReadonlyMap<string, RememberedArticle> {
  if (!held.inOrder) {
    held.articles = new Map([...held.articles].sort(([, a], [, b]) => a.log_order - b.log_order))
    held.inOrder = true
  }
  return held.articles
}

/** Event times of the remembered articles, ascending. */
export function timesOf(story: Story): Float64Array {
  story.times ??= Float64Array.from(story.articles.values(), ({ occurred_at }) => occurred_at).sort()
  return story.times
}
