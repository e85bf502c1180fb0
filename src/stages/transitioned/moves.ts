import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { together } from './departures.ts'
import { storyKey, tombstone } from '../../state/entry.ts'
import { knownOf, type TransitionedStories, type TransitionedStory } from './memory.ts'
import { blankStory, entry, type TransitionedArticleRecord, type TransitionedUpdate } from './changelog.ts'

/** What a change of stories makes us remember: where their articles are now; a story without any is forgotten. */
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
  return [
    ...moving.map((article) => entry({ namespace, article: { ...article, cluster_id }, story: null })),
    ...(isMerge(event.action, change) ? inherited(held, event, emptied) : []),
    ...ended(namespace, emptied),
  ]
}

const ended = (namespace: string, emptied: readonly TransitionedStory[]): readonly TransitionedUpdate[] =>
  emptied.flatMap(({ clusterId, known }) => (known === null ? [] : [tombstone(storyKey(namespace, clusterId))]))

/** The same of one article that was placed again. */
export const left = (
  held: TransitionedStories,
  namespace: string,
  article: TransitionedArticleRecord,
): readonly TransitionedUpdate[] => ended(namespace, emptiedBy(held, [article]))

/** Stories all of whose articles leave. */
function emptiedBy(
  held: TransitionedStories,
  moving: readonly TransitionedArticleRecord[],
): readonly TransitionedStory[] {
  const concerned = [...new Set(moving.map(({ cluster_id }) => cluster_id))].flatMap((id) => held.stories.get(id) ?? [])
  const gone = new Set(moving.map(({ article_id }) => article_id))
  return concerned.filter(({ articles }) => [...articles.keys()].every((id) => gone.has(id)))
}

const isMerge = (action: string, { correction }: StoryChange): boolean =>
  action === 'merged' || correction?.action === 'merge'

/** The forgotten articles of a story that merges count for the one it becomes. */
function inherited(
  held: TransitionedStories,
  { namespace, cluster_id }: ArticleClustered,
  emptied: readonly TransitionedStory[],
): readonly TransitionedUpdate[] {
  const known = held.stories.get(cluster_id)?.known ?? blankStory(cluster_id)
  const departed = emptied.map((story) => knownOf(story).departed).reduce(together, known.departed)
  return departed === known.departed ? [] : [entry({ namespace, article: null, story: { ...known, departed } })]
}
