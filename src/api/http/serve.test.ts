import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { aCodec, aHandMovedClock, aLog, anApi, FakeStore } from '../../../test/builders/api.ts'
import type { Dependencies } from './dependencies.ts'
import { LIFECYCLE } from '../../domain/lifecycle/lifecycle.ts'
import { channelLinks } from '../../state/settings/channel-links.ts'
import { sealing } from '../../state/settings/secrets.ts'
import { serveApi } from '../app.ts'

/** A store whose ping blocks until it is released. */
class SlowStore extends FakeStore {
  readonly pending: Promise<void>
  letGo: () => void = () => undefined
  private arrived: () => void = () => undefined

  constructor() {
    super()
    this.pending = new Promise((resolve) => (this.arrived = resolve))
  }
  override async ping(): Promise<boolean> {
    this.arrived()
    await new Promise<void>((resolve) => (this.letGo = resolve))
    return true
  }
}

const dependencies = (over: Partial<Dependencies> = {}): Dependencies => ({
  log: aLog(),
  codec: aCodec(),
  store: new FakeStore(),
  crossEncoder: null,
  clock: aHandMovedClock(),
  keys: { find: () => null, notReady: () => null },
  encoder: { sentences: () => Promise.resolve([]) },
  reading: () => Promise.reject(new Error('nothing is read here')),
  credibility: { domains: new Map(), names: new Map() },
  genres: {
    text: { names: [], bias: [], weights: [] },
    headline: { names: [], bias: [], weights: [] },
    wording: { scale: 0, weights: new Int8Array() },
  },
  summaryModel: {
    weigh: () => new Map(),
    clarity: { opening: { bias: 0, cues: {} }, further: { bias: 0, cues: {} } },
  },
  lifecycle: LIFECYCLE,
  graph: {
    build: () => Promise.reject(new Error('nothing is built here')),
    preview: () => Promise.reject(new Error('nothing is looked at here')),
    isBuilding: () => false,
  },
  graphReads: 'answer',
  outbound: { check: () => Promise.resolve() },
  feedFinder: { find: async (url) => ({ kind: 'feed', url }), test: async () => ({ kind: 'none', error: '' }) },
  webhooksPerNamespace: 1_000,
  monitorsPerNamespace: 10_000,
  feedsPerNamespace: 2_000,
  webhookSeal: sealing('a secret that every instance shares', 'webhooks'),
  monitorSeal: sealing('a secret that every instance shares', 'monitors'),
  channelLinks: channelLinks('a secret that every instance shares'),
  publicUrl: 'https://news.example.com',
  sendsEmail: true,
  quality: { measured_at: '2016-05-01', models: [], versions: {}, sets: [] },
  limits: { starter: 1, professional: 1, enterprise: 1 },
  cacheBytes: 0,
  corsOrigins: [],
  logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  version: '0.0.0',
  jobSecret: 'a secret that every instance shares',
  ...over,
})

const here = { host: '127.0.0.1', port: 0 }

it('serves over a real socket with the headers of every answer', async () => {
  const served = await serveApi(dependencies(), here)
  const response = await fetch(`${served.url}/livez`)

  expect(await response.json()).toEqual({ status: 'alive' })
  expect(response.headers.get('x-request-id')).not.toBeNull()
  await served.stop()
})

it.each([
  ['GARBAGE\r\n\r\n', 400, 'bad_request'],
  [`GET /v1/clusters?topic=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, 'headers_too_large'],
])('answers what is no readable request with a problem too: %.20s', async (sent, status, code) => {
  const served = await serveApi(dependencies(), here)
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  socket.end(sent)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk as Uint8Array))

  const answer = Buffer.concat(chunks).toString('utf8')
  expect(answer).toContain(`HTTP/1.1 ${status} `)
  expect(answer).toContain('x-request-id: ')
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status, code })
  await served.stop()
})

/** A served API that knows one key. */
async function servedWithKey() {
  const api = await anApi()
  const key = await api.key()
  const caller = { key_id: 'k', tier: 'starter', namespace: 'shared', scopes: ['read', 'write'], owner: 'me' } as const
  const keys = { find: (given: string) => (given === key ? caller : null), notReady: () => null }
  const served = await serveApi(dependencies({ keys }), here)
  const stop = async (): Promise<void> => {
    await served.stop()
    await api.stop()
  }
  return { url: served.url, key, stop }
}

it('refuses an announced body that is too large without reading it', async () => {
  const { url, key, stop } = await servedWithKey()
  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-length': 5 * 1024 * 1024 }
    const sent = request(`${url}/layer0/v1/process`, { method: 'POST', headers }, (answer) => {
      resolve(answer.statusCode)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.write('{')
  })

  expect(status).toBe(413)
  await stop()
})

it('lets a slow client that wants its connection closed send all of a body that is refused', async () => {
  const { url, key, stop } = await servedWithKey()
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  const size = 17 * 1024 * 1024
  const failures: unknown[] = []
  socket.on('error', (cause) => failures.push(cause))
  socket.write(
    `POST /layer0/v1/process HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-length: ${size}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('readable', resolve)) // already refused, before the body was sent
  for (const half of [Buffer.alloc(size / 2, ' '), Buffer.alloc(size / 2, ' ')]) {
    await setTimeout(600) // a slow client: the adapter alone would wait for 500 ms
    await new Promise((resolve) => socket.write(half, resolve))
  }
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk as Uint8Array))

  expect(failures).toEqual([])
  expect(Buffer.concat(chunks).toString('utf8')).toMatch(/^HTTP\/1\.1 413 /)
  await stop()
})

