import { articlesIngested } from '../../events/articles.ts'
import { on, onDead, type View } from '../../runtime/shapes.ts'
import { placeOf } from '../rows.ts'

/**
 * Submitted articles until they are scored (then see `completedJobs`); one that was refused and sent again is under way
 * until it is refused once more. One without a job (an import, say) has no row.
 */
export const jobs: View = {
  name: 'jobs',
  projections: [
    on(articlesIngested, (input) => {
      const { namespace, job_id, request } = input.event
      if (job_id === null) return []
      const row = { namespace, job_id, ...placeOf(input) }
      const processing = { table: 'jobs_processing', row }
      return request === null ? [processing] : [processing, { table: 'submissions', row: { ...row, ...request } }]
    }),
    onDead(articlesIngested, (input) => {
      const { event, reason, attempts, resolved } = input.event
      if (event?.job_id == null) return [] // bytes that name no job, or none was asked for
      const { namespace, job_id } = event
      const row = { namespace, job_id, attempts, ...placeOf(input) }
      if (resolved === 'dropped') return [] // it stays failed
      if (resolved === 'retried') return [{ table: 'jobs_retried', row }]
      return [{ table: 'jobs_failed', row: { ...row, reason } }]
    }),
  ],
}
