import { articleEntry, storyEntry } from '../../state/entry.ts'
import { isDeepStrictEqual } from 'node:util'
import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { isMerge, isSplit } from '../../state/story-index.ts'
import { movesNothing } from '../../events/ledger-change.ts'
import { earliest, type LinkedStories } from './memory.ts'
import type { LinkedArticleRecord, LinkedStoryRecord, LinkedUpdate } from './changelog.ts'

/** A ledger entry and its offset. */
export interface LedgerRecordLine {
  readonly event: ArticleClustered
  readonly offset: number
}

/**
 * State updates of a change of stories: the new story of each article, and the splits and merges. Nothing for a rebuilt
 * day, a refused correction, or stories that are not in memory. Splits and merges count even if all articles are
 * already in place, since a build from the tables sees only the ledger entries.
 */
export function moved(held: LinkedStories, line: LedgerRecordLine, change: StoryChange): readonly LinkedUpdate[] {
  const { namespace, cluster_id } = line.event
  if (movesNothing(line.event)) return []
  const known = change.article_ids.flatMap((id) => held.articles.get(id) ?? [])
  if (known.length === 0 && (change.article_ids.length === 0 || knownOf(held, cluster_id) === null)) return []
  const moving = known.filter((article) => article.cluster_id !== cluster_id)
  return [
    ...moving.map((article) => articleEntry(namespace, { ...article, cluster_id })),
    ...storyRecords(held, line, change)
      .filter((story) => !isDeepStrictEqual(story, knownOf(held, story.cluster_id)))
      .map((story) => storyEntry(namespace, story)),
  ]
}

/** The updated records of the story that the articles join and of the one they leave. */
function storyRecords(held: LinkedStories, line: LedgerRecordLine, change: StoryChange): readonly LinkedStoryRecord[] {
  const { event, offset } = line
  const to = knownOf(held, event.cluster_id) ?? opened(event.cluster_id, offset)
  const from = knownOf(held, change.from_cluster_id)
  if (change.from_cluster_id === null || change.from_cluster_id === to.cluster_id) return [to]
  const arrived = isSplit(event, change) ? { ...to, split_from: change.from_cluster_id } : to
  if (from === null) return [arrived]
  if (!isMerge(event, change)) return [arrived, { ...from, merged_into: null }]
  return handedOver(arrived, { ...from, merged_into: to.cluster_id }, isEmptied(held, from, change))
}

/** A thread name passes to exactly one story; otherwise two threads could get the same name. */
const handedOver = (to: LinkedStoryRecord, from: LinkedStoryRecord, isAll: boolean): readonly LinkedStoryRecord[] =>
  from.thread === null || !isAll
    ? [to, from]
    : [
        { ...to, thread: earliest(from.thread, to.thread) },
        { ...from, thread: null },
      ]

/** Whether a change moves all articles of a story. */
function isEmptied(held: LinkedStories, { cluster_id }: LinkedStoryRecord, { article_ids }: StoryChange): boolean {
  const moving = new Set(article_ids)
  return [...(held.stories.get(cluster_id)?.articles.keys() ?? [])].every((id) => moving.has(id))
}

const knownOf = ({ stories }: LinkedStories, clusterId: string | null): LinkedStoryRecord | null =>
  clusterId === null ? null : (stories.get(clusterId)?.known ?? null)

/** The record of a story that an article opens. */
const opened = (cluster_id: string, offset: number): LinkedStoryRecord => ({
  cluster_id,
  opened: offset,
  split_from: null,
  merged_into: null,
  thread: null,
})

/** State updates for the assignment of one article. */
export function placed(
  held: LinkedStories,
  { event, offset }: LedgerRecordLine,
  article: LinkedArticleRecord,
): readonly LinkedUpdate[] {
  const { namespace, cluster_id } = event
  const known = knownOf(held, cluster_id)
  return [
    articleEntry(namespace, article),
    ...(known === null ? [storyEntry(namespace, opened(cluster_id, offset))] : []),
  ]
}
