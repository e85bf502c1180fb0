import { articlesIngested, type ArticleIngested, type IdempotentRequest } from '../../events/articles.ts'
import type { Intake } from '../../domain/intake/articles.ts'
import { viewGroup } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { jobs } from '../../views/jobs/project.ts'
import { submissionsUnderKey } from '../../views/jobs/queries.ts'
import { caughtUp } from '../http/caught-up.ts'
import { append } from '../http/append.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { keyedRequest, IDEMPOTENCY_MS, IdempotencyKeys, type KeyedRequest, type First } from '../http/idempotency.ts'
import { ingested, type SubmittedJob, REFUSALS, refusalText, type ItemRefusal } from './intake.ts'
import { keyedJobId, newJobId, readJobId } from './job-id.ts'
import type { Problem } from '../http/problem.ts'
import type { CallContext } from '../http/route.ts'

/** A request that submits articles. */
export interface Submission {
  readonly path: string
  /** The validated body. */
  readonly body: unknown
  /** The `Idempotency-Key`, if one was sent. */
  readonly key: string | undefined
  /** The intake result of each article, in order. */
  readonly verdicts: readonly Intake[]
}

/** Submits articles. Resolves when the log has stored every accepted one, with one job per article, in order. */
export type Submit = (submission: Submission, context: CallContext) => Promise<readonly SubmittedJob[] | Problem>

/** The data that all items of a request share. */
interface Items {
  readonly namespace: string
  readonly request: IdempotentRequest | null
  readonly jobId: (index: number, refusal: ItemRefusal | null) => string
  /** Jobs that are already in the log. */
  readonly logged: First['logged']
}

export function submitting(dependencies: Dependencies): Submit {
  const { store, jobSecret: secret } = dependencies
  const viewIsReady = caughtUp({ group: viewGroup(jobs.name), topic: articlesIngested.name }, dependencies)
  const inView = firstInView(store, secret)
  const keys = new IdempotencyKeys<readonly SubmittedJob[]>(async (context) => {
    await viewIsReady()
    return inView(context)
  })

  return async ({ path, body, key, verdicts }, { caller, now }) => {
    if (key === undefined) return submit(verdicts, unkeyed(caller.namespace, now, secret), dependencies)
    const context = keyedRequest(caller, { key, path, body, now }, secret)
    return keys.once(context, (first) => submit(verdicts, keyed(context, first, secret), dependencies))
  }
}

const unkeyed = (namespace: string, now: number, secret: string): Items => ({
  namespace,
  request: null,
  jobId: (_, refusal) => newJobId(now, refusal, { namespace, secret }),
  logged: new Set(),
})

const keyed = ({ namespace, key_hash, body_hash }: KeyedRequest, { at, logged }: First, secret: string): Items => ({
  namespace,
  request: { key_hash, body_hash },
  jobId: (index, refusal) => keyedJobId({ key_hash, at, index }, refusal, { namespace, secret }),
  logged,
})

async function submit(
  verdicts: readonly Intake[],
  items: Items,
  ports: Dependencies,
): Promise<readonly SubmittedJob[]> {
  const { namespace, request, logged } = items
  const events: ArticleIngested[] = []
  const jobs = verdicts.map((verdict, index) => {
    if (verdict.kind === 'refused') return refused(itemRefusal(verdict.reason), index, items)
    const event = ingested(verdict.fields, { namespace, job_id: items.jobId(index, null), request })
    events.push(event)
    return queued(event)
  })
  const missing = logged === 'all' ? [] : events.filter(({ job_id }) => !logged.has(job_id ?? ''))
  if (missing.length > 0) await append(articlesIngested, missing, ports)
  return jobs
}

const queued = (event: ArticleIngested): SubmittedJob => ({
  job_id: event.job_id ?? '',
  article_id: articlesIngested.key(event),
  status: 'queued',
})

const refused = (reason: ItemRefusal, index: number, { jobId }: Items): SubmittedJob => ({
  job_id: jobId(index, reason),
  status: 'failed',
  error: refusalText(reason),
})

/** The schema has already checked types, so a missing text here is one that contains only white space. */
const itemRefusal = (reason: string): ItemRefusal => REFUSALS.find((one) => one === reason) ?? 'text_too_short'

/** Finds the first request with a key in the view: its oldest job of the last 24 hours. */
const firstInView =
  (store: Store, secret: string) =>
  async ({ namespace, key_hash, now }: KeyedRequest): Promise<First | null> => {
    const rows = await submissionsUnderKey(store)({ namespace, key_hash, since: now - IDEMPOTENCY_MS })
    const jobs = rows.flatMap(({ body_hash, job_id }) => {
      const at = readJobId(job_id, { namespace, secret })?.submitted_at
      return at === undefined || now - at >= IDEMPOTENCY_MS ? [] : [{ body_hash, job_id, at }]
    })
    const [oldest] = jobs
    if (oldest === undefined) return null
    return { body_hash: oldest.body_hash, at: oldest.at, logged: new Set(jobs.map(({ job_id }) => job_id)) }
  }
