import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import type { PlacedMemberKey, KnownPlacement } from './known-stories.ts'
import type { Discourse } from './discourse.ts'
import { memberKey, type RememberedAlias, type RememberedSplit } from './changelog.ts'

/**
 * Where the articles of a change go, as far as they are remembered, which story's name stands for another from now on, and
 * which story opened out of another.
 */
export function moved(discourse: Discourse, event: ArticleClustered, change: StoryChange): KnownPlacement {
  const placed = change.article_ids.flatMap((id): PlacedMemberKey[] => {
    const key = memberKey(event.namespace, id)
    const member = discourse.members.get(key)
    if (member === undefined || member.cluster_id === event.cluster_id) return []
    return [{ key, member: { ...member, cluster_id: event.cluster_id } }]
  })
  const alias = aliasOf(discourse, event, { change, placed })
  return { placed, alias, split: alias === null && placed.length > 0 ? splitOf(event, change) : null }
}

interface Moving {
  readonly change: StoryChange
  readonly placed: readonly PlacedMemberKey[]
}

/**
 * A story that is merged into another one, or whose last articles do, whatever it is called. Its name is remembered
 * only as long as there is a story it can stand for.
 */
function aliasOf(discourse: Discourse, event: ArticleClustered, { change, placed }: Moving): RememberedAlias | null {
  const { cluster_id } = event
  const { from_cluster_id: from } = change
  if (from === null || from === cluster_id) return null
  const goes = isMerge(event, change) || isEmptied(discourse, from, placed)
  return goes && (placed.length > 0 || articlesOf(discourse, cluster_id) > 0)
    ? { cluster_id: from, merged_into: cluster_id }
    : null
}

const articlesOf = ({ stories }: Discourse, id: string): number => stories.get(id)?.articles.size ?? 0

function isEmptied({ stories }: Discourse, from: string, placed: readonly PlacedMemberKey[]): boolean {
  const articles = stories.get(from)?.articles
  const evicted = new Set(placed.map(({ key }) => key))
  return articles !== undefined && articles.size > 0 && [...articles.keys()].every((key) => evicted.has(key))
}

function splitOf(event: ArticleClustered, { from_cluster_id: from, correction }: StoryChange): RememberedSplit | null {
  const isSplit = event.action === 'split' || correction?.action === 'split'
  return isSplit && from !== null && from !== event.cluster_id
    ? { cluster_id: event.cluster_id, split_from: from }
    : null
}

const isMerge = ({ action }: ArticleClustered, { correction }: StoryChange): boolean =>
  action === 'merged' || correction?.action === 'merge'
