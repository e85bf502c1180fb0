import { readGenreModel, readCredibility } from '../../src/adapters/model-files.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import { articlesIngested, articlesScored } from '../../src/events/articles.ts'
import { viewGroup, type Consumer } from '../../src/ports/log.ts'
import { runStage } from '../../src/runtime/run-stage.ts'
import { onlyStore, runView } from '../../src/runtime/run-view.ts'
import type { View } from '../../src/runtime/shapes.ts'
import { scored } from '../../src/stages/scored/stage.ts'
import { completedJobs } from '../../src/views/articles/project.ts'
import { jobs } from '../../src/views/jobs/project.ts'
import { anApi, FakeStore, settled, type TestApi } from './api.ts'
import { axisVector } from './articles.ts'
import { asEncoder } from './encoder.ts'
import { oddRequest, type OddRequest } from './odd-bodies.ts'
import { RowsInMemory } from './rows-in-memory.ts'
import { aRunning } from './running.ts'
import { sized } from './sizes.ts'
import { aTokenReading } from './tokens.ts'

const CASES = sized(600, 10_000)

const Answer = z.object({ job_id: z.string(), status: z.enum(['queued', 'failed']) })
const Answers = z.union([z.object({ jobs: z.array(Answer) }), Answer.transform((job) => ({ jobs: [job] }))])
const Status = z.object({
  status: z.enum(['completed', 'failed']),
  article_id: z.string().optional(),
  error: z.string().optional(),
})
const Refusal = z.object({ code: z.enum(['validation_failed', 'body_too_large']), detail: z.string().min(1) })

const encoder = asEncoder({
  model: 'double',
  dim: 384,
  sentences: async (texts) => texts.map((_, i) => axisVector(i)),
  leads: async (articles) => articles.map((_, i) => axisVector(i)),
  close: async () => undefined,
})

/** Of the view `articles` only what ends a job: the rows of thousands of articles would fill the memory. */
const completions: View = { name: 'articles', projections: [completedJobs] }

/** The real intake, the real stage and the real view of jobs, with a log and tables in memory. */
describe('whatever is sent', () => {
  let api: TestApi
  let key: string
  let consumers: Consumer[]
  const tables = new RowsInMemory()
  const accepted: string[] = []

  beforeAll(async () => {
    const store = new FakeStore()
    store.rows.set('jobs.states', ({ job_ids }) => {
      const rows = statusRows()
      return (job_ids as readonly string[]).flatMap((job_id) => rows.get(job_id) ?? [])
    })
    store.rows.set('jobs.gate_reasons', [])
    api = await anApi({ store })
    key = await api.key({ tier: 'enterprise' })
    const running = { ...aRunning({ memoryLog: api.log }), codec: new PlainCodec() }
    const stage = scored({
      encoder,
      crossEncoder: null,
      credibility: readCredibility(undefined),
      genres: readGenreModel(),
      tokens: aTokenReading(),
      gate: 0.53,
    })
    consumers = [
      await runStage(stage, running),
      await runView(jobs, running, onlyStore(tables)),
      await runView(completions, running, onlyStore(tables)),
    ]
  })
  afterAll(async () => {
    for (const consumer of consumers) await consumer.stop()
    await api.stop()
  })

  /** As the query reads the three tables. */
  const statusRows = (): Map<unknown, unknown[]> => {
    const rows = new Map<unknown, unknown[]>()
    for (const { table, rows: inserted } of tables.inserts) {
      for (const { job_id, article_id = null, reason = null } of inserted) {
        if (table === 'jobs_completed') rows.set(job_id, [{ job_id, status: 'completed', article_id, reason: null }])
        if (table === 'jobs_failed') rows.set(job_id, [{ job_id, status: 'failed', article_id: null, reason }])
      }
    }
    return rows
  }

  const send = async ({ path, body }: OddRequest): Promise<void> => {
    const response = await api.post(path, body, key)
    const answer: unknown = await response.json()
    if (response.status !== 202) {
      expect(response.status).toBeOneOf([413, 422])
      Refusal.parse(answer)
      return
    }
    for (const { job_id, status } of Answers.parse(answer).jobs) if (status === 'queued') accepted.push(job_id)
  }

  /** Until stage and view have read all there is. */
  const drained = async (): Promise<void> => {
    const ends = async (topic: string) => (await api.log.ends(topic))[0]
    const read = async (group: string, topic: string) => (await api.log.committed(group, topic))[0] ?? 0
    const behind = async () =>
      (await read('scored', articlesIngested.name)) !== (await ends(articlesIngested.name)) ||
      (await read(viewGroup('jobs'), articlesIngested.name)) !== (await ends(articlesIngested.name)) ||
      (await read(viewGroup(completions.name), articlesScored.name)) !== (await ends(articlesScored.name)) ||
      (await read(viewGroup('jobs'), `${articlesIngested.name}.dead`)) !== (await ends(`${articlesIngested.name}.dead`))
    while (await behind()) await settled()
  }

  it(`is answered, and what was accepted ends: ${CASES} requests`, { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(oddRequest, async (request) => {
        await api.clock.advance(10) // 12,000 requests a minute
        await send(request)
      }),
      { numRuns: CASES },
    )
    await drained()
    const rows = statusRows()

    expect(accepted.length).toBeGreaterThan(CASES / 4)
    expect(api.log.records(articlesIngested.name)).toHaveLength(accepted.length)
    expect(accepted.filter((job_id) => !rows.has(job_id))).toEqual([])
    const scoredOnes = accepted.filter(
      (job_id) => z.object({ status: z.literal('completed') }).safeParse(rows.get(job_id)?.[0]).success,
    )
    expect(api.log.records(articlesScored.name)).toHaveLength(scoredOnes.length)

    for (const job_id of accepted.slice(0, 300)) {
      const status = Status.parse(await (await api.get(`/layer0/v1/status/${job_id}`, key)).json())
      expect(status.status === 'completed' ? status.article_id : status.error).toBeDefined()
    }
  })
})
