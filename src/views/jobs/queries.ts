import { z } from 'zod'
import { moment } from '../instant.ts'
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

/** What the log took under an Idempotency-Key since a moment, the oldest job first: one row a job. */
export const submissionsUnderKey = query({
  name: 'jobs.submissions',
  sql: `
    SELECT DISTINCT body_hash, job_id FROM submissions
    WHERE namespace = {namespace: String} AND key_hash = {key_hash: String}
      AND _log_at >= {since: DateTime64(3, 'UTC')}
    ORDER BY job_id
    LIMIT 1000`,
  params: z.object({ key_hash: z.string(), since: moment }),
  row: z.object({ body_hash: z.string(), job_id: z.string() }),
})
