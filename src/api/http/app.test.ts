import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { A_NOON, anApi, type TestApi } from '../../../test/builders/api.ts'
import { describedRoutes } from '../described-routes.ts'
import { createKey } from '../../operations/keys/create-key.ts'
import { PinnedServerLost } from '../../ports/store.ts'
import { problemBody, problem, ProblemBody } from './problem.ts'

const Refusal = ProblemBody
const refusal = async (response: Response) => Refusal.parse(await response.json())

let api: TestApi
beforeEach(async () => {
  api = await anApi()
})
afterEach(() => api.stop())

const SEARCH = '/layer0/v1/search?query=bridge'

describe('every refusal is a problem', () => {
  it('without a key: 401, with the words and the challenge', async () => {
    const response = await api.get(SEARCH)

    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: 'API key missing: send Authorization: Bearer <API_KEY>',
      instance: '/layer0/v1/search',
      code: 'invalid_api_key',
    })
  })

  it.each(['pk_live_short', 'x'.repeat(44), createKey(aWish(), 0).key])(
    'with a key nobody issued: 401',
    async (key) => {
      expect(await refusal(await api.get(SEARCH, key))).toMatchObject({ code: 'invalid_api_key' })
    },
  )

  it('says whether the header is missing, the key has another form, or it is not valid (any more)', async () => {
    const detail = async (headers: Record<string, string>) =>
      (await refusal(await api.get(SEARCH, undefined, headers))).detail
    const unknown = createKey(aWish(), 0).key
    const revoked = await api.key({ revoked_at: api.clock.now() })

    expect(await detail({})).toBe('API key missing: send Authorization: Bearer <API_KEY>')
    expect(await detail({ authorization: 'Basic YTpi' })).toBe('API key missing: send Authorization: Bearer <API_KEY>')
    expect(await detail({ authorization: 'Bearer abc' })).toBe(
      'Invalid API key: expected pk_live_ and 36 letters and digits',
    )
    const invalid = 'Invalid API key: it is unknown, revoked or expired'
    expect(await detail({ authorization: `Bearer ${unknown}` })).toBe(invalid)
    expect(await detail({ authorization: `Bearer ${unknown.slice(0, -1)}~` })).not.toBe(invalid)
    expect(await detail({ authorization: `Bearer ${unknown.slice(0, -1)}${unknown.endsWith('A') ? 'B' : 'A'}` })).toBe(
      invalid,
    )
    expect(await detail({ authorization: `Bearer ${revoked}` })).toBe(invalid)
  })

  it('at an unknown address: 404', async () => {
    const response = await api.get('/layer0/v1/nothing', await api.key())

    expect(response.status).toBe(404)
    expect(await refusal(response)).toMatchObject({ code: 'not_found', instance: '/layer0/v1/nothing' })
  })

  it.each([
    ['/v1/clusters/', '/v1/clusters'],
    ['/layer0/v1/search//', '/layer0/v1/search'],
  ])('at %s: 404, which names the address without the slash', async (path, right) => {
    const response = await api.get(path, await api.key())

    expect(response.status).toBe(404)
    expect((await refusal(response)).detail).toBe(`There is nothing at ${path}; did you mean ${right}?`)
  })

  it('with the wrong method: 405, which says the right ones', async () => {
    const response = await api.post(SEARCH, {}, await api.key())

    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await refusal(response)).toMatchObject({ code: 'method_not_allowed' })
  })

  it('with a value out of bounds: 422, which names each', async () => {
    const response = await api.get('/layer0/v1/search?query=%20&limit=101&min_quality=2', await api.key())

    expect(response.status).toBe(422)
    expect((await refusal(response)).errors?.map(({ path }) => path)).toEqual(['query', 'limit', 'min_quality'])
  })

  it.each([
    'limit=',
    'limit=1e1',
    'limit=0x10',
    'limit=1.5',
    'limit=0',
    'limit=5&limit=6',
    'as_of=yesterday',
    'level=word',
  ])('with %s: 422, never silently replaced', async (parameter) => {
    const response = await api.get(`${SEARCH}&${parameter}`, await api.key())

    expect(await refusal(response)).toMatchObject({ code: 'validation_failed', status: 422 })
  })

  it('with malformed JSON: 422', async () => {
    const response = await api.post('/layer0/v1/process', '{"text":', await api.key())

    expect(await refusal(response)).toMatchObject({
      status: 422,
      errors: [{ path: 'body', message: 'not valid JSON' }],
    })
  })

  it('with a body over 2 MiB: 413, announced or not', async () => {
    const key = await api.key()
    const text = 'x'.repeat(2 * 1024 * 1024)
    const stream = new Blob([JSON.stringify({ text })]).stream()
    const streamed = new Request('http://localhost/layer0/v1/process', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: stream,
      duplex: 'half',
    })

    expect(await refusal(await api.post('/layer0/v1/process', { text }, key))).toMatchObject({ code: 'body_too_large' })
    expect(await refusal(await api.app.request(streamed))).toMatchObject({ code: 'body_too_large', status: 413 })
  })

  it('with the store away: 503, which says when to come back and nothing of the store', async () => {
    api.store.away = true
    const response = await api.get(SEARCH, await api.key())
    const text = await response.text()

    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(text).toContain('"code":"unavailable"')
    expect(text).not.toMatch(/SELECT|ECONNREFUSED|127\.0\.0\.1|Error/)
  })

  it('with a server that stops responding between two reads: all of them again, from another one', async () => {
    let lost = 1
    api.store.rows.set('articles.nearest', () => {
      if (lost-- > 0) throw new PinnedServerLost('a stopped responding')
      return []
    })

    expect((await api.get(SEARCH, await api.key())).status).toBe(200)

    lost = 2
    expect((await api.get(SEARCH, await api.key())).status).toBe(503)
  })

  it('with a store that does not answer: 503 after ten seconds', async () => {
    api.store.rows.set('articles.nearest', [])
    const key = await api.key()
    api.store.query = () => new Promise(() => undefined)
    const pending = api.get(SEARCH, key)
    for (let i = 0; i < 21; i++) await api.clock.advance(500)

    expect(await refusal(await pending)).toMatchObject({ code: 'unavailable', status: 503 })
  })

  it('with a row that does not fit: 500, our defect, of which nothing shows but the log', async () => {
    api.store.rows.set('articles.nearest', [{ nonsense: true }])
    const response = await api.get(SEARCH, await api.key())

    expect(await refusal(response)).toMatchObject({ code: 'internal_error', status: 500 })
    expect(api.lines.some(({ message }) => message === 'internal_error')).toBe(true)
  })

  it('and the same body whoever makes it', () => {
    expect(problemBody(problem('no_enrichment', 'none'), '/x')).toEqual(
      expect.objectContaining({ status: 404, title: 'Not Found', detail: 'none', instance: '/x' }),
    )
  })
})

