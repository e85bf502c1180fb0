import { topic } from '../../events/topic.ts'
import { memberKey, type RememberedMember } from './changelog.ts'

/** A row of the clusterer's table: the story of an article that is no longer in memory. It stays for good. */
export interface EvictedArticle {
  readonly namespace: string
  readonly article_id: string
  readonly cluster_id: string
  /** Content hashes of its revisions, newest last. A repeated one is a duplicate. */
  readonly seen: readonly string[]
  /** The subject page that lists it; `null` if there is none. */
  readonly subject_id: string | null
}

export const clusteredAssignments = topic<EvictedArticle>('clustered.assignments', ({ namespace, article_id }) =>
  memberKey(namespace, article_id),
)

export const evictedArticle = (
  namespace: string,
  { articleId, clusterId, seen, subjectId }: RememberedMember,
): EvictedArticle => ({ namespace, article_id: articleId, cluster_id: clusterId, seen, subject_id: subjectId })
