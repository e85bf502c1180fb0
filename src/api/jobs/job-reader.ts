import type { Store } from '../../ports/store.ts'
import { jobStatuses, type JobStatus } from '../../views/jobs/queries.ts'

/** The status of a job; `null` until the views have its first event. */
export type JobReader = (job: JobKey) => Promise<JobStatus | null>

interface JobKey {
  readonly namespace: string
  readonly job_id: string
}

/** Bounds the length of a query. */
const JOBS_AT_ONCE = 500

type Statuses = Promise<ReadonlyMap<string, JobStatus>>

/**
 * Reads jobs, at most one query per namespace at a time: jobs that are requested during a query are read together by the
 * next one. A query costs about the same for one job as for twenty, and callers poll for many jobs at once.
 */
export function jobReader(store: Store): JobReader {
  /** For each namespace, the read that has not begun yet. */
  const next = new Map<string, { readonly job_ids: Set<string>; readonly statuses: Statuses }>()
  /** For each namespace, the newest read; it settles after all earlier ones. */
  const newest = new Map<string, Statuses>()

  const readAfter = async (namespace: string, job_ids: ReadonlySet<string>): Statuses => {
    await newest.get(namespace)?.catch(() => undefined)
    if (next.get(namespace)?.job_ids === job_ids) next.delete(namespace)
    return jobStatuses(store, { namespace, job_ids: [...job_ids] })
  }

  const begin = (namespace: string) => {
    const job_ids = new Set<string>()
    const statuses = readAfter(namespace, job_ids)
    newest.set(namespace, statuses)
    const forget = (): void => {
      if (newest.get(namespace) === statuses) newest.delete(namespace)
    }
    statuses.then(forget, forget)
    const read = { job_ids, statuses }
    next.set(namespace, read)
    return read
  }

  return async ({ namespace, job_id }) => {
    const waiting = next.get(namespace)
    const read = waiting === undefined || waiting.job_ids.size >= JOBS_AT_ONCE ? begin(namespace) : waiting
    read.job_ids.add(job_id)
    return (await read.statuses).get(job_id) ?? null
  }
}
