import { dayName, dayOf } from '../../domain/days.ts'
import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { storyKey, tombstone, articleKey, articleEntry, storyEntry } from '../../state/entry.ts'
import { knownOf, type TransitionedStories, type TransitionedStory, type TransitionedState } from './memory.ts'
import { blankStory, type TransitionedArticleRecord, type TransitionedUpdate, type Departed } from './changelog.ts'
import { emptiedBy, evictedArticles, forgetStories, isMerge, movedArticles } from '../../state/story-index.ts'

/** State updates of a change of stories: the new story of each article, and the end of stories without articles. */
export function moved(
  held: TransitionedStories,
  event: ArticleClustered,
  change: StoryChange,
): readonly TransitionedUpdate[] {
  const { namespace, cluster_id } = event
  const moving = movedArticles(held, { event, change }, (article) => article.cluster_id)
  const emptied = storiesEmptiedBy(held, moving)
  return [
    ...moving.map((article) => articleEntry(namespace, { ...article, cluster_id })),
    ...(isMerge(event, change) ? inherited(held, event, emptied) : []),
    ...forgetStories(namespace, emptied),
  ]
}

/** Deletes the story that a revised article left, if that was its last article. */
export const leftStory = (
  held: TransitionedStories,
  { namespace, cluster_id }: ArticleClustered,
  known: TransitionedArticleRecord,
): readonly TransitionedUpdate[] =>
  known.cluster_id === cluster_id ? [] : forgetStories(namespace, storiesEmptiedBy(held, [known]))

/** Stories that lose all their articles. */
const storiesEmptiedBy = ({ stories }: TransitionedStories, moving: readonly TransitionedArticleRecord[]) =>
  emptiedBy(
    moving,
    ({ cluster_id }) => [stories.get(cluster_id) ?? []].flat(),
    ({ articles }) => articles.size,
  )

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
export const evict = (
  state: TransitionedState,
  arrival: Pick<ArticleClustered, 'namespace' | 'cluster_id'>,
  budget: number,
): readonly TransitionedUpdate[] =>
  evictedArticles(state, { ...arrival, budget }).flatMap(({ namespace, held, articles }) =>
    forgotten(held, { namespace, stays: namespace === arrival.namespace ? arrival.cluster_id : null }, articles),
  )

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