it('finishes the request in hand before it stops, and takes no new one', async () => {
  const store = new SlowStore()
  const served = await serveApi(dependencies({ store }), here)
  const inHand = fetch(`${served.url}/readyz`)
  await store.pending
  const stopped = served.stop()

  await expect(fetch(`${served.url}/livez`)).rejects.toThrow()
  store.letGo()
  expect((await inHand).status).toBe(200)
  await stopped
})

it('does not wait for connections that never sent a request when it stops', async () => {
  const served = await serveApi(dependencies(), here)
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  expect((await fetch(`${served.url}/livez`)).status).toBe(200) // so the server has accepted both connections

  await served.stop()

  await closed
})

it('announces the end before it comes: not ready, connections end, then nobody is let in', async () => {
  const clock = aHandMovedClock()
  const served = await serveApi(dependencies({ clock }), { ...here, drainMs: 1_000 })
  expect((await fetch(`${served.url}/readyz`)).status).toBe(200)
  const stopped = served.stop()
  const ready = await fetch(`${served.url}/readyz`)

  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({ detail: 'draining' })
  expect(ready.headers.get('connection')).toBe('close')
  expect((await fetch(`${served.url}/livez`)).status).toBe(200)
  await clock.advance(1_000)
  await stopped
  await expect(fetch(`${served.url}/livez`)).rejects.toThrow()
})

it('answers what is kept as it answered the first time: bytes, headers, limit, log', async () => {
  const store = new FakeStore()
  const shown = {
    article_id: 'art_x',
    url: null,
    source: null,
    published_date: null,
    quality_score: 0.7,
    language: 'en',
  }
  store.rows.set('articles.nearest', [{ article_id: 'art_x', offset: 7, distance: 0.25 }])
  const text = 'A bridge of long standing. '.repeat(50)
  store.rows.set('articles.standing', [{ ...shown, content_hash: 'c', offset: 7, title: text }])
  store.rows.set('articles.story_of', [])
  const lines: unknown[] = []
  const logger = { info: (fields: unknown) => void lines.push(fields), warn: () => undefined, error: () => undefined }
  const caller = { key_id: 'k', tier: 'starter', namespace: 'shared', scopes: ['read', 'write'], owner: 'me' } as const
  const writer = { ...caller, key_id: 'w', owner: 'other', scopes: ['write'] } as const
  const keys = { find: (key: string) => ({ known: caller, writer })[key] ?? null, notReady: () => null }
  const limits = { starter: 5, professional: 1, enterprise: 1 }
  const encoder = { sentences: () => Promise.resolve([Float32Array.of(1)]) }
  const served = await serveApi(dependencies({ store, logger, keys, limits, encoder, cacheBytes: 1_000_000 }), here)
  const ask = async (headers: Record<string, string> = {}) => {
    const sent = { authorization: 'Bearer known', 'x-request-id': 'same', ...headers }
    const answer = await fetch(`${served.url}/layer0/v1/search?query=bridge&limt=3`, { headers: sent })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
  }
  const [first, second] = [await ask(), await ask()]
  const unchanged = await ask({ 'if-none-match': second.headers['etag'] ?? '' })
  const plain = await ask({ 'accept-encoding': 'identity' })
  await ask()
  const over = await ask()

  expect(store.queries.map(({ name }) => name).sort()).toEqual([
    'articles.nearest',
    'articles.standing',
    'articles.story_of',
  ])
  expect(second).toMatchObject({
    status: 200,
    text: first.text,
    headers: { ...first.headers, date: second.headers['date'], ratelimit: '"default";r=3;t=24' },
  })
  expect(first.headers['ratelimit']).toBe('"default";r=4;t=12')
  expect([unchanged.status, unchanged.text]).toEqual([304, ''])
  expect([first, second, unchanged, plain].map(({ headers }) => headers['x-ignored-parameters'])).toEqual(
    Array(4).fill('limt (did you mean limit?)'),
  )
  expect([plain.text, plain.headers['content-encoding']]).toEqual([first.text, undefined])
  expect([over.status, JSON.parse(over.text)]).toMatchObject([429, { code: 'rate_limited' }])
  expect(lines).toHaveLength(6)
  expect(lines[1]).toMatchObject({
    request_id: 'same',
    key_id: 'k',
    method: 'GET',
    path: '/layer0/v1/search',
    status: 200,
  })
  expect((await ask({ authorization: 'Bearer other' })).status).toBe(401)
  expect((await ask({ authorization: 'Bearer writer' })).status).toBe(403) // the response is cached, but not for it
  await served.stop()
})

it('says that a port is taken', async () => {
  const served = await serveApi(dependencies(), here)

  await expect(serveApi(dependencies(), { ...here, port: Number(new URL(served.url).port) })).rejects.toThrow(
    /EADDRINUSE/,
  )
  await served.stop()
})
