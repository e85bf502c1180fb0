import { withDeparted } from './departures.ts'
import {
  byArrival,
  knownOf,
  type TransitionedUpdate,
  type TransitionedState,
  type TransitionedStories,
} from './memory.ts'
import { articleKey, storyKey, type TransitionedArticleRecord } from './changelog.ts'

/** At most so many leave with one arrival: a budget made smaller is reached by and by, not in one huge transaction. */
const LEAVE_AT_ONCE = 100

interface TransitionedEvictionArrival {
  readonly namespace: string
  readonly cluster_id: string
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** What has to be forgotten so that one more article fits, and what its stories keep of it. */
export function evict(state: TransitionedState, arrival: TransitionedEvictionArrival): readonly TransitionedUpdate[] {
  const gone = oldest(state, arrival)
  return [...gone].flatMap(([namespace, articles]) => {
    const held = state.namespaces.get(namespace)
    const stays = namespace === arrival.namespace ? arrival.cluster_id : null
    return held === undefined ? [] : forgotten({ namespace, held, stays }, articles)
  })
}

/** By namespace: the first to have arrived of the largest one, so that a busy one never pushes out a quiet one. */
function oldest(
  state: TransitionedState,
  { namespace, budget }: TransitionedEvictionArrival,
): ReadonlyMap<string, readonly TransitionedArticleRecord[]> {
  const excess = Math.min(state.size + 1 - budget, LEAVE_AT_ONCE)
  const gone = new Map<string, TransitionedArticleRecord[]>()
  if (excess <= 0) return gone

  const queues = [...state.namespaces].map(([name, held]) => ({
    name,
    left: held.articles.size + Number(name === namespace),
    queue: byArrival(held).values(),
  }))
  for (let i = 0; i < excess; i++) {
    queues.sort((a, b) => b.left - a.left || (a.name < b.name ? -1 : 1))
    const [largest] = queues
    const next = largest?.queue.next()
    if (largest === undefined || next?.done !== false) break
    largest.left -= 1
    gone.set(largest.name, [...(gone.get(largest.name) ?? []), next.value])
  }
  return gone
}

interface EvictFrom {
  readonly namespace: string
  readonly held: TransitionedStories
  /** The story that gets an article at the same time. */
  readonly stays: string | null
}

function forgotten(
  { namespace, held, stays }: EvictFrom,
  articles: readonly TransitionedArticleRecord[],
): readonly TransitionedUpdate[] {
  const stories = new Set(articles.map(({ cluster_id }) => cluster_id))
  const kept = [...stories].flatMap((id): TransitionedUpdate[] => {
    const story = held.stories.get(id)
    if (story === undefined) return []
    const its = articles.filter(({ cluster_id }) => cluster_id === id)
    const key = storyKey(namespace, id)
    if (its.length === story.articles.size && id !== stays) return story.known === null ? [] : [{ key, value: null }]
    const known = { ...knownOf(story), departed: withDeparted(story, its) }
    return [{ key, value: { namespace, article: null, story: known } }]
  })
  return [...articles.map(({ article_id }) => ({ key: articleKey(namespace, article_id), value: null })), ...kept]
}
