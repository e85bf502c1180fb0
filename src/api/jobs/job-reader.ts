import type { Store } from '../../ports/store.ts'
import { sharedRuns } from '../../ports/shared-runs.ts'
import { jobStatuses, type JobStatus } from '../../views/jobs/queries.ts'

/** The status of a job; `null` until the views have its first event. */
export type JobReader = (job: { readonly namespace: string; readonly job_id: string }) => Promise<JobStatus | null>

/** Bounds the length of a query. */
const JOBS_AT_ONCE = 500

/**
 * Reads jobs, those of a namespace in batches: a query costs about the same for one job as for twenty, and callers poll
 * for many jobs at once.
 */
export function jobReader(store: Store): JobReader {
  const read = sharedRuns(
    (namespace, job_ids: readonly string[]) => jobStatuses(store, { namespace, job_ids: [...new Set(job_ids)] }),
    { most: JOBS_AT_ONCE },
  )
  return async ({ namespace, job_id }) => (await read(namespace, job_id)).get(job_id) ?? null
}
