import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { articleKey, storyKey, tombstone } from '../../state/entry.ts'
import { pickOldestByNamespace } from '../../state/pick-oldest.ts'
import {
  asRemembered,
  type ChangedArticle,
  type ChangedNamespace,
  type ChangedState,
  type ChangedStory,
} from './memory.ts'
import { entry, type ChangedUpdate } from './changelog.ts'
import type { ChangePublished } from '../../events/changes.ts'

/** State updates of a change of stories: the new story of each article, and the end of stories without articles. */
export function moved(
  held: ChangedNamespace,
  { namespace, cluster_id, assignment_confidence }: ArticleClustered,
  change: StoryChange,
): readonly ChangedUpdate[] {
  const moving = change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter(({ story }) => story?.clusterId !== cluster_id)
  return [
    ...moving.map((one) =>
      entry({ namespace, article: { ...asRemembered(one), cluster_id, assignment_confidence }, story: null }),
    ),
    ...ended(namespace, moving, cluster_id),
  ]
}

/** What was published about a story is no longer needed once all its articles are evicted. */
export function ended(
  namespace: string,
  evicted: readonly ChangedArticle[],
  stays: string | null,
): readonly ChangedUpdate[] {
  const gone = new Set(evicted)
  const stories = new Set(evicted.flatMap(({ story }) => story ?? []))
  return [...stories]
    .filter((story) => isPublished(story) && story.clusterId !== stays && isEmptied(story, gone))
    .map(({ clusterId }) => tombstone(storyKey(namespace, clusterId)))
}

const isPublished = ({ known }: ChangedStory): boolean => known !== null

const isEmptied = ({ articles }: ChangedStory, gone: ReadonlySet<ChangedArticle>): boolean => {
  for (const article of articles) if (!gone.has(article)) return false
  return true
}

/** Share of a large budget that is evicted ahead of need. */
const EARLY = 1 / 2_000

interface ChangedEvictionArrival {
  readonly namespace: string
  /** The story it joins; `null` when it joins none. */
  readonly cluster_id: string | null
  /** Articles kept, over all namespaces of a partition. */
  readonly budget: number
}

/** What has to be evicted so that one more article fits. */
export function evict(
  { namespaces, size }: ChangedState,
  { namespace, cluster_id, budget }: ChangedEvictionArrival,
): readonly ChangedUpdate[] {
  if (size < budget) return []
  const states = [...namespaces].map(([name, { articles }]) => ({
    namespace: name,
    size: articles.size,
    oldest: () => articles.inOrder().values(),
  }))
  const picked = pickOldestByNamespace(states, { namespace, size, budget, early: EARLY })
  return [...namespaces.keys()].flatMap((name) => {
    const articles = picked.get(name) ?? []
    return [
      ...articles.map(({ id }) => tombstone(articleKey(name, id))),
      ...ended(name, articles, name === namespace ? cluster_id : null),
    ]
  })
}

export type Certainty = Pick<ChangePublished, 'membership' | 'assignment_confidence'>

/** For a change without a story, or with an unknown one. */
export const NO_STORY: Certainty = { membership: null, assignment_confidence: null }

type Assigned = Pick<ChangedArticle, 'isSettled' | 'assignmentConfidence'>

/** A story is settled when each of its articles is, and as certain as the least certain one. */
export function certaintyOf(articles: Iterable<Assigned>): Certainty {
  let isSettled = true
  let lowest: number | null = Infinity
  for (const article of articles) {
    isSettled &&= article.isSettled
    const { assignmentConfidence } = article
    lowest = lowest === null || assignmentConfidence === null ? null : Math.min(lowest, assignmentConfidence)
  }
  if (lowest === Infinity) return NO_STORY
  return { membership: isSettled ? 'settled' : 'provisional', assignment_confidence: lowest }
}

/** State updates of the articles of a story that settled. */
export function settled(
  held: ChangedNamespace,
  { namespace, assignment_confidence }: ArticleClustered,
  change: StoryChange,
): ChangedUpdate[] {
  return change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter((one) => !one.isSettled || one.assignmentConfidence !== assignment_confidence)
    .map((one) =>
      entry({ namespace, article: { ...asRemembered(one), settled: true, assignment_confidence }, story: null }),
    )
}
