import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { articlesIngested } from '../events/articles.ts'
import { QueryTooLarge } from '../ports/store.ts'
import { createKey, publishKey } from '../operations/keys/create-key.ts'
import { anApi, settled, type TestApi } from '../../test/builders/api.ts'

const PAGE = 'https://dashboard.example'
const SEARCH = '/layer0/v1/search?query=bridge'

let api: TestApi
beforeEach(async () => {
  api = await anApi({ corsOrigins: [PAGE], cacheBytes: 1_000_000 })
  findsBridges(api.store)
})
afterEach(() => api.stop())

/** One article, larger than a packet. */
function findsBridges({ rows }: TestApi['store']): void {
  const shown = {
    article_id: 'art_x',
    url: null,
    source: null,
    published_date: null,
    quality_score: 0.7,
    language: 'en',
  }
  rows.set('articles.nearest', [{ article_id: 'art_x', offset: 7, distance: 0.25 }])
  const title = 'A bridge of long standing. '.repeat(50)
  rows.set('articles.standing', [{ ...shown, content_hash: 'c', offset: 7, title }])
  rows.set('articles.story_of', [])
}

/** Queries of the store: one for each time the response was made. */
const searches = () => api.store.queries.filter(({ name }) => name === 'articles.nearest')

describe('gzip', () => {
  it('for who takes it: the same answer, another tag that still matches, a kept one too', async () => {
    const key = await api.key()
    const plain = await api.get(SEARCH, key)
    const zipped = await api.get(SEARCH, key, { 'accept-encoding': 'br, gzip;q=0.5' })
    const text = await plain.text()

    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(zipped.headers.get('vary')).toContain('Accept-Encoding')
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(text)
    expect(zipped.headers.get('etag')).toBe(`W/${plain.headers.get('etag')}`)
    for (const etag of [plain, zipped].map(({ headers }) => headers.get('etag') ?? '')) {
      const again = await api.get(SEARCH, key, { 'accept-encoding': 'gzip', 'if-none-match': etag })
      expect([again.status, again.headers.get('content-encoding'), await again.text()]).toEqual([304, null, ''])
    }
  })

  it('not for who does not, and not for what is small', async () => {
    const key = await api.key()

    expect((await api.get(SEARCH, key, { 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull()
    expect((await api.get('/livez', key, { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBeNull()
  })
})

describe('pages of other origins', () => {
  const preflight = async (origin: string, path = SEARCH) =>
    api.app.request(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    })

  it('on the list may ask, send their key and read what the answer says of itself', async () => {
    const preflightResponse = await preflight(PAGE)
    const answer = await api.get(SEARCH, await api.key(), { origin: PAGE })

    expect(preflightResponse.status).toBe(204)
    expect(preflightResponse.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(preflightResponse.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
    expect(preflightResponse.headers.get('access-control-allow-headers')).toMatch(
      /Authorization.*Idempotency-Key.*If-None-Match/,
    )
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(answer.headers.get('access-control-expose-headers')).toMatch(
      /ETag.*Link.*RateLimit.*Retry-After.*X-Ignored-Parameters.*X-Request-Id/,
    )
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  it('can read a refusal too', async () => {
    const refused = await api.get(SEARCH, undefined, { origin: PAGE })

    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, PAGE])
  })

  it.each(['https://dashboard.example.evil', 'http://dashboard.example', 'null'])(
    'not on the list are told nothing: %s',
    async (origin) => {
      const names = [
        ...(await preflight(origin)).headers.keys(),
        ...(await api.get('/livez', undefined, { origin })).headers.keys(),
      ]

      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )

  it('OPTIONS says what an address takes; where there is none it is an unknown address', async () => {
    const answer = await api.app.request('/layer0/v1/process', { method: 'OPTIONS' })

    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
    expect((await api.app.request('/nothing', { method: 'OPTIONS' })).status).toBe(401)
  })
})

describe('a read asked again', () => {
  it('is answered without the store within a second, costs a request, and is asked anew after it', async () => {
    const key = await api.key()
    const [first, second] = [await api.get(SEARCH, key), await api.get(SEARCH, key)]

    expect(searches()).toHaveLength(1)
    expect(await second.text()).toBe(await first.text())
    expect(second.headers.get('ratelimit')).toBe('"default";r=118;t=1')

    await api.clock.advance(1_000)
    await api.get(SEARCH, key)
    expect(searches()).toHaveLength(2)
  })

  it('is never answered with what another namespace was told', async () => {
    await api.get(SEARCH, await api.key())
    await api.get(SEARCH, await api.key({ namespace: 'acme' }))

    expect(searches().map(({ params }) => params['namespace'])).toEqual(['shared', 'acme'])
  })

  it('is asked anew once the namespace has changed something here', async () => {
    const key = await api.key()
    await api.get(SEARCH, key)
    await api.post('/layer0/v1/process', { text: 'A bridge was closed. '.repeat(10) }, key)
    await api.get(SEARCH, key)

    expect(searches()).toHaveLength(2)
  })

  it('is refused to a key that has been revoked', async () => {
    const wish = {
      tier: 'starter',
      privateNamespace: null,
      scopes: ['read', 'write'],
      name: '',
      expires_at: null,
    } as const
    const { key, event } = createKey(wish, api.clock.now())
    await publishKey(event, api)
    await api.clock.advance(1_000)
    expect((await api.get(SEARCH, key)).status).toBe(200)
    await publishKey({ ...event, revoked_at: api.clock.now() }, api)
    await api.clock.advance(1_000)

    expect((await api.get(SEARCH, key)).status).toBe(401)
  })
})

describe('the id of a request', () => {
  it('stands in its log line, in what it appends to the log, and in the queries it asks', async () => {
    const headers = { 'x-request-id': 'followed-1' }
    const key = await api.key()
    await api.app.request('/layer0/v1/process', {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${key}` },
      body: JSON.stringify({ text: 'A bridge was closed. '.repeat(10) }),
    })
    await api.get(SEARCH, key, headers)

    expect(api.log.records(articlesIngested.name).map((record) => record.headers)).toEqual([
      { request_id: 'followed-1' },
    ])
    expect(searches().at(-1)?.request_id).toBe('followed-1')
    expect(api.lines.filter(({ message }) => message === 'request').map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ request_id: 'followed-1', status: 202 }),
      expect.objectContaining({ request_id: 'followed-1', status: 200 }),
    ])
  })

  it('is its own, however many are on their way', async () => {
    const key = await api.key()
    const ask = (i: number) => api.get(`${SEARCH}${i}`, key, { 'x-request-id': `asked-${i}` })
    await Promise.all(Array.from({ length: 10 }, (_, i) => ask(i)))

    expect(
      searches()
        .map(({ request_id }) => request_id)
        .toSorted(),
    ).toEqual(Array.from({ length: 10 }, (_, i) => `asked-${i}`))
  })
})

describe('a question that is too large', () => {
  it('is 422, names what to narrow and says nothing of the store', async () => {
    api.store.query = () => Promise.reject(new QueryTooLarge('SELECT secret: Code: 396'))
    const response = await api.get('/v1/clusters?time_range=30d', await api.key())
    const text = await response.text()

    expect(response.status).toBe(422)
    expect(JSON.parse(text)).toMatchObject({
      code: 'query_too_large',
      detail: expect.stringContaining('narrow time_range, as_of, limit, topic') as unknown,
    })
    expect(text).not.toMatch(/SELECT|Code: 396/)
  })

  it('has ten seconds in all, however many queries it takes', async () => {
    const slow = await anApi()
    const store = slow.store
    const query = store.query.bind(store)
    store.query = async (preflightResponse) => {
      await slow.clock.sleep(6_000)
      return query(preflightResponse)
    }
    slow.store.rows.set('clusters.page', [{ cluster_id: 'sto_1', rank: 1, second_rank: 1, total: 1 }])
    const pending = slow.get('/v1/clusters', await slow.key())
    for (let i = 0; i < 24; i++) await slow.clock.advance(500)

    expect((await pending).status).toBe(503)
    await slow.stop()
  })
})

describe('readiness', () => {
  it('names the part that is missing, the migrations too, until they are there', async () => {
    let migrated = false
    const fresh = await anApi({ isMigrated: () => Promise.resolve(migrated) })
    expect(await (await fresh.get('/readyz')).json()).toMatchObject({
      errors: [{ path: 'database', message: 'migrations are missing: `story migrate`' }],
    })
    migrated = true

    expect((await fresh.get('/readyz')).status).toBe(200)
    await fresh.stop()
  })

  it('stays ready while the log is silent for up to 30 s; its health is degraded at once', async () => {
    expect((await api.get('/readyz')).status).toBe(200)
    vi.spyOn(api.log, 'ends').mockRejectedValue(new Error('no leader'))
    await api.clock.advance(30_000)

    expect((await api.get('/readyz')).status).toBe(200)
    const reasons = [{ path: 'log', message: 'log is away' }]
    expect(await (await api.get('/health')).json()).toMatchObject({ status: 'degraded', reasons })

    await api.clock.advance(1)
    expect(await (await api.get('/readyz')).json()).toMatchObject({ errors: reasons })
  })

  it('is not ready before the log has responded', async () => {
    vi.spyOn(api.log, 'ends').mockRejectedValue(new Error('no leader'))

    expect((await api.get('/readyz')).status).toBe(503)
  })

  it('says that it is draining, whatever else is the matter; the process still lives', async () => {
    const ending = new AbortController()
    const drainingApi = await anApi({ draining: ending.signal })
    ending.abort()
    drainingApi.store.away = true
    const ready = await drainingApi.get('/readyz')

    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ detail: 'draining', errors: [{ path: 'service', message: 'draining' }] })
    expect((await drainingApi.get('/livez')).status).toBe(200)
    await settled()
    await drainingApi.stop()
  })
})
