import { articlesIngested, articlesScored } from '../../events/articles.ts'
import { on, onDead } from '../../runtime/shapes.ts'
import type { View } from '../../runtime/shapes.ts'
import { placeOf } from '../place.ts'

/** How far each submitted article has come. An article without a job (an import, say) has no row. */
export const jobs: View = {
  name: 'jobs',
  projections: [
    on(articlesIngested, (input) => {
      const { namespace, job_id } = input.event
      return job_id === null ? [] : [{ table: 'jobs_processing', row: { namespace, job_id, ...placeOf(input) } }]
    }),
    on(articlesIngested, (input) => {
      const { namespace, job_id, request } = input.event
      if (job_id === null || request === null) return []
      return [{ table: 'submissions', row: { namespace, ...request, job_id, ...placeOf(input) } }]
    }),
    on(articlesScored, (input) => {
      const { namespace, job_id, article_id } = input.event
      return job_id === null
        ? []
        : [{ table: 'jobs_completed', row: { namespace, job_id, article_id, ...placeOf(input) } }]
    }),
    onDead(articlesIngested, (input) => {
      const { event, reason } = input.event
      if (event?.job_id == null) return [] // bytes that tell no job, or none was asked for
      const { namespace, job_id } = event
      return [{ table: 'jobs_failed', row: { namespace, job_id, reason, ...placeOf(input) } }]
    }),
  ],
}
