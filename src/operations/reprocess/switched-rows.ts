import type { OutRecord } from '../../ports/log.ts'
import { clusteredAssignments, type EvictedArticle } from '../../stages/clustered/assignments.ts'
import type { Assignments } from '../../stages/clustered/reprocess/memories.ts'
import type { SwitchEntries } from './prepared-entries.ts'
import type { ReprocessPorts, ReprocessedStories } from './stories.ts'

/**
 * The rows of evicted articles to write in a switch: those of the new version, otherwise the old ones, with their new
 * story. Rows that stay as they are are left out.
 */
export async function switchedRows(
  { partition, oldRows, newRows }: ReprocessedStories,
  seats: Assignments,
  { codec }: Pick<ReprocessPorts, 'codec'>,
): Promise<SwitchEntries> {
  const records: Record<'steady' | 'moving', OutRecord[]> = { steady: [], moving: [] }
  for (const [key, known] of new Map([...oldRows, ...newRows])) {
    const cluster_id = seats.storyOf(known.namespace, known.article_id) ?? known.cluster_id
    const row: EvictedArticle = { ...known, cluster_id }
    const old = oldRows.get(key)
    if (old !== undefined && isEqual(old, row)) continue
    const value = await codec.encode(clusteredAssignments, row)
    const isSteady = old === undefined || old.cluster_id === cluster_id
    records[isSteady ? 'steady' : 'moving'].push({ topic: clusteredAssignments.name, key, value, partition })
  }
  return records
}

const isEqual = (one: EvictedArticle, other: EvictedArticle): boolean =>
  one.cluster_id === other.cluster_id &&
  one.subject_id === other.subject_id &&
  one.seen.join(' ') === other.seen.join(' ')
