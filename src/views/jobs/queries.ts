import { z } from 'zod'
import { onOneServer, type Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type RowOf } from '../query.ts'

/**
 * At most one row per job; no row until the view has its event. A job that failed and was retried from the dead-letter
 * topic is `processing` until it is scored or fails again.
 */
const jobStates = query({
  name: 'jobs.states',
  sql: `
    SELECT job_id,
      multiIf(
        countIf(event = 'completed') > 0, 'completed',
        maxIf(attempt, event = 'failed') > maxIf(attempt, event = 'retried'), 'failed',
        countIf(event = 'processing') > 0, 'processing', '') AS status,
      if(status = 'completed', minIf(article, event = 'completed'), NULL) AS article_id,
      if(status = 'failed', tupleElement(minIf((-attempt, why), event = 'failed'), 2), NULL) AS reason
    FROM
    (
      SELECT job_id, 'completed' AS event, article_id AS article, toInt64(0) AS attempt, '' AS why
      FROM jobs_completed WHERE namespace = {namespace: String} AND job_id IN {job_ids: Array(String)}
      UNION ALL
      SELECT job_id, 'failed', '', greatest(toInt64(attempts), 1), toString(reason)
      FROM jobs_failed WHERE namespace = {namespace: String} AND job_id IN {job_ids: Array(String)}
      UNION ALL
      SELECT job_id, 'retried', '', toInt64(attempts), ''
      FROM jobs_retried WHERE namespace = {namespace: String} AND job_id IN {job_ids: Array(String)}
      UNION ALL
      SELECT job_id, 'processing', '', toInt64(0), ''
      FROM jobs_processing WHERE namespace = {namespace: String} AND job_id IN {job_ids: Array(String)}
    )
    GROUP BY job_id
    HAVING status != ''
    ORDER BY job_id`,
  params: z.object({ job_ids: z.array(z.string()) }),
  row: z.object({
    job_id: z.string(),
    status: z.enum(['processing', 'completed', 'failed']),
    article_id: z.string().nullable(),
    /** Why the job failed: a constant such as `text_too_short`. */
    reason: z.string().nullable(),
  }),
})

/** The quality gate's decision on the newest revision of each article. */
const gateReasons = query({
  name: 'jobs.gate_reasons',
  sql: `
    SELECT article_id, nullIf(argMax(toString(gate_reason), _offset), '') AS gate_reason FROM articles
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
    GROUP BY article_id`,
  params: z.object({ article_ids: z.array(z.string()) }),
  row: z.object({ article_id: z.string(), gate_reason: z.string().nullable() }),
})

export interface JobStatus extends RowOf<typeof jobStates> {
  /** Set for completed jobs, see `gateReasons`. */
  readonly gate_reason: string | null
}

/** The status of each job; jobs of which the views have no event yet are missing. */
export async function jobStatuses(
  store: Store,
  { namespace, job_ids }: { readonly namespace: string; readonly job_ids: readonly string[] },
): Promise<ReadonlyMap<string, JobStatus>> {
  const server = onOneServer(store)
  const states = await jobStates(server)({ namespace, job_ids: [...job_ids] })
  const article_ids = states.flatMap(({ article_id }) => article_id ?? [])
  const gates = article_ids.length === 0 ? [] : await gateReasons(server)({ namespace, article_ids })
  const reasonOf = new Map(gates.map(({ article_id, gate_reason }) => [article_id, gate_reason]))
  return new Map(
    states.map((state) => [state.job_id, { ...state, gate_reason: reasonOf.get(state.article_id ?? '') ?? null }]),
  )
}

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
