import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aLog, anApi, A_NOON, type TestApi } from '../../../test/builders/api.ts'
import { A_REPORT } from '../../../test/builders/articles.ts'
import { articlesIngested, type ArticleIngested } from '../../events/articles.ts'
import { articleId } from '../../events/ids.ts'
import { newJobId } from './job-id.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
})
afterEach(() => api.stop())

interface RouteJob {
  job_id: string
  article_id?: string
  status: string
  error?: string
}

const submit = (body: unknown, key: string) => api.post('/layer0/v1/process', body, key)
const job = async (response: Response): Promise<RouteJob> => (await response.json()) as RouteJob

async function ingested(): Promise<readonly ArticleIngested[]> {
  const decoded = api.log.records(articlesIngested.name).map(async ({ value }) => {
    const found = await api.codec.decode(articlesIngested, value ?? Buffer.alloc(0))
    if (found.kind === 'malformed') throw new Error(found.reason)
    return found.event
  })
  return Promise.all(decoded)
}

describe('one article', () => {
  it('is in the log before 202 is said, under ids that are known at once', async () => {
    const metadata = {
      title: ' Bridge to close ',
      url: 'https://www.example.com/a?utm_source=x',
      source: 'Example Times',
      published_date: '2016-05-03T10:00:00',
      section: 'ignored',
    }
    const response = await submit({ text: `  ${A_REPORT} `, metadata, more: 1 }, await api.key())
    const answer = await job(response)
    const [event] = await ingested()

    expect(response.status).toBe(202)
    expect(answer).toEqual({ job_id: event?.job_id, article_id: answer.article_id, status: 'queued' })
    expect(answer.article_id).toBe(articleId('shared', 'https://example.com/a', A_REPORT))
    expect(event).toMatchObject({
      namespace: 'shared',
      text: A_REPORT,
      title: 'Bridge to close',
      author: null,
      published_date: Date.UTC(2016, 4, 3, 10),
      request: null,
      producer: 'api',
    })
    expect(event?.event_id).toMatch(/^evt_/)
    expect(api.log.records(articlesIngested.name)[0]?.key).toBe(answer.article_id)
  })

  it('takes its namespace from the key and from nowhere else', async () => {
    const key = await api.key({ namespace: 'acme' })
    await submit({ text: A_REPORT, namespace: 'other', metadata: { namespace: 'other' } }, key)

    expect((await ingested())[0]?.namespace).toBe('acme')
  })

  it.each([
    [99, 422],
    [100, 202],
    [200_000, 202],
    [200_001, 422],
  ])('of %i characters after trimming: %i', async (length, status) => {
    const response = await submit({ text: ` \n${'é'.repeat(length)} ` }, await api.key())

    expect(response.status).toBe(status)
    if (status === 422) expect(await response.json()).toMatchObject({ errors: [{ path: 'text' }] })
  })

  it.each([
    [{}, 'text'],
    [{ text: 7 }, 'text'],
    [[], 'body'],
    [null, 'body'],
    [{ text: A_REPORT, metadata: 'x' }, 'metadata'],
    [{ text: A_REPORT, metadata: { title: 7 } }, 'metadata.title'],
    [{ text: A_REPORT, metadata: { url: 'ftp://example.com/a' } }, 'metadata.url'],
    [{ text: A_REPORT, metadata: { url: `https://example.com/${'x'.repeat(8_192)}` } }, 'metadata.url'],
    [{ text: A_REPORT, metadata: { author: 'x'.repeat(10_001) } }, 'metadata.author'],
    [{ text: A_REPORT, metadata: { published_date: '2016-02-30' } }, 'metadata.published_date'],
  ])('%j is 422 at the right place', async (body, path) => {
    const response = await submit(body, await api.key())

    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
    expect(await ingested()).toEqual([])
  })

  it('names every refused field at once', async () => {
    const metadata = { url: 'not an address', author: 'x'.repeat(10_001), published_date: 'soon' }
    const response = await submit({ text: 'Too short.', metadata }, await api.key())

    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      errors: ['text', 'metadata.author', 'metadata.url', 'metadata.published_date'].map((path) => ({ path })),
    })
  })

  it('with the log away is 503 and no job', async () => {
    const log = aLog()
    log.produce = () => Promise.reject(new Error('broker 3 is gone'))
    const dark = await anApi({ log })
    const response = await dark.post('/layer0/v1/process', { text: A_REPORT }, await dark.key())

    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.text()).not.toContain('broker')
    await dark.stop()
  })
})

