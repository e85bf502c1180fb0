import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import {
  asRemembered,
  type ChangedArticle,
  type ChangedUpdate,
  type ChangedNamespace,
  type ChangedStory,
} from './memory.ts'
import { changedMemory, storyKey } from './changelog.ts'

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
    ...moving.map((one): ChangedUpdate => {
      const value = { namespace, article: { ...asRemembered(one), cluster_id, assignment_confidence }, story: null }
      return { key: changedMemory.key(value), value }
    }),
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
    .map(end)

  function end({ clusterId }: ChangedStory): ChangedUpdate {
    return { key: storyKey(namespace, clusterId), value: null }
  }
}

const isPublished = ({ known }: ChangedStory): boolean => known !== null

const isEmptied = ({ articles }: ChangedStory, gone: ReadonlySet<ChangedArticle>): boolean => {
  for (const article of articles) if (!gone.has(article)) return false
  return true
}
