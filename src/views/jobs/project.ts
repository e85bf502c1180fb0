import { articlesIngested } from '../../events/articles.ts'
import { on, onDead, type View } from '../../runtime/shapes.ts'
import { logPosition } from '../rows.ts'

/**
 * The state of submitted articles until they are scored (see `completedJobs`). An article that was rejected and then
 * retried is in progress until it is rejected again. An article without a job, for example from an import, has no row.
 */
export const jobs: View = {
  name: 'jobs',
  projections: [
    on(articlesIngested, (input) => {
      const { namespace, job_id, request } = input.event
      if (job_id === null) return []
      const row = { namespace, job_id, ...logPosition(input) }
      const processing = { table: 'jobs_processing', row }
      return request === null ? [processing] : [processing, { table: 'submissions', row: { ...row, ...request } }]
    }),
    onDead(articlesIngested, (input) => {
      const { event, reason, attempts, resolved } = input.event
      if (event?.job_id == null) return [] // the record cannot be decoded, or has no job
      const { namespace, job_id } = event
      const row = { namespace, job_id, attempts, ...logPosition(input) }
      if (resolved === 'dropped') return [] // the job stays failed
      if (resolved === 'retried') return [{ table: 'jobs_retried', row }]
      return [{ table: 'jobs_failed', row: { ...row, reason } }]
    }),
  ],
}
