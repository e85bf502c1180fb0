import { z } from '@hono/zod-openapi'
import type { JobStatus } from '../../views/jobs/queries.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import { checked, refusedFields, SubmittedArticle, SubmittedJob, Jobs, refusalText } from './intake.ts'
import { readJobId } from './job-id.ts'
import { jobReader, type JobReader } from './job-reader.ts'
import { isProblem, problem, validationFailed, type FieldError, type Problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { submitting, type Submit } from './submit.ts'

const ONE = '/layer0/v1/process'
const MANY = '/layer0/v1/process/batch'
const MAX_BATCH = 50
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** If no view has the job after this time, the log cannot have it, so it is no longer reported as queued. */
const QUEUED_AT_MOST_MS = 15 * 60_000

const SAFE_AGAIN = idempotencyKey('returns the same jobs, and nothing is submitted twice')

const keyed = { tag: 'Layer 0', tier: 'starter' } as const
const submission = { ...keyed, method: 'post', cost: 'request', status: 202 } as const

export function jobRoutes(dependencies: Dependencies): readonly Route[] {
  const submit = submitting(dependencies)
  return [processRoute(submit), batchRoute(submit), statusRoute(jobReader(dependencies.store), dependencies)]
}

const processRoute = (submit: Submit): Route =>
  defineRoute(
    {
      ...submission,
      path: ONE,
      operationId: 'submitArticle',
      summary: 'Submit an article',
      description:
        'Returns a job as soon as the article is stored. `GET /layer0/v1/status/{job_id}` returns the ' +
        "job's status.",
      problems: ['idempotency_key_reused'],
      request: { headers: SAFE_AGAIN, body: SubmittedArticle },
      answer: SubmittedJob,
    },
    async ({ headers, body }, context) => {
      const verdict = checked(body)
      if (verdict.kind === 'refused') {
        return validationFailed(refusedFields(body).map(({ reason, field }) => fieldError(field, reason)))
      }
      const jobs = await submit({ path: ONE, body, key: headers['Idempotency-Key'], verdicts: [verdict] }, context)
      if (isProblem(jobs)) return jobs
      const [job] = jobs
      if (job === undefined) throw new Error('an article was submitted without a job')
      return job
    },
  )

const batchRoute = (submit: Submit): Route =>
  defineRoute(
    {
      ...submission,
      path: MANY,
      operationId: 'submitArticles',
      summary: 'Submit a batch of articles',
      description:
        'Accepts up to 50 articles and costs one request. Returns one job per article, in order. An article ' +
        'that is not accepted becomes a failed job; the others are processed.',
      problems: ['idempotency_key_reused'],
      maxBodyBytes: MAX_BATCH_BYTES,
      request: {
        headers: SAFE_AGAIN,
        body: z.object({ articles: z.array(SubmittedArticle).min(1).max(MAX_BATCH) }).openapi('Batch'),
      },
      answer: Jobs,
    },
    async ({ headers, body: { articles } }, context) => {
      const verdicts = articles.map(checked)
      const jobs = await submit({ path: MANY, body: articles, key: headers['Idempotency-Key'], verdicts }, context)
      return isProblem(jobs) ? jobs : { jobs, total: jobs.length }
    },
  )

const statusRoute = (readJob: JobReader, { jobSecret }: Pick<Dependencies, 'jobSecret'>): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/layer0/v1/status/{job_id}',
      operationId: 'getJob',
      summary: 'Retrieve a job',
      description: 'Returns the status of a submitted article. Polls have a rate limit of their own: 600 a minute.',
      cost: 'poll',
      status: 200,
      problems: ['job_not_found'],
      request: { params: z.object({ job_id: z.string() }) },
      answer: SubmittedJob,
    },
    async ({ params: { job_id } }, { caller: { namespace }, now }) => {
      const job = readJobId(job_id, { namespace, secret: jobSecret })
      if (job === null) return noJob(job_id)
      if (job.refusal !== null) return { job_id, status: 'failed' as const, error: refusalText(job.refusal) }

      const state = await readJob({ namespace, job_id })
      if (state !== null) return known(state)
      return now - job.submitted_at < QUEUED_AT_MOST_MS ? { job_id, status: 'queued' as const } : noJob(job_id)
    },
  )

const fieldError = (field: string, reason: string): FieldError => ({
  path: field === 'text' ? 'text' : `metadata.${field}`,
  message: refusalText(reason),
})

const known = ({ job_id, status, article_id, reason, gate_reason }: JobStatus): SubmittedJob => ({
  job_id,
  ...(article_id === null ? {} : { article_id }),
  status,
  ...(reason === null ? {} : { error: refusalText(reason) }),
  ...(gate_reason === null ? {} : { forwarded: gate_reason !== 'below_gate', gate_reason }),
})

const noJob = (job_id: string): Problem => problem('job_not_found', `Job not found: ${job_id}`)
