import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { asRemembered, type Article, type Change, type Held, type Story } from './memory.ts'
import { changedMemory, storyKey } from './changelog.ts'

/** What a change of stories makes us remember: where their articles are now; a story without any is forgotten. */
export function moved(
  held: Held,
  { namespace, cluster_id, assignment_confidence }: ArticleClustered,
  change: StoryChange,
): readonly Change[] {
  const moving = change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter(({ story }) => story?.clusterId !== cluster_id)
  return [
    ...moving.map((one): Change => {
      const value = { namespace, article: { ...asRemembered(one), cluster_id, assignment_confidence }, story: null }
      return { key: changedMemory.key(value), value }
    }),
    ...ended(namespace, moving, cluster_id),
  ]
}

/** Nobody asks any more what was told of stories all of whose articles leave. */
export function ended(namespace: string, evicted: readonly Article[], stays: string | null): readonly Change[] {
  const gone = new Set(evicted)
  const stories = new Set(evicted.flatMap(({ story }) => story ?? []))
  return [...stories]
    .filter((story) => isPublished(story) && story.clusterId !== stays && isEmptied(story, gone))
    .map(end)

  function end({ clusterId }: Story): Change {
    return { key: storyKey(namespace, clusterId), value: null }
  }
}

const isPublished = ({ known }: Story): boolean => known !== null

const isEmptied = ({ articles }: Story, gone: ReadonlySet<Article>): boolean => {
  for (const article of articles) if (!gone.has(article)) return false
  return true
}
