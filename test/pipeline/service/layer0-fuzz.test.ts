import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { oddRequest, rightlyTypedArticle, type OddRequest } from '../../builders/odd-bodies.ts'
import { caller, type AskCaller } from '../ask.ts'
import { sharedStory } from './shared-story.ts'
import type { StoryService } from '../story.ts'

/** Number of submissions; `FUZZ_CASES=10000` for a long run. `FUZZ_SEED` repeats an earlier run. */
const CASES = Number(process.env['FUZZ_CASES'] ?? 200)
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const NAMESPACE = 'fuzzed'
const PATIENCE_MS = 60_000 + CASES * 300

let story: StoryService
let who: AskCaller

beforeAll(async () => {
  story = await sharedStory(NAMESPACE)
  who = caller(story.url, story.key)
})

const Answer = z.object({
  job_id: z.string(),
  article_id: z.string().optional(),
  status: z.enum(['queued', 'failed']),
})
const Answers = z.union([z.object({ jobs: z.array(Answer) }), Answer.transform((job) => ({ jobs: [job] }))])

/** A quarter as random requests, the rest as batches of 50 articles. */
function requests(): readonly OddRequest[] {
  const single = fc.sample(oddRequest, { numRuns: Math.ceil(CASES / 4), seed: SEED })
  const batch = fc
    .array(rightlyTypedArticle, { minLength: 50, maxLength: 50, size: 'max' })
    .map((articles) => ({ path: '/layer0/v1/process/batch' as const, body: JSON.stringify({ articles }) }))
  return [...single, ...fc.sample(batch, { numRuns: Math.ceil((CASES * 3) / 4 / 50), seed: SEED })]
}

interface AcceptedJob {
  readonly job_id: string
  readonly article_id: string
}

/** The accepted jobs, each with its article id. */
async function send({ path, body }: OddRequest): Promise<readonly AcceptedJob[]> {
  const answer = await who.post(path, body)
  if (answer.status !== 202) {
    expect([413, 422], body.slice(0, 2_000)).toContain(answer.status)
    return []
  }
  return Answers.parse(answer.body).jobs.flatMap(({ job_id, article_id = '', status }) =>
    status === 'queued' ? [{ job_id, article_id }] : [],
  )
}

/** Read from the views: polling every job would exceed the rate limit. */
async function column(table: string, name: string): Promise<ReadonlySet<string>> {
  const { CLICKHOUSE_URL = '', CLICKHOUSE_PASSWORD = '' } = await story.running()
  const sql = `SELECT DISTINCT ${name} FROM story.${table} WHERE namespace = {ns: String} FORMAT JSONCompactEachRow`
  const query = new URLSearchParams({ user: 'story', password: CLICKHOUSE_PASSWORD, param_ns: NAMESPACE })
  const response = await fetch(`${CLICKHOUSE_URL}/?${query.toString()}`, { method: 'POST', body: sql })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return new Set(lines.map((line) => z.tuple([z.string()]).parse(JSON.parse(line))[0]))
}

const sorted = (ids: Iterable<string>): readonly string[] => [...new Set(ids)].toSorted()

it(
  `${CASES} malformed submissions: none returns 5xx, none stalls, none is lost`,
  { timeout: PATIENCE_MS * 2 },
  async () => {
    console.error(`the same submissions again: FUZZ_SEED=${SEED} FUZZ_CASES=${CASES}`)
    const accepted: AcceptedJob[] = []
    for (const request of requests()) accepted.push(...(await send(request)))

    expect(accepted.length).toBeGreaterThan(CASES / 4)
    await expect
      .poll(
        async () => (await column('jobs_completed', 'job_id')).size + (await column('jobs_failed', 'job_id')).size,
        {
          timeout: PATIENCE_MS,
          interval: 500,
        },
      )
      .toBeGreaterThanOrEqual(accepted.length)
    const failed = await column('jobs_failed', 'job_id')
    const completed = accepted.filter(({ job_id }) => !failed.has(job_id))
    expect(await column('jobs_processing', 'job_id')).toEqual(new Set(accepted.map(({ job_id }) => job_id)))
    expect(sorted(await column('jobs_completed', 'job_id'))).toEqual(sorted(completed.map(({ job_id }) => job_id)))
    expect(sorted(await column('articles', 'article_id'))).toEqual(
      sorted(completed.map(({ article_id }) => article_id)),
    )

    for (const { job_id } of accepted.slice(0, 50)) {
      const { status, body } = await who.get(`/layer0/v1/status/${job_id}`)
      expect(status).toBe(200)
      expect(body['status']).toBe(failed.has(job_id) ? 'failed' : 'completed')
    }
  },
)
