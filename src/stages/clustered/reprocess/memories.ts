import { clusterId } from '../../../events/ids.ts'
import type { MemberRecord, RebuiltDay } from '../changelog.ts'

/** What matters of an entry of the old memory when the new one takes its place. */
export interface KeptMembership extends Pick<
  MemberRecord,
  'namespace' | 'article_id' | 'cluster_id' | 'log_order' | 'founded' | 'constraints'
> {
  /** Of a day: up to where it was rebuilt; null of an article. */
  readonly rebuiltUpTo: number | null
}

export const kept = (record: MemberRecord): KeptMembership => ({
  namespace: record.namespace,
  article_id: record.article_id,
  cluster_id: record.cluster_id,
  log_order: record.log_order,
  founded: record.founded,
  constraints: record.constraints,
  rebuiltUpTo: record.rebuilt?.up_to ?? null,
})

/** Where the switch puts articles. */
export interface Seats {
  /** Null: the ledger does not know the article. */
  storyOf(namespace: string, article: string): string | null
  /** A story had this id at some time, or has it from now on. */
  isGiven(namespace: string, story: string): boolean
  /** The next offset of the articles' topic that the live stage will read, which it must not have seen. */
  readonly readUpTo: number
}

/**
 * The entry of the new memory as it goes into the real one: in the story that readers know, bound as curators said. Null:
 * the old entry stays; the live stage has read another revision of the article than the new version has.
 */
export function takenOver(record: MemberRecord, old: KeptMembership | undefined, seats: Seats): MemberRecord | null {
  const { rebuilt } = record
  if (rebuilt !== null) return laterDay({ ...record, rebuilt }, old?.rebuiltUpTo ?? -1, seats)
  const { log_order, constraints } = old ?? record
  if (log_order !== record.log_order || log_order >= seats.readUpTo) return null
  return seated({ ...record, constraints }, seats)
}

/** A day that the live stage has rebuilt further than the new version stays settled. */
function laterDay(
  { rebuilt, ...record }: MemberRecord & { readonly rebuilt: RebuiltDay },
  known: number,
  { readUpTo }: Seats,
): MemberRecord | null {
  const up_to = Math.min(rebuilt.up_to, readUpTo)
  return up_to > known ? { ...record, rebuilt: { ...rebuilt, up_to } } : null
}

/** The entry with the story that the switch assigns its article to; `null` when it is there already or the ledger does not have it. */
export function moved(record: MemberRecord, seats: Seats): MemberRecord | null {
  if (record.rebuilt !== null) return null
  const now = seated(record, seats)
  return now === null || (now.cluster_id === record.cluster_id && now.founded === record.founded) ? null : now
}

function seated(record: MemberRecord, seats: Seats): MemberRecord | null {
  const { namespace, article_id } = record
  const cluster_id = seats.storyOf(namespace, article_id)
  if (cluster_id === null) return null
  return {
    ...record,
    cluster_id,
    founded: record.founded || seats.isGiven(namespace, clusterId(namespace, article_id)),
  }
}

/** Whether an entry of the old memory that has no better one has to be written again. */
export const isMoved = (
  { namespace, article_id, cluster_id, founded, rebuiltUpTo }: KeptMembership,
  seats: Seats,
): boolean => {
  if (rebuiltUpTo !== null) return false
  const story = seats.storyOf(namespace, article_id)
  if (story === null) return false
  return story !== cluster_id || (!founded && seats.isGiven(namespace, clusterId(namespace, article_id)))
}
