import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { oddRequest, rightlyTypedArticle, type OddRequest } from '../builders/odd-bodies.ts'
import { newCaller, type Caller } from './ask.ts'
import { startStory, stopAllStories, type Story } from './story.ts'

/** How many submissions; `FUZZ_CASES=10000` for a long look. */
const CASES = Number(process.env['FUZZ_CASES'] ?? 200)
const NAMESPACE = 'fuzzed'
const PATIENCE_MS = 60_000 + CASES * 300

let story: Story
let who: Caller

beforeAll(async () => {
  story = await startStory()
  who = await newCaller(story, '--private', NAMESPACE)
})
afterAll(stopAllStories)

const Answer = z.object({ job_id: z.string(), status: z.enum(['queued', 'failed']) })
const Answers = z.union([z.object({ jobs: z.array(Answer) }), Answer.transform((job) => ({ jobs: [job] }))])

/** A quarter as any request may be, the rest as batches of 50 articles. */
function requests(seed: number): readonly OddRequest[] {
  const single = fc.sample(oddRequest, { numRuns: Math.ceil(CASES / 4), seed })
  const batch = fc
    .array(rightlyTypedArticle, { minLength: 50, maxLength: 50, size: 'max' })
    .map((articles) => ({ path: '/layer0/v1/process/batch' as const, body: JSON.stringify({ articles }) }))
  return [...single, ...fc.sample(batch, { numRuns: Math.ceil((CASES * 3) / 4 / 50), seed })]
}

/** The jobs that were taken. */
async function send({ path, body }: OddRequest): Promise<readonly string[]> {
  const answer = await who.post(path, body)
  if (answer.status !== 202) {
    expect([413, 422], body.slice(0, 2_000)).toContain(answer.status)
    return []
  }
  return Answers.parse(answer.body).jobs.flatMap(({ job_id, status }) => (status === 'queued' ? [job_id] : []))
}

const Ends = z.object({ ingested: z.coerce.number(), ended: z.coerce.number(), articles: z.coerce.number() })

/** Straight from the views: a client that polled every job would run into its limit. */
async function ends(): Promise<z.output<typeof Ends>> {
  const { CLICKHOUSE_URL = '', CLICKHOUSE_PASSWORD = '' } = await story.running()
  const count = (table: string, what: string) =>
    `(SELECT uniqExact(${what}) FROM ${table} WHERE namespace = {ns: String})`
  const sql = `SELECT ${count('story.jobs_processing', 'job_id')} AS ingested,
    ${count('story.jobs_completed', 'job_id')} + ${count('story.jobs_failed', 'job_id')} AS ended,
    ${count('story.articles', 'article_id')} AS articles FORMAT JSONEachRow`
  const query = new URLSearchParams({ user: 'story', password: CLICKHOUSE_PASSWORD, param_ns: NAMESPACE })
  const response = await fetch(`${CLICKHOUSE_URL}/?${query.toString()}`, { method: 'POST', body: sql })
  return Ends.parse(await response.json())
}

it(
  `${CASES} odd submissions: none is answered 5xx, none stalls, none is lost`,
  { timeout: PATIENCE_MS * 2 },
  async () => {
    const seed = Date.now() % 2 ** 31
    console.error(`seed of the odd submissions: ${seed}`)
    const accepted: string[] = []
    for (const request of requests(seed)) accepted.push(...(await send(request)))

    expect(accepted.length).toBeGreaterThan(CASES / 4)
    await expect
      .poll(async () => (await ends()).ended, { timeout: PATIENCE_MS, interval: 500 })
      .toBeGreaterThanOrEqual(accepted.length)
    expect(await ends()).toMatchObject({ ingested: accepted.length, ended: accepted.length })

    for (const job_id of accepted.slice(0, 50)) {
      const { status, body } = await who.get(`/layer0/v1/status/${job_id}`)
      expect(status).toBe(200)
      expect(['completed', 'failed']).toContain(body['status'])
    }
  },
)