describe('the order of the checks', () => {
  it('the key comes before the address, the method, the input', async () => {
    const answers = [
      await api.get('/layer0/v1/nothing'),
      await api.post('/layer0/v1/search', {}),
      await api.get('/layer0/v1/search?limit=0'),
      await api.post('/layer0/v1/process', '{'),
    ]

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  it('the limit comes before the input', async () => {
    const key = await api.key()
    for (let i = 0; i < 120; i++) await api.get('/layer0/v1/search?limit=0', key)

    expect((await api.get('/layer0/v1/search?limit=0', key)).status).toBe(429)
  })
})

describe.each(
  describedRoutes('0')
    .filter(({ tier }) => tier !== 'open')
    .map((route) => ({ ...route, name: `${route.method} ${route.path}` })),
)('$name', ({ method, path, tier, scope }) => {
  const ask = async (key?: string) =>
    api.app.request(path.replace(/\{\w+\}/g, 'x'), {
      method: method.toUpperCase(),
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    })

  it('is closed without a key, below its tier, and to those who have not the right', async () => {
    expect((await ask()).status).toBe(401)

    const answer = await ask(await api.key())
    if (scope === 'sources') expect(await refusal(answer)).toMatchObject({ code: 'scope_missing', status: 403 })
    else if (scope === 'curate') expect(await refusal(answer)).toMatchObject({ code: 'curator_required', status: 403 })
    else if (tier === 'starter') expect(answer.status).not.toBe(403)
    else expect(await refusal(answer)).toMatchObject({ code: 'tier_restricted', status: 403 })
  })
})

describe('headers', () => {
  it('a request id is echoed when it is sane, else made', async () => {
    const sent = await api.get('/livez', undefined, { 'x-request-id': 'abc-123' })
    const hostile = await api.get('/livez', undefined, { 'x-request-id': `a b<${'x'.repeat(200)}` })

    expect(sent.headers.get('x-request-id')).toBe('abc-123')
    expect(hostile.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('every answer is told not to be sniffed, framed or shared', async () => {
    const { headers } = await api.get('/livez')

    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'private, no-cache',
    })
  })

  it('an unchanged read is 304 without a body', async () => {
    api.store.rows.set('articles.nearest', [])
    const key = await api.key()
    const first = await api.get(SEARCH, key)
    const etag = first.headers.get('etag') ?? ''
    const again = await api.get(SEARCH, key, { 'if-none-match': `"other", W/${etag}` })

    expect(etag).toMatch(/^"[\w-]{27}"$/)
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('ratelimit')).not.toBeNull()
  })

  it('HEAD answers as GET does, without the body', async () => {
    const response = await api.app.request('/livez', { method: 'HEAD' })

    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})

describe('limits', () => {
  it('a starter has 120 requests a minute, sees what is left and when to come back', async () => {
    api.store.rows.set('articles.nearest', [])
    const key = await api.key()
    const first = await api.get(SEARCH, key)
    for (let i = 1; i < 120; i++) await api.get(SEARCH, key)
    const over = await api.get(SEARCH, key)

    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=120;w=60')
    expect(first.headers.get('ratelimit')).toBe('"default";r=119;t=1')
    expect(over.status).toBe(429)
    expect(over.headers.get('retry-after')).toBe('1')
    expect(over.headers.get('ratelimit')).toBe('"default";r=0;t=60')
    expect(await refusal(over)).toMatchObject({ code: 'rate_limited' })

    await api.clock.advance(500)
    expect((await api.get(SEARCH, key)).status).toBe(200)
    expect((await api.get(SEARCH, key)).status).toBe(429)
  })

  it('keys do not share their requests, unknown addresses cost one', async () => {
    const [one, other] = [await api.key(), await api.key({ tier: 'enterprise' })]
    const lost = await api.get('/nothing', one)

    expect(lost.headers.get('ratelimit')).toBe('"default";r=119;t=1')
    expect((await api.get('/nothing', other)).headers.get('ratelimit-policy')).toBe('"default";q=12000;w=60')
  })
})

describe('the log of requests', () => {
  it('one line a request: which key, never the key', async () => {
    const key = await api.key()
    await api.get('/nothing', key)

    const line = z.object({ message: z.literal('request'), fields: z.looseObject({}) }).parse(api.lines.at(-1))
    expect(line.fields).toMatchObject({ method: 'GET', path: '/nothing', status: 404 })
    expect(line.fields['key_id']).toMatch(/^key_/)
    expect(JSON.stringify(api.lines)).not.toContain(key)
  })
})

describe('health', () => {
  it('lives without anything, is ready with everything', async () => {
    expect((await api.get('/livez')).status).toBe(200)
    expect(await (await api.get('/readyz')).json()).toEqual({ status: 'ready' })
  })

  it('says what it waits for', async () => {
    api.store.away = true
    const ready = await api.get('/readyz')
    const health = await api.get('/health')

    expect(ready.status).toBe(503)
    expect((await refusal(ready)).errors).toEqual([{ path: 'store', message: 'store is away' }])
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ status: 'degraded', version: '0.0.0' })
  })

  it('Echo is as fresh as the last look at each platform that went well, or the last posts where nobody looks', async () => {
    const at = (minutes: number) => A_NOON - minutes * 60_000
    api.store.rows.set('echo.platforms_looked', [{ platform: 'reddit', last_ok: at(20), newest_outcome: 'failed' }])
    api.store.rows.set('echo.platforms', [
      { platform: 'reddit', last_fetched: at(25) },
      { platform: 'bluesky', last_fetched: at(30) },
    ])

    expect(await (await api.get('/echo/health')).json()).toEqual({
      status: 'degraded',
      platforms: {
        reddit: { status: 'degraded', last_success_at: '2016-05-03T11:40:00.000Z' },
        bluesky: { status: 'live', last_success_at: '2016-05-03T11:30:00.000Z' },
        twitter: { status: 'off', last_success_at: null },
      },
    })
  })

  it('calls platforms off that nobody ever polled, and is ok', async () => {
    api.store.rows.set('echo.platforms_looked', [])
    api.store.rows.set('echo.platforms', [])
    const off = { status: 'off', last_success_at: null }

    expect(await (await api.get('/echo/health')).json()).toEqual({
      status: 'ok',
      platforms: { reddit: off, bluesky: off, twitter: off },
    })
  })
})

function aWish() {
  return { tier: 'starter', privateNamespace: null, scopes: ['read', 'write'], name: '', expires_at: null } as const
}
