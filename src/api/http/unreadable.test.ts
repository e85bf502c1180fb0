import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../../test/builders/feed.ts'
import { soon } from '../../../test/builders/soon.ts'
import { stubDependencies } from '../described-routes.ts'
import type { Caller } from './keys/caller.ts'
import { serveApi } from '../app.ts'
import type { ServedApi } from './serve.ts'
import { refuseUnreadable } from './unreadable.ts'

const caller: Caller = { key_id: 'k', tier: 'starter', namespace: 'shared', scopes: ['read', 'write'], owner: 'me' }
const here = { host: '127.0.0.1', port: 0 }

let lines: { readonly level: string; readonly fields: unknown; readonly message: string }[]
let served: ServedApi

const line = (level: string) => (fields: unknown, message?: unknown) =>
  void lines.push({ level, fields, message: String(message) })
const logger = { info: line('info'), warn: line('warn'), error: line('error') }

beforeEach(async () => {
  lines = []
  const keys = { find: (key: string) => (key === 'known' ? caller : null), notReady: () => null }
  served = await serveApi(
    { ...stubDependencies('0'), clock: systemClock, keys, logger, corsOrigins: ['https://page.example'] },
    here,
  )
})
afterEach(() => served.stop())

/** The response on a new connection until it closes, split into parts. */
async function answerTo(port: number, sent: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(sent)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk as Uint8Array))
  const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n')
  const [first = '', ...rest] = head.split('\r\n')
  const headers: Record<string, string> = {}
  for (const [name = '', value = ''] of rest.map((one) => one.split(': '))) headers[name.toLowerCase()] = value
  return { status: Number(first.split(' ')[1]), headers, problem: JSON.parse(body) as unknown }
}

const port = (): number => Number(new URL(served.url).port)

const REFUSED = {
  'content-type': 'application/problem+json',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

it.each([
  ['no Host', 'GET /v1/clusters HTTP/1.1\r\n', 400, 'bad_request'],
  ['an empty Host', 'GET /v1/clusters HTTP/1.1\r\nhost:\r\n', 400, 'bad_request'],
  ['a bad Host', 'GET /v1/clusters HTTP/1.1\r\nhost: a b/c\r\n', 400, 'bad_request'],
  ['HTTP/1.0 without Host', 'GET /livez HTTP/1.0\r\n', 400, 'bad_request'],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n', 400, 'bad_request'],
  ['a bad absolute address', 'GET http://[ HTTP/1.1\r\nhost: a\r\n', 400, 'bad_request'],
  [
    'an unknown Expect',
    'POST /layer0/v1/process HTTP/1.1\r\nhost: a\r\nexpect: nonsense\r\n',
    417,
    'expectation_failed',
  ],
  ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nhost: a\r\n', 405, 'method_not_allowed'],
])(
  'refuses %s with a problem, the id that was sent, the headers of every answer and a line',
  async (_, sent, ...is) => {
    const [status, code] = is
    const answer = await answerTo(port(), `${sent}x-request-id: mine\r\nconnection: close\r\n\r\n`)

    expect(answer).toMatchObject({ status, headers: { ...REFUSED, 'x-request-id': 'mine' }, problem: { status, code } })
    expect(answer.problem).toMatchObject({ detail: expect.stringMatching(/^.{10,}$/) as string })
    expect(lines).toMatchObject([{ level: 'info', message: 'request', fields: { request_id: 'mine', status } }])
  },
)

it('takes no more of what is no HTTP than to say so, with the same headers and an id of its own', async () => {
  const answer = await answerTo(port(), 'GARBAGE\r\n\r\n')

  expect(answer).toMatchObject({ status: 400, headers: REFUSED, problem: { code: 'bad_request', status: 400 } })
  expect(lines).toMatchObject([{ message: 'request', fields: { request_id: answer.headers['x-request-id'] } }])
})

it('keeps the connection of who asked for an address that cannot be read', async () => {
  const [bad, good] = [
    'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  ]
  const socket = connect(port(), '127.0.0.1')
  socket.write(bad + good)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk as Uint8Array))

  expect(
    Buffer.concat(chunks)
      .toString('utf8')
      .match(/HTTP\/1\.1 \d+/g),
  ).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
})

it('tells a client that is too slow so: 408, and not that its request is wrong', async () => {
  const slow: Server = createServer({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 })
  refuseUnreadable(slow, { logger, corsOrigins: [] })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const { port: slowPort } = slow.address() as AddressInfo
  const answer = await answerTo(slowPort, 'GET /v1/clusters HTTP/1.1\r\nhost: a\r\n')

  expect(answer).toMatchObject({ status: 408, headers: REFUSED, problem: { code: 'request_timeout', status: 408 } })
  slow.close()
})

it.each(['content-length: 1000', 'transfer-encoding: chunked'])(
  'has no alarm for a client that leaves in the middle of its body (%s): a line with 499',
  async (length) => {
    const socket = connect(port(), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /layer0/v1/process HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\nauthorization: Bearer known\r\n${length}\r\n\r\n`,
    )
    await new Promise((resolve) => socket.once('data', resolve)) // the server is waiting for the body
    socket.write('5\r\n{"tex', () => socket.destroy())
    await vi.waitFor(() => expect(lines).not.toEqual([]), soon)

    expect(lines).toMatchObject([{ level: 'info', message: 'request', fields: { status: 499, key_id: 'k' } }])
  },
)
