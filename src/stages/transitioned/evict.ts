import { withDeparted } from './departures.ts'
import { articleKey, storyKey, tombstone } from '../../state/entry.ts'
import { pickOldestByNamespace } from '../../state/pick-oldest.ts'
import { knownOf, type TransitionedState, type TransitionedStories } from './memory.ts'
import { entry, type TransitionedArticleRecord, type TransitionedUpdate } from './changelog.ts'

interface TransitionedEvictionArrival {
  readonly namespace: string
  readonly cluster_id: string
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** What has to be forgotten so that one more article fits, and what its stories keep of it. */
export function evict(state: TransitionedState, arrival: TransitionedEvictionArrival): readonly TransitionedUpdate[] {
  const states = [...state.namespaces].map(([namespace, { articles }]) => ({
    namespace,
    size: articles.size,
    oldest: () => articles.inOrder().values(),
  }))
  const picked = pickOldestByNamespace(states, { ...arrival, size: state.size })
  return [...picked].flatMap(([namespace, articles]) => {
    const held = state.namespaces.get(namespace)
    const stays = namespace === arrival.namespace ? arrival.cluster_id : null
    return held === undefined ? [] : forgotten({ namespace, held, stays }, articles)
  })
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
    if (its.length === story.articles.size && id !== stays)
      return story.known === null ? [] : [tombstone(storyKey(namespace, id))]
    return [entry({ namespace, article: null, story: { ...knownOf(story), departed: withDeparted(story, its) } })]
  })
  return [...articles.map(({ article_id }) => tombstone(articleKey(namespace, article_id))), ...kept]
}
