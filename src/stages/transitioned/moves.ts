import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { together } from './departures.ts'
import { knownOf, type Change, type Stories, type Story } from './memory.ts'
import { blankStory, storyKey, transitionedMemory, type Remembered, type RememberedArticle } from './changelog.ts'

/** What a change of stories makes us remember: where their articles are now; a story without any is forgotten. */
export function moved(held: Stories, event: ArticleClustered, change: StoryChange): readonly Change[] {
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

const ended = (namespace: string, emptied: readonly Story[]): readonly Change[] =>
  emptied.flatMap(({ clusterId, known }) =>
    known === null ? [] : [{ key: storyKey(namespace, clusterId), value: null }],
  )

/** The same of one article that was placed anew. */
export const left = (held: Stories, namespace: string, article: RememberedArticle): readonly Change[] =>
  ended(namespace, emptiedBy(held, [article]))

/** Stories all of whose articles leave. */
function emptiedBy(held: Stories, moving: readonly RememberedArticle[]): readonly Story[] {
  const concerned = [...new Set(moving.map(({ cluster_id }) => cluster_id))].flatMap((id) => held.stories.get(id) ?? [])
  const gone = new Set(moving.map(({ article_id }) => article_id))
  return concerned.filter(({ articles }) => [...articles.keys()].every((id) => gone.has(id)))
}

const isMerge = (action: string, { correction }: StoryChange): boolean =>
  action === 'merged' || correction?.action === 'merge'

/** The forgotten articles of a story that merges count for the one it becomes. */
function inherited(
  held: Stories,
  { namespace, cluster_id }: ArticleClustered,
  emptied: readonly Story[],
): readonly Change[] {
  const known = held.stories.get(cluster_id)?.known ?? blankStory(cluster_id)
  const departed = emptied.map((story) => knownOf(story).departed).reduce(together, known.departed)
  return departed === known.departed ? [] : [entry({ namespace, article: null, story: { ...known, departed } })]
}

const entry = (value: Remembered): Change => ({ key: transitionedMemory.key(value), value })
