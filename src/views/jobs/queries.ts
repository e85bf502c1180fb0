import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

const GATE = `
  SELECT nullIf(argMax(toString(gate_reason), _offset), '') FROM articles
  WHERE namespace = {namespace: String} AND article_id IN
  (
    SELECT article_id FROM jobs_completed WHERE namespace = {namespace: String} AND job_id = {job_id: String}
  )`

/**
 * At most one row: the status of a job; no row until the view has its event. A job that failed and was retried from the
 * dead-letter topic is `processing` until it is scored or fails again.
 */
export const jobStatus = query({
  name: 'jobs.status',
  sql: `
    SELECT status, article_id, reason, if(status = 'completed', (${GATE}), NULL) AS gate_reason FROM
    (
      SELECT 3 AS rank, 0 AS attempt, 'completed' AS status, toNullable(article_id) AS article_id, NULL AS reason
      FROM jobs_completed
      WHERE namespace = {namespace: String} AND job_id = {job_id: String}
      UNION ALL
      SELECT 2 AS rank, greatest(attempts, 1) AS attempt, 'failed' AS status, NULL AS article_id,
        toNullable(toString(reason)) AS reason
      FROM jobs_failed
      WHERE namespace = {namespace: String} AND job_id = {job_id: String} AND attempt >
      (
        SELECT max(attempts) FROM jobs_retried WHERE namespace = {namespace: String} AND job_id = {job_id: String}
      )
      UNION ALL
      SELECT 1 AS rank, 0 AS attempt, 'processing' AS status, NULL AS article_id, NULL AS reason
      FROM jobs_processing
      WHERE namespace = {namespace: String} AND job_id = {job_id: String}
    )
    ORDER BY rank DESC, attempt DESC, article_id, reason
    LIMIT 1`,
  params: z.object({ job_id: z.string() }),
  row: z.object({
    status: z.enum(['processing', 'completed', 'failed']),
    article_id: z.string().nullable(),
    /** Why the job failed: a constant such as `text_too_short`. */
    reason: z.string().nullable(),
    /** The quality gate's decision on the newest revision of a completed job's article. */
    gate_reason: z.string().nullable(),
  }),
})

/** Submissions with an Idempotency-Key since a point in time, oldest job first: one row per job. */
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

/** Rejected submissions that were not retried since, by reason, the most frequent first. */
export const refusedSubmissions = query({
  name: 'jobs.refused',
  sql: `
    SELECT toString(reason) AS reason, uniqExact(job_id) AS submissions
    FROM jobs_failed
    WHERE namespace = {namespace: String} AND (job_id, greatest(attempts, 1)) NOT IN
    (
      SELECT job_id, greatest(attempts, 1) FROM jobs_retried WHERE namespace = {namespace: String}
    )
    GROUP BY reason
    ORDER BY submissions DESC, reason
    LIMIT 50`,
  params: z.object({}),
  row: z.object({ reason: z.string(), submissions: z.number() }),
})
