import { z } from '@hono/zod-openapi'
import { articlesIngested, type ArticleIngested } from '../../events/articles.ts'
import type { Fields } from '../../events/intake-rules.ts'
import { jobStatus } from '../../views/jobs/queries.ts'
import type { Dependencies } from '../dependencies.ts'
import { append, checked, ingested, SubmittedArticle } from '../intake.ts'
import { newJobId, readJobId } from '../job-id.ts'
import { problem, validationFailed, type Problem } from '../problem.ts'
import { REFUSALS, refusalText, type ItemRefusal } from '../refusals.ts'
import { defineRoute, type Asked, type Route } from '../route.ts'

const Job = z
  .object({
    job_id: z.string(),
    article_id: z.string().optional().openapi({ description: 'At submit, and once completed.' }),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    error: z.string().optional().openapi({ description: 'Present when failed.' }),
  })
  .openapi('Job')

type Job = z.output<typeof Job>

const Jobs = z.object({ jobs: z.array(Job), total: z.int() }).openapi('Jobs')

const MAX_BATCH = 50
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** After this long without a trace the log cannot have it: it is said no more that the job is queued. */
const QUEUED_AT_MOST_MS = 15 * 60_000

const keyed = { tag: 'Layer 0', tier: 'starter' } as const

export const jobRoutes = (dependencies: Dependencies): readonly Route[] => [
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/layer0/v1/process',
      summary: 'Submit an article',
      description: 'Answers once the log has the article; `GET /layer0/v1/status/{job_id}` tells what became of it.',
      cost: 'request',
      status: 202,
      request: { body: SubmittedArticle },
      answer: Job,
    },
    async ({ body }, asked) => await submitOne(body, asked, dependencies),
  ),
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/layer0/v1/process/batch',
      summary: 'Submit up to 50 articles',
      description:
        'Costs one request. An article that may not come in is refused in its place, as a failed job; the others go on.',
      cost: 'request',
      status: 202,
      maxBodyBytes: MAX_BATCH_BYTES,
      request: { body: z.object({ articles: z.array(SubmittedArticle).min(1).max(MAX_BATCH) }).openapi('Batch') },
      answer: Jobs,
    },
    async ({ body }, asked) => await submitBatch(body.articles, asked, dependencies),
  ),
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/layer0/v1/status/{job_id}',
      summary: 'What became of a submission',
      description: 'Polls have a bucket of their own: 600 a minute.',
      cost: 'poll',
      status: 200,
      problems: ['job_not_found'],
      request: { params: z.object({ job_id: z.string() }) },
      answer: Job,
    },
    async ({ params }, asked) => await statusOf(params.job_id, asked, dependencies),
  ),
]

async function submitOne(article: SubmittedArticle, asked: Asked, dependencies: Dependencies): Promise<Job | Problem> {
  const verdict = checked(article)
  if (verdict.kind === 'refused') {
    const path = verdict.field === 'text' ? 'text' : `metadata.${verdict.field}`
    return validationFailed([{ path, message: refusalText(verdict.reason) }])
  }

  const event = submitted(verdict.fields, asked, dependencies)
  await append([event], dependencies)
  return queued(event)
}

async function submitBatch(
  articles: readonly SubmittedArticle[],
  asked: Asked,
  dependencies: Dependencies,
): Promise<z.output<typeof Jobs>> {
  const verdicts = articles.map((article) => {
    const verdict = checked(article)
    return verdict.kind === 'refused'
      ? { job: refused(itemRefusal(verdict.reason), asked, dependencies), event: null }
      : accepted(submitted(verdict.fields, asked, dependencies))
  })
  const events = verdicts.flatMap(({ event }) => (event === null ? [] : [event]))
  if (events.length > 0) await append(events, dependencies)
  return { jobs: verdicts.map(({ job }) => job), total: verdicts.length }
}

const accepted = (event: ArticleIngested) => ({ job: queued(event), event })

/** Types are right by the schema, so a text that is missing here is one of white space only. */
const itemRefusal = (reason: string): ItemRefusal => REFUSALS.find((one) => one === reason) ?? 'text_too_short'

function submitted(fields: Fields, { caller, now }: Asked, { jobSecret }: Dependencies): ArticleIngested {
  const { namespace } = caller
  return ingested(fields, { namespace, job_id: newJobId(now, null, { namespace, secret: jobSecret }) })
}

const queued = (event: ArticleIngested): Job => ({
  job_id: event.job_id ?? '',
  article_id: articlesIngested.key(event),
  status: 'queued',
})

function refused(reason: ItemRefusal, { caller, now }: Asked, { jobSecret }: Dependencies): Job {
  const job_id = newJobId(now, reason, { namespace: caller.namespace, secret: jobSecret })
  return { job_id, status: 'failed', error: refusalText(reason) }
}

async function statusOf(
  job_id: string,
  { caller, now }: Asked,
  { store, jobSecret }: Dependencies,
): Promise<Job | Problem> {
  const { namespace } = caller
  const job = readJobId(job_id, { namespace, secret: jobSecret })
  if (job === null) return noJob(job_id)
  if (job.refusal !== null) return { job_id, status: 'failed', error: refusalText(job.refusal) }

  const [row] = await jobStatus(store)({ namespace, job_id })
  if (row !== undefined) return known(job_id, row)
  return now - job.submitted_at < QUEUED_AT_MOST_MS ? { job_id, status: 'queued' } : noJob(job_id)
}

interface JobRow {
  readonly status: 'processing' | 'completed' | 'failed'
  readonly article_id: string | null
  readonly reason: string | null
}

const known = (job_id: string, { status, article_id, reason }: JobRow): Job => ({
  job_id,
  ...(article_id === null ? {} : { article_id }),
  status,
  ...(reason === null ? {} : { error: refusalText(reason) }),
})

const noJob = (job_id: string): Problem => problem('job_not_found', `No job ${job_id}`)
