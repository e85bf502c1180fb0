import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anApi, FakeStore, LIMITS, type TestApi } from '../../../test/builders/api.ts'
import type { BoundQuery } from '../../ports/store.ts'
import { TOOLS } from './tools.ts'

/** A store without any rows but those that a test gives. */
class EmptyStore extends FakeStore {
  override async query<Out>(query: BoundQuery<Out>): Promise<readonly Out[]> {
    if (!this.rows.has(query.name)) this.rows.set(query.name, [])
    return super.query(query)
  }
}

const PAGES = 'https://desk.example.com'
let store: EmptyStore
let api: TestApi
beforeEach(async () => {
  store = new EmptyStore()
  api = await anApi({ store, corsOrigins: [PAGES], limits: { ...LIMITS, starter: 20 } })
})
afterEach(() => api.stop())

const Result = z.object({
  isError: z.boolean().default(false),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

async function connected(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: async (url, init) => api.app.request(url.toString(), init),
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  return client
}

const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  Result.parse(await client.callTool({ name, arguments: args }))

const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const post = (headers: Record<string, string>, body: unknown = MESSAGE) =>
  api.app.request('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  })

const codeOf = async (response: Response) => z.object({ code: z.string() }).parse(await response.json()).code

describe('a client of the official SDK', () => {
  it('lists every tool as read-only, with schemas', async () => {
    const client = await connected(await api.key())
    const { tools } = await client.listTools()

    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    for (const tool of tools) {
      expect(tool).toMatchObject({ annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
    }
    expect(client.getServerVersion()).toMatchObject({ name: 'story-intelligence', version: '0.0.0' })
    expect(client.getInstructions()).toContain('search_stories')
  })

  it('finds articles with their citations', async () => {
    const article = {
      ...{ article_id: 'art_x', title: 'A bridge opens', url: 'https://a.example/1', source: 'A Times' },
      ...{ published_date: '2016-05-03T10:00:00.000Z', quality_score: 0.7, language: 'en' },
    }
    store.rows.set('articles.nearest', [{ article_id: 'art_x', offset: 7, distance: 0.25 }])
    store.rows.set('articles.standing', [{ ...article, content_hash: 'c', offset: 7 }])
    store.rows.set('articles.story_of', [{ article_id: 'art_x', cluster_id: 'sto_y' }])
    const client = await connected(await api.key())
    const { isError, content, structuredContent } = await call(client, 'search_articles', { query: 'a bridge' })

    expect(isError).toBe(false)
    expect(content[0].text).toContain(
      '"A bridge opens", A Times, 2016-05-03 10:00, https://a.example/1 [art_x] en, similarity 0.75, story sto_y',
    )
    expect(structuredContent).toMatchObject({ articles: [{ article_id: 'art_x', story_id: 'sto_y' }] })
    expect(store.queries[0]?.params).toMatchObject({ namespace: 'shared' })
  })

  const EMPTY: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['search_stories', { query: 'nothing' }, /^No stories found/],
    ['list_entities', {}, /^No entities found/],
    ['list_trends', {}, /^No trends/],
    ['get_public_response', {}, /^No posts found/],
    ['get_changes', { since: '2016-05-01' }, /^Nothing changed/],
  ]
  it.each(EMPTY)('%s without data says so', async (name, args, text) => {
    const client = await connected(await api.key({ tier: 'professional' }))
    const { isError, content } = await call(client, name, args)

    expect({ isError, text: content[0].text }).toEqual({ isError: false, text: expect.stringMatching(text) as string })
  })

  it('get_changes reads what the owner of the key may read', async () => {
    const match = {
      monitor_id: 'mon_a',
      monitor_name: 'Rain',
      story: { cluster_id: 'sto_a', title: 'Rain in the north' },
    }
    const row = { id: 'evt_a', type: 'monitor.matched', occurred_at: '2016-05-03T12:00:00.000Z', owner: 'desk' }
    const placed = { data: JSON.stringify(match), place: 7, log_partition: 0, logged_at: 0 }
    store.rows.set('changes.after', ({ owner }) => (owner === 'desk' ? [{ ...row, ...placed }] : []))
    const ask = async (owner: string) =>
      call(await connected(await api.key({ owner })), 'get_changes', { since: '2016-05-01' })

    expect((await ask('desk')).content[0].text).toContain('monitor.matched story [sto_a] Rain: Rain in the north')
    expect((await ask('rival')).content[0].text).toMatch(/^Nothing changed/)
  })

  const UNKNOWN: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['get_story', { story_id: 'sto_nobodys' }, /sto_nobodys.*search_stories/],
    ['explain_membership', { story_id: 'sto_nobodys', article_id: 'art_x' }, /sto_nobodys/],
    ['get_entity', { entity: 'Nobody Atall' }, /Nobody Atall.*list_entities/],
    ['get_relationships', { story_id: 'sto_nobodys' }, /sto_nobodys/],
    ['get_relationships', { entity: 'Nobody Atall' }, /Nobody Atall/],
    ['get_public_response', { story_id: 'sto_nobodys' }, /sto_nobodys.*without story_id/],
  ]
  it.each(UNKNOWN)('%s of an unknown id %j names it and says what to do', async (name, args, text) => {
    const client = await connected(await api.key({ tier: 'professional' }))
    const { isError, content } = await call(client, name, args)

    expect({ isError, text: content[0].text }).toEqual({ isError: true, text: expect.stringMatching(text) as string })
  })

  it.each([
    ['get_public_response', {}],
    ['get_relationships', { entity: 'Athens' }],
  ])('with a Starter key %s fails and names the tier', async (name, args) => {
    const client = await connected(await api.key())
    const { isError, content } = await call(client, name, args)

    expect(isError).toBe(true)
    expect(content[0].text).toContain('requires a professional key; yours is starter')
  })

  it('with a read-only key calls tools; without the scope read it is refused', async () => {
    const client = await connected(await api.key({ scopes: ['read'] }))
    expect((await call(client, 'search_stories', {})).isError).toBe(false)

    const response = await post({ authorization: `Bearer ${await api.key({ scopes: ['sources'] })}` })
    expect({ status: response.status, code: await codeOf(response) }).toEqual({ status: 403, code: 'scope_missing' })
  })

  it('gets an error for arguments that the schema does not allow', async () => {
    const client = await connected(await api.key())
    const { isError, content } = await call(client, 'get_relationships', {})

    expect(isError).toBe(true)
    expect(content[0].text).toContain('exactly one of story_id and entity')
  })

  it('gets no details of a defect, which is logged', async () => {
    store.rows.set('articles.nearest', [{ surprising: true }])
    const client = await connected(await api.key())
    const { isError, content } = await call(client, 'search_articles', { query: 'x' })

    expect(isError).toBe(true)
    expect(content[0].text).toMatch(/internal_error/)
    expect(content[0].text).not.toContain('surprising')
    expect(api.lines.map(({ message }) => message)).toContain('internal_error')
  })
})

describe('access', () => {
  it.each([undefined, 'Bearer pk_live_short'])('without a valid key (%s) is 401', async (authorization) => {
    const response = await post(authorization === undefined ? {} : { authorization })

    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is limited like REST: 429 with Retry-After, and a tool says when to try again', async () => {
    const key = await api.key()
    const client = await connected(key) // initialize, initialized and an attempt to open a stream: 3 of 20
    for (let i = 0; i < 16; i++) await api.get('/v1/clusters', key)

    const { isError, content } = await call(client, 'search_stories', {}) // the message is the last one allowed
    expect(isError).toBe(true)
    expect(content[0].text).toMatch(/Rate limit exceeded; try again in \d+ s/)

    const response = await post({ authorization: `Bearer ${key}` })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it.each([
    ['of another site', 'https://evil.example'],
    ['of a name that resolves here', 'http://rebound.example'],
    ['opaque', 'null'],
    ['on another port', 'http://localhost:3000'],
  ])('from a page %s is 403, before the key is checked', async (_, origin) => {
    const url = origin === 'http://rebound.example' ? `${origin}/mcp` : '/mcp'
    const response = await api.app.request(url, { method: 'POST', headers: { origin } })

    expect({ status: response.status, code: await codeOf(response) }).toEqual({
      status: 403,
      code: 'origin_not_allowed',
    })
  })

  it.each([PAGES, 'http://localhost'])('from a page of %s is served', async (origin) => {
    expect((await post({ origin, authorization: `Bearer ${await api.key()}` })).status).toBe(200)
  })

  it('other routes are readable by programs of any origin', async () => {
    const response = await api.get('/v1/clusters', await api.key(), { origin: 'https://evil.example' })

    expect(response.status).toBe(200)
  })

  it('supports only POST', async () => {
    const response = await api.get('/mcp', await api.key())

    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  })

  it('refuses a body of more than 64 kB, and a batch', async () => {
    const authorization = `Bearer ${await api.key()}`

    expect((await post({ authorization }, { ...MESSAGE, params: { filler: 'x'.repeat(70_000) } })).status).toBe(413)
    expect((await post({ authorization }, [MESSAGE, MESSAGE])).status).toBe(422)
  })

  it('logs each request under one id, and never the key', async () => {
    const key = await api.key()
    const rpc = { ...MESSAGE, method: 'tools/call', params: { name: 'search_stories', arguments: {} } }
    const response = await post({ authorization: `Bearer ${key}`, 'x-request-id': 'mine' }, rpc)

    expect(response.headers.get('x-request-id')).toBe('mine')
    const requests = api.lines.filter(({ message }) => message === 'request')
    expect(requests.map(({ fields }) => fields)).toMatchObject([
      { request_id: 'mine', path: '/v1/stories', status: 200 },
      { request_id: 'mine', path: '/mcp', status: 200 },
    ])
    expect(JSON.stringify(api.lines)).not.toContain(key)
  })

  it('sees only its own namespace', async () => {
    const client = await connected(await api.key({ namespace: 'acme' }))
    await call(client, 'get_story', { story_id: 'sto_x' })

    expect(new Set(store.queries.map(({ params }) => params['namespace']))).toEqual(new Set(['acme']))
  })
})
