import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { articleKey, tombstone } from '../../state/entry.ts'
import { emptiedBy, evictedArticles, forgetStories, isMerge, movedArticles } from '../../state/story-index.ts'
import {
  matchedArticleEntry,
  matchedStoryEntry,
  unmatchedStory,
  type MatchedArticleRecord,
  type MatchedStoryRecord,
  type MatchedUpdate,
} from './changelog.ts'
import type { MatchedNamespace, MatchedState, MatchingStory } from './memory.ts'

/** A change of stories as far as the state knows its articles. */
export interface MatchedMove {
  /** The articles that join the story of the event, as they are afterwards. */
  readonly moving: readonly MatchedArticleRecord[]
  /** What is known of that story afterwards. */
  readonly known: MatchedStoryRecord
  readonly remember: readonly MatchedUpdate[]
}

/** A merged story passes on which monitors it matched, so that the same news is not sent twice. */
export function moved(held: MatchedNamespace, event: ArticleClustered, change: StoryChange): MatchedMove {
  const { namespace, cluster_id } = event
  const departing = movedArticles(held, { event, change }, (article) => article.cluster_id)
  const moving = departing.map((article) => ({ ...article, cluster_id }))
  const emptied = storiesEmptiedBy(held, departing)
  const before = held.stories.get(cluster_id)?.known ?? unmatchedStory(cluster_id)
  const inherited = isMerge(event, change) ? emptied.flatMap(({ known }) => known?.published ?? []) : []
  const known = { ...before, published: [...new Set([...before.published, ...inherited])].sort() }
  const isSame = known.published.length === before.published.length
  return {
    moving,
    known,
    remember: [
      ...moving.map((article) => matchedArticleEntry(namespace, article)),
      ...(isSame ? [] : [matchedStoryEntry(namespace, known)]),
      ...forgetStories(namespace, emptied),
    ],
  }
}

/** Deletes what is known of the story that a revised article left, if that was its last article. */
export const leftStory = (
  held: MatchedNamespace,
  { namespace, cluster_id }: ArticleClustered,
  known: MatchedArticleRecord,
): readonly MatchedUpdate[] =>
  known.cluster_id === cluster_id ? [] : forgetStories(namespace, storiesEmptiedBy(held, [known]))

/** Stories that lose all their articles. */
const storiesEmptiedBy = ({ stories }: MatchedNamespace, departing: readonly MatchedArticleRecord[]) =>
  emptiedBy<MatchedArticleRecord, MatchingStory>(
    departing,
    ({ cluster_id }) => [cluster_id === null ? [] : (stories.get(cluster_id) ?? [])].flat(),
    ({ articles }) => articles.size,
  )

interface MatchedArrival {
  readonly namespace: string
  /** The story that the arriving article joins; `null` if it is in none yet. */
  readonly cluster_id: string | null
  /** Articles kept, over all namespaces of a partition. */
  readonly budget: number
}

/** What must be evicted to make room for one more article. */
export const evict = (state: MatchedState, arrival: MatchedArrival): readonly MatchedUpdate[] =>
  evictedArticles(state, { ...arrival, early: 1 / 2_000 }).flatMap(({ namespace, held, articles }) => [
    ...articles.map(({ article_id }) => tombstone(articleKey(namespace, article_id))),
    ...forgetStories(
      namespace,
      storiesEmptiedBy(held, articles).filter(
        ({ clusterId }) => namespace !== arrival.namespace || clusterId !== arrival.cluster_id,
      ),
    ),
  ])
