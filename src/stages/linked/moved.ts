import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { earliest, type Change, type Stories } from './memory.ts'
import { linkedMemory, type Remembered, type RememberedArticle, type RememberedStory } from './remembered.ts'

/** A line of the ledger, and its place there. */
export interface Line {
  readonly event: ArticleClustered
  readonly offset: number
}

/**
 * What a change of stories makes us remember: where their articles are now, how a story came into being, where one went.
 * None of a day that was looked at, a word that was refused, or articles that are not remembered.
 */
export function moved(held: Stories, line: Line, change: StoryChange): readonly Change[] {
  const { action, namespace, cluster_id } = line.event
  if (action === 'rebuilt' || (change.correction?.refused ?? null) !== null) return []
  const moving = change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter((article) => article.cluster_id !== cluster_id)
  if (moving.length === 0) return []
  return [
    ...moving.map((article) => entry({ namespace, article: { ...article, cluster_id }, story: null })),
    ...[arrivedAt(held, line, change), ...leftBehind(held, line, change)].map((story) =>
      entry({ namespace, article: null, story }),
    ),
  ]
}

/** A curator may do by hand what a rebuild does. */
const isDone = (what: 'merge' | 'split', { action }: ArticleClustered, { correction }: StoryChange): boolean =>
  action === (what === 'merge' ? 'merged' : 'split') || correction?.action === what

function arrivedAt(held: Stories, { event, offset }: Line, change: StoryChange): RememberedStory {
  const known = knownOf(held, event.cluster_id) ?? opened(event.cluster_id, offset)
  const from = change.from_cluster_id
  if (isDone('split', event, change)) return { ...known, split_from: from }
  const theirs = isDone('merge', event, change) ? knownOf(held, from) : null
  return theirs?.thread == null ? known : { ...known, thread: earliest(theirs.thread, known.thread) }
}

/** The story that is left: whether it went into the other one is seen when it has no articles. */
function leftBehind(held: Stories, { event }: Line, change: StoryChange): readonly RememberedStory[] {
  const known = knownOf(held, change.from_cluster_id)
  if (known === null || known.cluster_id === event.cluster_id) return []
  return [{ ...known, merged_into: isDone('merge', event, change) ? event.cluster_id : null }]
}

const knownOf = ({ stories }: Stories, clusterId: string | null): RememberedStory | null =>
  clusterId === null ? null : (stories.get(clusterId)?.known ?? null)

/** What is known of a story that an article opens. */
const opened = (cluster_id: string, offset: number): RememberedStory => ({
  cluster_id,
  opened: offset,
  split_from: null,
  merged_into: null,
  thread: null,
})

/** Where one article is from now on. */
export function placed(held: Stories, { event, offset }: Line, article: RememberedArticle): readonly Change[] {
  const { namespace, cluster_id } = event
  const known = knownOf(held, cluster_id)
  return [
    entry({ namespace, article, story: null }),
    ...(known === null ? [entry({ namespace, article: null, story: opened(cluster_id, offset) })] : []),
  ]
}

const entry = (value: Remembered): Change => ({ key: linkedMemory.key(value), value })
