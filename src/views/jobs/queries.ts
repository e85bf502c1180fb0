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
 * At most one row: how far a job has come; none when the log has not shown it yet. A job that failed and was sent
 * again from the dead letters is processing, until it is scored or fails once more.
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
    /** Why it failed: a constant such as `text_too_short`. */
    reason: z.string().nullable(),
    /** What the quality gate decided on the newest revision of a completed job's article. */
    gate_reason: z.string().nullable(),
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

/** Submissions that stand refused, by reason, most first: those sent again since are not among them. */
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
