import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { aCodec, aHandMovedClock, aLog, anApi, FakeStore } from '../../test/builders/api.ts'
import type { Dependencies } from './dependencies.ts'
import { LIFECYCLE } from '../events/lifecycle-rules.ts'
import { sealing } from '../settings/seal.ts'
import { serveApi } from './serve.ts'

/** A store whose ping waits until it is let go. */
class SlowStore extends FakeStore {
  readonly asking: Promise<void>
  letGo: () => void = () => undefined
  private arrived: () => void = () => undefined

  constructor() {
    super()
    this.asking = new Promise((resolve) => (this.arrived = resolve))
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
  clock: aHandMovedClock(),
  keys: { find: () => null, notReady: () => null },
  encoder: { sentences: async () => await Promise.resolve([]) },
  reading: async () => await Promise.reject(new Error('nothing is read here')),
  credibility: { domains: new Map(), names: new Map() },
  termWeights: () => new Map(),
  lifecycle: LIFECYCLE,
  graph: {
    build: async () => await Promise.reject(new Error('nothing is built here')),
    look: async () => await Promise.reject(new Error('nothing is looked at here')),
    isBuilding: () => false,
  },
  graphReads: 'answer',
  outbound: { check: async () => await Promise.resolve() },
  webhookSeal: sealing('a secret that every instance shares', 'webhooks'),
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
  const caller = { key_id: 'k', tier: 'starter', namespace: 'shared', curator: false, owner: 'me' } as const
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

it('lets a client that wants its connection closed send all of a body that is refused', async () => {
  const { url, key, stop } = await servedWithKey()
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  const size = 17 * 1024 * 1024
  const failures: unknown[] = []
  socket.on('error', (cause) => failures.push(cause))
  socket.write(
    `POST /layer0/v1/process HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-length: ${size}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('readable', resolve)) // refused already, and nothing of it sent
  await new Promise((resolve) => socket.write(Buffer.alloc(size, ' '), resolve))
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
  await store.asking
  const stopped = served.stop()

  await expect(fetch(`${served.url}/livez`)).rejects.toThrow()
  store.letGo()
  expect((await inHand).status).toBe(200)
  await stopped
})

it('says that a port is taken', async () => {
  const served = await serveApi(dependencies(), here)

  await expect(serveApi(dependencies(), { ...here, port: Number(new URL(served.url).port) })).rejects.toThrow(
    /EADDRINUSE/,
  )
  await served.stop()
})
