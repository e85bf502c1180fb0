import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { articleKey, tombstone, articleEntry } from '../../state/entry.ts'
import { emptiedBy, evictedArticles, forgetStories, movedArticles } from '../../state/story-index.ts'
import { asRemembered, type ChangedArticle, type ChangedNamespace, type ChangedState } from './memory.ts'
import type { ChangedUpdate } from './changelog.ts'

/**
 * State updates of a change of stories: the new story of each article, and the deletion of stories without articles.
 */
export function moved(held: ChangedNamespace, event: ArticleClustered, change: StoryChange): readonly ChangedUpdate[] {
  const { namespace, cluster_id, assignment_confidence } = event
  const moving = movedArticles(held, { event, change }, ({ story }) => story?.clusterId ?? null)
  return [
    ...moving.map((one) => articleEntry(namespace, { ...asRemembered(one), cluster_id, assignment_confidence })),
    ...ended(namespace, moving, cluster_id),
  ]
}

/** What was published about a story is no longer needed once all its articles are evicted. */
export const ended = (
  namespace: string,
  evicted: readonly ChangedArticle[],
  stays: string | null,
): readonly ChangedUpdate[] =>
  forgetStories(
    namespace,
    emptiedBy(
      evicted,
      ({ story }) => (story === null ? [] : [story]),
      ({ articles }) => articles.size,
    ).filter(({ clusterId }) => clusterId !== stays),
  )

interface ChangedEvictionArrival {
  readonly namespace: string
  /** The story it joins; `null` if it joins none. */
  readonly cluster_id: string | null
  /** Articles kept, over all namespaces of a partition. */
  readonly budget: number
}

/** What must be evicted to make room for one more article. */
export const evict = (state: ChangedState, arrival: ChangedEvictionArrival): readonly ChangedUpdate[] =>
  evictedArticles(state, { ...arrival, early: 1 / 2_000 }).flatMap(({ namespace, articles }) => [
    ...articles.map(({ article_id }) => tombstone(articleKey(namespace, article_id))),
    ...ended(namespace, articles, namespace === arrival.namespace ? arrival.cluster_id : null),
  ])

/** State updates for the articles of a settled story. */
export function settled(
  held: ChangedNamespace,
  { namespace, assignment_confidence }: ArticleClustered,
  change: StoryChange,
): ChangedUpdate[] {
  return change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter((one) => !one.settled || one.assignment_confidence !== assignment_confidence)
    .map((one) => articleEntry(namespace, { ...asRemembered(one), settled: true, assignment_confidence }))
}
