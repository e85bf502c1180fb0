import { articlesScored } from '../../events/articles.ts'
import { on } from '../../runtime/shapes.ts'
import { placeOf } from '../place.ts'

/**
 * Part of the view `articles`, which inserts it last: a job is completed when its article can be read, so that a client
 * that asks for the article right after its job finds it.
 */
export const completedJobs = on(articlesScored, (input) => {
  const { namespace, job_id, article_id } = input.event
  return job_id === null ? [] : [{ table: 'jobs_completed', row: { namespace, job_id, article_id, ...placeOf(input) } }]
})