describe('a batch', () => {
  const batch = (articles: readonly unknown[], key: string) => api.post('/layer0/v1/process/batch', { articles }, key)
  const numbered = (n: number) => Array.from({ length: n }, (_, i) => ({ text: `${A_REPORT} ${i}` }))

  it.each([
    [0, 422],
    [1, 202],
    [50, 202],
    [51, 422],
  ])('of %i: %i', async (n, status) => {
    expect((await batch(numbered(n), await api.key())).status).toBe(status)
    expect(await ingested()).toHaveLength(status === 202 ? n : 0)
  })

  it('refuses what may not come in where it stands, and takes the rest', async () => {
    const key = await api.key()
    const items = [
      { text: 'short' },
      { text: A_REPORT },
      { text: A_REPORT, metadata: { url: 'nowhere' } },
      { text: ' ' },
      { text: A_REPORT, metadata: { title: 'x'.repeat(10_001) } },
    ]
    const response = await batch(items, key)
    const { jobs, total } = (await response.json()) as { jobs: RouteJob[]; total: number }

    expect(total).toBe(5)
    expect(jobs.map(({ status }) => status)).toEqual(['failed', 'queued', 'failed', 'failed', 'failed'])
    expect(jobs[0]).toEqual({
      job_id: jobs[0]?.job_id,
      status: 'failed',
      error: 'text_too_short: the text has fewer than 100 characters',
    })
    expect(jobs[2]?.error).toMatch(/^url_invalid/)
    expect(jobs[3]?.error).toMatch(/^text_too_short/)
    expect(jobs[4]?.error).toBe('title_too_long: the title has more than 10,000 characters')
    expect(await ingested()).toHaveLength(1)

    const status = await job(await api.get(`/layer0/v1/status/${jobs[0]?.job_id ?? ''}`, key))
    expect(status).toEqual(jobs[0])
  })

  it('costs one request', async () => {
    const response = await batch(numbered(50), await api.key())

    expect(response.headers.get('ratelimit')).toBe('"default";r=119;t=1')
  })

  it('may have 16 MiB, not more', async () => {
    const text = 'x'.repeat(190_000)
    const large = await batch(
      Array.from({ length: 50 }, () => ({ text })),
      await api.key(),
    )
    const tooLarge = await batch([{ text: 'x'.repeat(17 * 1024 * 1024) }], await api.key())

    expect(large.status).toBe(202)
    expect(tooLarge.status).toBe(413)
  })
})

describe('the status of a job', () => {
  const rows = (found: Readonly<Record<string, unknown>> | null) => {
    const { gate_reason, ...state } = found ?? {}
    api.store.rows.set('jobs.states', ({ job_ids }) =>
      found === null ? [] : (job_ids as readonly string[]).map((job_id) => ({ job_id, ...state })),
    )
    api.store.rows.set('jobs.gate_reasons', [{ article_id: 'art_x', gate_reason }])
  }
  const status = (id: string, key: string) => api.get(`/layer0/v1/status/${id}`, key)

  it('is queued without a trace, for 15 minutes; then there is no such job', async () => {
    const key = await api.key()
    const { job_id } = await job(await submit({ text: A_REPORT }, key))
    rows(null)

    expect(await job(await status(job_id, key))).toEqual({ job_id, status: 'queued' })
    await api.clock.advance(15 * 60_000 - 1)
    expect((await status(job_id, key)).status).toBe(200)
    await api.clock.advance(1)
    const gone = await status(job_id, key)
    expect(gone.status).toBe(404)
    expect(await gone.json()).toMatchObject({ code: 'job_not_found' })
  })

  it.each([
    [{ status: 'processing', article_id: null, reason: null, gate_reason: null }, { status: 'processing' }],
    [
      { status: 'completed', article_id: 'art_x', reason: null, gate_reason: 'passed' },
      { status: 'completed', article_id: 'art_x', forwarded: true, gate_reason: 'passed' },
    ],
    [
      { status: 'completed', article_id: 'art_x', reason: null, gate_reason: 'below_gate' },
      { status: 'completed', article_id: 'art_x', forwarded: false, gate_reason: 'below_gate' },
    ],
    [
      { status: 'completed', article_id: 'art_x', reason: null, gate_reason: 'private_bypass' },
      { status: 'completed', article_id: 'art_x', forwarded: true, gate_reason: 'private_bypass' },
    ],
    [
      { status: 'failed', article_id: null, reason: 'text_too_short', gate_reason: null },
      { status: 'failed', error: 'text_too_short: the text has fewer than 100 characters' },
    ],
    [
      { status: 'failed', article_id: null, reason: 'model_refused', gate_reason: null },
      { status: 'failed', error: 'model_refused' },
    ],
  ])('%j', async (row, answer) => {
    const key = await api.key()
    const { job_id } = await job(await submit({ text: A_REPORT }, key))
    rows(row)

    expect(await job(await status(job_id, key))).toEqual({ job_id, ...answer })
  })

  it('is asked for in the namespace of the key, and is nothing in another', async () => {
    const [key, other] = [await api.key({ namespace: 'acme' }), await api.key({ namespace: 'other' })]
    const { job_id } = await job(await submit({ text: A_REPORT }, key))
    rows({ status: 'completed', article_id: 'art_x', reason: null, gate_reason: 'passed' })

    expect((await status(job_id, key)).status).toBe(200)
    expect(api.store.queries.map(({ params }) => params)).toEqual([
      { namespace: 'acme', job_ids: [job_id] },
      { namespace: 'acme', article_ids: ['art_x'] },
    ])
    expect((await status(job_id, other)).status).toBe(404)
  })

  it('is nothing for an id nobody gave out', async () => {
    const key = await api.key()
    const forged = newJobId(A_NOON, null, { namespace: 'shared', secret: 'guessed' })

    expect((await status(forged, key)).status).toBe(404)
    expect((await status('x', key)).status).toBe(404)
    expect(api.store.queries).toEqual([])
  })

  it('costs none of the requests: polls have 600 a minute of their own', async () => {
    const key = await api.key()
    const { job_id } = await job(await submit({ text: A_REPORT }, key))
    rows(null)
    const answers = []
    for (let i = 0; i < 601; i++) answers.push(await status(job_id, key))

    expect(answers[0]?.headers.get('ratelimit')).toBe('"poll";r=599;t=1')
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1)
    expect((await submit({ text: A_REPORT }, key)).status).toBe(202)
  })
})
