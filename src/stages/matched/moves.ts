import { DAY_MS } from '../../domain/days.ts'
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

/** An event of the ledger and when it was logged. */
interface LoggedChange {
  readonly event: ArticleClustered
  readonly loggedAt: number
}

/** A change of stories as far as the state knows its articles. */
export interface MatchedMove {
  /** The articles that join the story of the event, as they are afterwards. */
  readonly moving: readonly MatchedArticleRecord[]
  /** What is known of that story afterwards. */
  readonly known: MatchedStoryRecord
  readonly remember: readonly MatchedUpdate[]
}

/**
 * A merged story passes on which monitors it matched, so that the same news is not sent twice. A story that is emptied
 * keeps them too, for the case that articles move back. `at`: log time.
 */
export function moved(held: MatchedNamespace, { event, loggedAt: at }: LoggedChange, change: StoryChange): MatchedMove {
  const { namespace, cluster_id } = event
  const departing = movedArticles(held, { event, change }, (article) => article.cluster_id)
  const moving = departing.map((article) => ({ ...article, cluster_id }))
  const emptied = storiesEmptiedBy(held, departing)
  const before = held.stories.get(cluster_id)?.known ?? unmatchedStory(cluster_id)
  const inherited = isMerge(event, change) ? emptied.flatMap(({ known }) => known?.published ?? []) : []
  const published = [...new Set([...before.published, ...inherited])].sort((a, b) => a - b)
  const known = { ...before, published, emptied_at: null }
  const isSame = published.length === before.published.length && before.emptied_at === null
  return {
    moving,
    known,
    remember: [
      ...moving.map((article) => matchedArticleEntry(namespace, article)),
      ...(isSame ? [] : [matchedStoryEntry(namespace, known)]),
      ...withoutArticles(namespace, emptied, at),
    ],
  }
}

/** What is kept of stories without articles: which monitors they matched. */
const withoutArticles = (
  namespace: string,
  emptied: readonly MatchingStory[],
  at: number,
): readonly MatchedUpdate[] => [
  ...forgetStories(
    namespace,
    emptied.filter(({ known }) => known?.published.length === 0),
  ),
  ...emptied.flatMap(({ known }) =>
    known === null || known.published.length === 0
      ? []
      : [
          matchedStoryEntry(namespace, {
            ...unmatchedStory(known.cluster_id),
            published: known.published,
            emptied_at: at,
          }),
        ],
  ),
]

/** How long a story without articles is remembered. */
const EMPTIED_MS = 30 * DAY_MS

/** Forgets stories that have been without articles for long. */
export const forgottenSince = ({ emptied, stories }: MatchedNamespace, namespace: string, at: number) =>
  forgetStories(
    namespace,
    [...emptied]
      .flatMap((id) => stories.get(id) ?? [])
      .filter(({ known }) => (known?.emptied_at ?? Infinity) < at - EMPTIED_MS)
      .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1)),
  )

/** What is kept of the story that a revised article left, if that was its last article. */
export const leftStory = (
  held: MatchedNamespace,
  { event: { namespace, cluster_id }, loggedAt }: LoggedChange,
  known: MatchedArticleRecord,
): readonly MatchedUpdate[] =>
  known.cluster_id === cluster_id ? [] : withoutArticles(namespace, storiesEmptiedBy(held, [known]), loggedAt)

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
