import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import { OrderedMap } from '../../state/eviction.ts'
import {
  blankStory,
  type TransitionedUpdate,
  type TransitionedArticleRecord,
  type TransitionedRecord,
  type TransitionedStoryRecord,
} from './changelog.ts'

/** A story with the articles that are kept. */
export interface TransitionedStory {
  readonly clusterId: string
  /** By article id. */
  readonly articles: Map<string, TransitionedArticleRecord>
  known: TransitionedStoryRecord | null
  /** Event times of the articles, ascending. A cache; `null` if out of date. */
  times: Float64Array | null
}

/** The stories of one namespace. Owned and mutated by `evolve`. */
export interface TransitionedStories {
  /** By article id, ordered by arrival. */
  readonly articles: OrderedMap<TransitionedArticleRecord>
  readonly stories: Map<string, TransitionedStory>
  /** Stories whose state may change as time passes; a tick skips the others. */
  readonly awake: Set<TransitionedStory>
}

export interface TransitionedState {
  readonly namespaces: Map<string, TransitionedStories>
  /** Articles kept, over all namespaces. */
  size: number
}

export const emptyState = (): TransitionedState => ({ namespaces: new Map(), size: 0 })

export const noStories = (): TransitionedStories => ({
  articles: new OrderedMap(({ log_order }) => log_order),
  stories: new Map(),
  awake: new Set(),
})

export function evolve(
  state: TransitionedState,
  { key, value }: TransitionedUpdate,
  numbers: LifecycleNumbers,
): TransitionedState {
  const [namespace = '', kind, id = ''] = key.split(':')
  const held = state.namespaces.get(namespace) ?? noStories()
  state.namespaces.set(namespace, held)
  const before = held.articles.size
  const touched = kind === 'article' ? putArticle(held, id, value) : [putStory(held, id, value)]
  for (const story of touched) settle(held, story, numbers)
  state.size += held.articles.size - before
  if (held.stories.size === 0) state.namespaces.delete(namespace)
  return state
}

function putArticle(
  held: TransitionedStories,
  id: string,
  value: TransitionedRecord | null,
): readonly TransitionedStory[] {
  const article = value?.article ?? null
  const known = held.articles.get(id)
  const left = known === undefined ? [] : [storyOf(held, known.cluster_id)]
  for (const story of left) story.articles.delete(id)
  if (article === null) {
    held.articles.delete(id)
    return left
  }
  held.articles.set(id, article)
  const story = storyOf(held, article.cluster_id)
  story.articles.set(id, article)
  return [...left, story]
}

function putStory(held: TransitionedStories, id: string, value: TransitionedRecord | null): TransitionedStory {
  const story = storyOf(held, id)
  story.known = value?.story ?? null
  return story
}

function storyOf(held: TransitionedStories, clusterId: string): TransitionedStory {
  const story = held.stories.get(clusterId) ?? { clusterId, articles: new Map(), known: null, times: null }
  held.stories.set(clusterId, story)
  return story
}

function settle(held: TransitionedStories, story: TransitionedStory, numbers: LifecycleNumbers): void {
  story.times = null
  if (story.articles.size === 0 && story.known === null) held.stories.delete(story.clusterId)
  if (isAwake(story, numbers)) held.awake.add(story)
  else held.awake.delete(story)
}

/** A story is asleep without articles, or if it is concluded and no rule can match any more without new events. */
function isAwake({ articles, known }: TransitionedStory, { mature, contested }: LifecycleNumbers): boolean {
  if (articles.size === 0) return false
  if (known?.lifecycle_state !== 'concluded' || known.evaluated_at === null) return true
  const concluded = known.evaluated_at
  return (
    [...articles.values()].some(({ occurred_at }) => occurred_at + mature.youngMs > concluded) ||
    Object.values(known.receptions).some(({ newest_post }) => newest_post + contested.activeMs >= concluded)
  )
}

/** What is known of a story besides its articles. */
export const knownOf = ({
  clusterId,
  known,
}: Pick<TransitionedStory, 'clusterId' | 'known'>): TransitionedStoryRecord => known ?? blankStory(clusterId)

/** Event times of the articles in memory, ascending. */
export function timesOf(story: TransitionedStory): Float64Array {
  story.times ??= Float64Array.from(story.articles.values(), ({ occurred_at }) => occurred_at).sort()
  return story.times
}
