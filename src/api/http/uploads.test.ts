import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aCodec, aHandMovedClock, aLog, settled } from '../../../test/builders/api.ts'
import type { BodyRefusal } from './dependencies.ts'
import { stubDependencies } from '../described-routes.ts'
import { serveApi } from '../app.ts'
import { connectionLimits, type ServedApi } from './serve.ts'

const MIB = 1024 * 1024
/** Five sixths of the budget are for large bodies. */
const LIMITS = { bytes: 6 * MIB, bytesOfOne: 2 * MIB, deadlineMs: 30_000 }
const BATCH = '/layer0/v1/process/batch'

const clock = aHandMovedClock()
let served: ServedApi
let waiting = 0
const refused: BodyRefusal[] = []
const sockets: Socket[] = []

beforeEach(async () => {
  waiting = 0
  refused.length = 0
  served = await serveApi(
    {
      ...stubDependencies('0.0.0'),
      ...{ log: aLog(), codec: aCodec(), clock, limits: { starter: 10_000, professional: 1, enterprise: 1 } },
      keys: {
        find: (key) => ({ key_id: key, owner: key, tier: 'starter', namespace: 'shared', scopes: ['read', 'write'] }),
        notReady: () => null,
      },
      bodyLimits: LIMITS,
      bodyReport: {
        waiting: (requests) => {
          waiting = requests
        },
        refused: (reason) => refused.push(reason),
      },
    },
    { host: '127.0.0.1', port: 0 },
  )
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await served.stop()
})

/** An upload that announces a length and sends a part of it. */
function aSlowUpload(key: string, announced = MIB, sent = 1_000) {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  socket.write(
    `POST ${BATCH} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: ${announced}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(sent, 'a'))
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString('utf8')))
  return { socket, answer: () => answer }
}

const someArticles = (bytes: number): string =>
  JSON.stringify({
    articles: [{ text: 'The harbour bridge was closed on Monday. '.repeat(10), note: 'x'.repeat(bytes) }],
  })

const submit = (key: string, body: string): Promise<Response> =>
  fetch(`${served.url}${BATCH}`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })

const untilWaiting = async (requests: number): Promise<void> => {
  await vi.waitFor(() => expect(waiting).toBe(requests), { timeout: 15_000 })
}

describe('40 slow uploads of one key', () => {
  it('are read as far as the key has a share; the others wait unread, and other keys are served', async () => {
    for (let i = 0; i < 40; i++) aSlowUpload('slow')
    await untilWaiting(38)

    const [large, small, ownSmall] = await Promise.all([
      submit('other', someArticles(MIB)),
      submit('other', someArticles(1)),
      submit('slow', someArticles(1)),
    ])

    expect([large.status, small.status, ownSmall.status]).toEqual([202, 202, 202])
    expect(waiting).toBe(38)
  })

  it('each get 408 once they have had their time, and the next is read', async () => {
    const uploads = Array.from({ length: 3 }, () => aSlowUpload('slow'))
    await untilWaiting(1)

    await clock.advance(LIMITS.deadlineMs * 2) // one pause of this process, during which it reads nothing
    expect(refused).toEqual([])
    for (let slice = 1; slice < 10; slice++) await clock.advance(LIMITS.deadlineMs / 10)

    await untilWaiting(0)
    await vi.waitFor(() => expect(uploads.filter(({ answer }) => answer() !== '')).toHaveLength(2))
    const [first] = uploads.filter(({ answer }) => answer() !== '')
    expect(first?.answer()).toMatch(/^HTTP\/1\.1 408 /)
    expect(first?.answer()).toMatch(/\r\nconnection: close\r\n/i)
    expect(first?.answer()).toContain('"code":"request_timeout"')
    expect(refused).toEqual(['deadline', 'deadline'])
  })

  it('leave the queue when their client leaves', async () => {
    const uploads = Array.from({ length: 5 }, () => aSlowUpload('slow'))
    await untilWaiting(3)

    for (const { socket } of uploads) socket.destroy()

    await untilWaiting(0)
    expect((await submit('slow', someArticles(MIB))).status).toBe(202)
  })

  it('get 429 beyond what may wait of one key, and 503 after waiting too long', async () => {
    const uploads = Array.from({ length: 131 }, () => aSlowUpload('slow', 2 * MIB))
    await vi.waitFor(() => expect(uploads.filter(({ answer }) => answer() !== '')).toHaveLength(2), { timeout: 15_000 })
    for (const { answer } of uploads.filter((one) => one.answer() !== '')) {
      expect(answer()).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 5\r\n[^]*"code":"rate_limited"/)
    }

    await clock.advance(120_000)

    await untilWaiting(0)
    await vi.waitFor(() => expect(refused).toContain('waited_too_long'))
  })
})

it('slows an importer down that sends more at once than it may, and refuses nothing', async () => {
  const body = someArticles(MIB / 2)

  const answers = await Promise.all(Array.from({ length: 30 }, () => submit('importer', body)))

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  expect(refused).toEqual([])
})

it('counts a body of unannounced length by what the route takes', async () => {
  const { socket } = aSlowUpload('other', MIB)
  await settled()
  const chunked = connect(Number(new URL(served.url).port), '127.0.0.1')
  sockets.push(chunked)

  chunked.write(
    `POST ${BATCH} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer slow\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
  )
  aSlowUpload('slow', MIB)

  await untilWaiting(1)
  socket.destroy()
})

it('keeps an idle connection longer than load balancers do', async () => {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.write('GET /livez HTTP/1.1\r\nhost: a\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]

  expect(answer.toString('utf8')).toMatch(/\r\nkeep-alive: timeout=75\r\n/i)
  const { keepAliveTimeout, headersTimeout, requestTimeout } = connectionLimits(75_000)
  expect(headersTimeout).toBeGreaterThan(keepAliveTimeout)
  expect(requestTimeout).toBeGreaterThan(headersTimeout)
})

it('refuses a list of millions of items by its length alone', async () => {
  const before = process.cpuUsage()

  const response = await submit('zeros', `{"articles":[0${',0'.repeat(2 * MIB)}]}`)

  const { user, system } = process.cpuUsage(before)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ errors: [{ path: 'articles', message: 'must have at most 50 items' }] })
  expect((user + system) / 1e6).toBeLessThan(5) // reporting each item as its own error took minutes
})
