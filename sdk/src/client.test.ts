import { describe, expect, it } from 'vitest'
import { JobTimeout, pages, StoryError, storyClient, type ClientOptions } from './index.ts'

interface ClientAnswer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A service that returns these responses in turn, repeats the last one, and records the requests it receives. */
function aService(...answers: readonly ClientAnswer[]) {
  const calls: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const answer = answers[Math.min(calls.length, answers.length - 1)] ?? {}
    calls.push(request)
    const { status = 200, body = {}, headers = {} } = answer
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
  }
  const client = (options: Partial<ClientOptions> = {}) =>
    storyClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'pk_live_x', fetch, ...options })
  return { calls, client, urls: () => calls.map(({ url }) => new URL(url)) }
}

describe('a request', () => {
  it('carries the key, and its parameters as the service takes them', async () => {
    const { client, calls, urls } = aService({ body: { clusters: [], total: 0, page: 1, next_cursor: null } })

    await client().api.GET('/v1/clusters', { params: { query: { topic: 'flood & fire', limit: 5 } } })

    expect(calls[0]?.headers.get('authorization')).toBe('Bearer pk_live_x')
    expect(urls().map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)])).toEqual([
      ['/v1/clusters', { topic: 'flood & fire', limit: '5' }],
    ])
  })

  it('throws what the service refuses: code, fields, request id', async () => {
    const problem = {
      code: 'validation_failed',
      detail: 'limit: too big',
      errors: [{ path: 'limit', message: 'too big' }],
    }
    const { client } = aService({ status: 422, body: problem, headers: { 'x-request-id': 'r1' } })

    const refused = client().api.GET('/v1/clusters')

    await expect(refused).rejects.toBeInstanceOf(StoryError)
    await expect(refused).rejects.toMatchObject({
      status: 422,
      requestId: 'r1',
      ...{ code: problem.code, errors: problem.errors },
    })
  })

  it('waits for Retry-After when it is rate limited, and retries', async () => {
    const { client, calls } = aService({ status: 429, headers: { 'retry-after': '0' } }, { body: { trends: [] } })

    const { data } = await client().api.GET('/v1/trends')

    expect(data).toEqual({ trends: [] })
    expect(calls).toHaveLength(2)
  })

  it('never sends twice what would be done twice', async () => {
    const { client, calls } = aService({ status: 503, headers: { 'retry-after': '0' } })

    await expect(client().submit({ text: 'x'.repeat(100) })).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 0,
    })
    expect(calls).toHaveLength(1)
    await expect(client().submit({ text: 'x'.repeat(100) }, 'once')).rejects.toMatchObject({ status: 503 })
    expect(calls).toHaveLength(4)
    expect(await calls[3]?.json()).toEqual({ text: 'x'.repeat(100) })
  })
})

describe('a job', () => {
  it('is looked after until it is completed', async () => {
    const job = { job_id: 'j', article_id: 'art_a' }
    const { client, calls } = aService(
      { status: 202, body: { ...job, status: 'queued' } },
      { body: { ...job, status: 'processing' } },
      { body: { ...job, status: 'completed' } },
    )

    const done = await client().process({ text: 'x'.repeat(100) }, { everyMs: 1 })

    expect(done.status).toBe('completed')
    expect(calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /layer0/v1/process',
      'GET /layer0/v1/status/j',
      'GET /layer0/v1/status/j',
    ])
  })

  it('is given up after its time', async () => {
    const { client } = aService({ body: { job_id: 'j', status: 'processing' } })

    await expect(client().waitForJob('j', { everyMs: 1, timeoutMs: 5 })).rejects.toBeInstanceOf(JobTimeout)
  })

  it('is no longer waited for when its caller says so', async () => {
    const { client } = aService({ body: { job_id: 'j', status: 'processing' } })
    const stop = new AbortController()
    const waiting = client().waitForJob('j', { signal: stop.signal })
    stop.abort()

    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })
})

it('token search gives each article once, by its nearest token', async () => {
  const hit = (token_id: string, distance: number, source_id: string) => ({
    token_id,
    distance,
    metadata: { source_id },
  })
  const results = [hit('a', 0.2, 'art_1'), hit('b', 0.3, 'art_2'), hit('c', 0.1, 'art_1')]
  const { client, urls } = aService({ body: { success: true, query: 'q', results_count: 3, results } })

  const found = await client().searchTokens({ query: 'q' })

  expect(found.map(({ token_id }) => token_id)).toEqual(['b', 'c'])
  expect(urls()[0]?.searchParams.get('level')).toBe('token')
})

describe('Echo', () => {
  it.each([
    ['reddit', 'reddit'],
    [['reddit', 'bluesky'], 'reddit,bluesky'],
  ] as const)('takes one platform or several: %s', async (platform, sent) => {
    const { client, urls } = aService({ body: { results: [] } })

    await client().echoSearch({ platform })

    expect(urls()[0]?.searchParams.get('platform')).toBe(sent)
  })

  it('refuses an entity_scope that is none before anything is sent', async () => {
    const { client, calls } = aService({})

    await expect(client().echoSearch({ entity_scope: 'private' as 'public' })).rejects.toThrow(
      /entity_scope.*editorial/,
    )
    expect(calls).toHaveLength(0)
  })

  it('asks for any number of stories, fifty at once, each id once', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => `sto_${i}`)
    const { client, urls } = aService({ body: { sto_1: [], missing: ['sto_2'] } })

    const all = await client().echoStories([...ids, ...ids])

    expect(urls().map(({ searchParams }) => searchParams.get('ids')?.split(',').length)).toEqual([50, 50, 20])
    expect(all).toEqual({ sto_1: [], missing: ['sto_2', 'sto_2', 'sto_2'] })
  })
})

it('reads a list page by page to its end', async () => {
  const page = (n: number, next_cursor: string | null) => ({ body: { clusters: [{ id: n }], next_cursor } })
  const { client, urls } = aService(page(1, 'a'), page(2, 'b'), page(3, null))
  const { api } = client()

  const seen: unknown[] = []
  for await (const { clusters } of pages(async (cursor) => {
    const { data } = await api.GET('/v1/clusters', { params: { query: cursor === undefined ? {} : { cursor } } })
    if (data === undefined) throw new Error('no page')
    return data
  })) {
    seen.push(...clusters)
  }

  expect(seen).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(urls().map(({ searchParams }) => searchParams.get('cursor'))).toEqual([null, 'a', 'b'])
})
