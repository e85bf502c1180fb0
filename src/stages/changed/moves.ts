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

/** What a change of stories makes us remember: where their articles are now; a story without any is forgotten. */
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

/** What was published of stories is no longer needed when all their articles are evicted. */
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
