import { z } from 'zod'
import { query } from '../query.ts'

/**
 * At most one row: how far a job has come; none when the log has not shown it yet. A job that failed and was sent
 * again from the dead letters is completed once it is scored.
 */
export const jobStatus = query({
  name: 'jobs.status',
  sql: `
    SELECT status, article_id, reason FROM
    (
      SELECT 3 AS rank, 'completed' AS status, toNullable(article_id) AS article_id, NULL AS reason FROM jobs_completed
      WHERE namespace = {namespace: String} AND job_id = {job_id: String}
      UNION ALL
      SELECT 2 AS rank, 'failed' AS status, NULL AS article_id, toNullable(toString(reason)) AS reason FROM jobs_failed
      WHERE namespace = {namespace: String} AND job_id = {job_id: String}
      UNION ALL
      SELECT 1 AS rank, 'processing' AS status, NULL AS article_id, NULL AS reason FROM jobs_processing
      WHERE namespace = {namespace: String} AND job_id = {job_id: String}
    )
    ORDER BY rank DESC, article_id, reason
    LIMIT 1`,
  params: z.object({ job_id: z.string() }),
  row: z.object({
    status: z.enum(['processing', 'completed', 'failed']),
    article_id: z.string().nullable(),
    /** Why it failed: a constant such as `text_too_short`. */
    reason: z.string().nullable(),
  }),
})
