import { dayName, dayOf } from '../../domain/days.ts'
import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { storyKey, tombstone, articleKey, articleEntry, storyEntry } from '../../state/entry.ts'
import { knownOf, type TransitionedStories, type TransitionedStory, type TransitionedState } from './memory.ts'
import { blankStory, type TransitionedArticleRecord, type TransitionedUpdate, type Departed } from './changelog.ts'
import { oldestArticles } from '../../state/eviction.ts'

/** State updates of a change of stories: the new story of each article, and the end of stories without articles. */
export function moved(
  held: TransitionedStories,
  event: ArticleClustered,
  change: StoryChange,
): readonly TransitionedUpdate[] {
  const { namespace, cluster_id } = event
  const moving = change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter((article) => article.cluster_id !== cluster_id)
  const emptied = emptiedBy(held, moving)
  const isMerge = event.action === 'merged' || change.correction?.action === 'merge'
  return [
    ...moving.map((article) => articleEntry(namespace, { ...article, cluster_id })),
    ...(isMerge ? inherited(held, event, emptied) : []),
    ...ended(namespace, emptied),
  ]
}

const ended = (namespace: string, emptied: readonly TransitionedStory[]): readonly TransitionedUpdate[] =>
  emptied.flatMap(({ clusterId, known }) => (known === null ? [] : [tombstone(storyKey(namespace, clusterId))]))

/** Deletes the story that a revised article left, if that was its last article. */
export const leftStory = (
  held: TransitionedStories,
  { namespace, cluster_id }: ArticleClustered,
  known: TransitionedArticleRecord,
): readonly TransitionedUpdate[] => (known.cluster_id === cluster_id ? [] : ended(namespace, emptiedBy(held, [known])))

/** Stories that lose all their articles. */
function emptiedBy(
  held: TransitionedStories,
  moving: readonly TransitionedArticleRecord[],
): readonly TransitionedStory[] {
  const concerned = [...new Set(moving.map(({ cluster_id }) => cluster_id))].flatMap((id) => held.stories.get(id) ?? [])
  const gone = new Set(moving.map(({ article_id }) => article_id))
  return concerned.filter(({ articles }) => [...articles.keys()].every((id) => gone.has(id)))
}

/** Evicted articles of a merged story count for the story it became. */
function inherited(
  held: TransitionedStories,
  { namespace, cluster_id }: ArticleClustered,
  emptied: readonly TransitionedStory[],
): readonly TransitionedUpdate[] {
  const known = held.stories.get(cluster_id)?.known ?? blankStory(cluster_id)
  const departed = emptied.map((story) => knownOf(story).departed).reduce(together, known.departed)
  return departed === known.departed ? [] : [storyEntry(namespace, { ...known, departed })]
}

/** What must be evicted to make room for one more article, and what the stories keep of the evicted articles. */
export function evict(
  state: TransitionedState,
  arrival: Pick<ArticleClustered, 'namespace' | 'cluster_id'>,
  budget: number,
): readonly TransitionedUpdate[] {
  return [...oldestArticles(state, { ...arrival, budget })].flatMap(([namespace, articles]) => {
    const held = state.namespaces.get(namespace)
    const stays = namespace === arrival.namespace ? arrival.cluster_id : null
    return held === undefined ? [] : forgotten(held, { namespace, stays }, articles)
  })
}

/** `stays`: the story that the arriving article joins. */
function forgotten(
  { stories: known }: TransitionedStories,
  { namespace, stays }: { readonly namespace: string; readonly stays: string | null },
  articles: readonly TransitionedArticleRecord[],
): readonly TransitionedUpdate[] {
  const stories = new Set(articles.map(({ cluster_id }) => cluster_id))
  const kept = [...stories].flatMap((id): TransitionedUpdate[] => {
    const story = known.get(id)
    if (story === undefined) return []
    const its = articles.filter(({ cluster_id }) => cluster_id === id)
    if (its.length === story.articles.size && id !== stays)
      return story.known === null ? [] : [tombstone(storyKey(namespace, id))]
    // added to those evicted before
    const departed = its.map(asDeparted).reduce<Departed | null>(together, knownOf(story).departed)
    return [storyEntry(namespace, { ...knownOf(story), departed })]
  })
  return [...articles.map(({ article_id }) => tombstone(articleKey(namespace, article_id))), ...kept]
}

/** Adds up the evicted articles of two stories that became one. */
function together(one: Departed | null, other: Departed | null): Departed | null {
  if (one === null || other === null) return one ?? other
  const days = new Map(Object.entries(one.articles_by_day))
  for (const [day, articles] of Object.entries(other.articles_by_day)) days.set(day, (days.get(day) ?? 0) + articles)
  return {
    first_published: Math.min(one.first_published, other.first_published),
    last_published: Math.max(one.last_published, other.last_published),
    articles_by_day: Object.fromEntries([...days].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const asDeparted = ({ occurred_at }: TransitionedArticleRecord): Departed => ({
  first_published: occurred_at,
  last_published: occurred_at,
  articles_by_day: { [dayName(dayOf(occurred_at))]: 1 },
})
