import { clusterId } from '../../../events/ids.ts'
import type { MemberRecord, RebuiltDay } from '../changelog.ts'

/** The fields of an old state entry that the new one needs. */
export interface KeptMembership extends Pick<
  MemberRecord,
  'namespace' | 'article_id' | 'cluster_id' | 'log_order' | 'founded' | 'constraints'
> {
  /** For a day, the offset up to which it was rebuilt; `null` for an article. */
  readonly rebuiltUpTo: number | null
}

export const keptMembership = (record: MemberRecord): KeptMembership => ({
  namespace: record.namespace,
  article_id: record.article_id,
  cluster_id: record.cluster_id,
  log_order: record.log_order,
  founded: record.founded,
  constraints: record.constraints,
  rebuiltUpTo: record.rebuilt?.up_to ?? null,
})

/** The assignments after the switch. */
export interface Assignments {
  /** `null` if the ledger does not have the article. */
  storyOf(namespace: string, article: string): string | null
  /** Whether a story ever had this id, or has it after the switch. */
  isUsedId(namespace: string, story: string): boolean
  /**
   * The next offset of the articles' topic that the live stage will read. State must not include it or later records.
   */
  readonly readUpTo: number
}

/**
 * The new version's entry as written to the live changelog: with the published story id and the curators' constraints.
 * `null` keeps the old entry, if the live stage has read another revision of the article than the new version.
 */
export function replacement(
  record: MemberRecord,
  old: KeptMembership | undefined,
  next: Assignments,
): MemberRecord | null {
  const { rebuilt } = record
  if (rebuilt !== null) return laterDay({ ...record, rebuilt }, old?.rebuiltUpTo ?? -1, next)
  const { log_order, constraints } = old ?? record
  if (log_order !== record.log_order || log_order >= next.readUpTo) return null
  return reassigned({ ...record, constraints }, next)
}

/** A day that the live stage has rebuilt further than the new version stays as it is. */
function laterDay(
  { rebuilt, ...record }: MemberRecord & { readonly rebuilt: RebuiltDay },
  known: number,
  { readUpTo }: Assignments,
): MemberRecord | null {
  const up_to = Math.min(rebuilt.up_to, readUpTo)
  return up_to > known ? { ...record, rebuilt: { ...rebuilt, up_to } } : null
}

/**
 * The entry with the story assigned by the switch. `null` if the entry has it already or the ledger does not have the
 * article.
 */
export function moved(record: MemberRecord, next: Assignments): MemberRecord | null {
  if (record.rebuilt !== null) return null
  const now = reassigned(record, next)
  return now === null || (now.cluster_id === record.cluster_id && now.founded === record.founded) ? null : now
}

function reassigned(record: MemberRecord, next: Assignments): MemberRecord | null {
  const { namespace, article_id } = record
  const cluster_id = next.storyOf(namespace, article_id)
  if (cluster_id === null) return null
  return {
    ...record,
    cluster_id,
    founded: record.founded || next.isUsedId(namespace, clusterId(namespace, article_id)),
  }
}

/** Whether an old entry without a replacement must be rewritten. */
export const isMoved = (
  { namespace, article_id, cluster_id, founded, rebuiltUpTo }: KeptMembership,
  next: Assignments,
): boolean => {
  if (rebuiltUpTo !== null) return false
  const story = next.storyOf(namespace, article_id)
  if (story === null) return false
  return story !== cluster_id || (!founded && next.isUsedId(namespace, clusterId(namespace, article_id)))
}
