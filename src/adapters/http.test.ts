import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { HttpRequest } from '../ports/http.ts'
import { fetchHttp, isSafeAddress } from './http.ts'

const servers: Server[] = []

async function aServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const get = (url: string): HttpRequest => ({
  method: 'GET',
  url,
  headers: { authorization: 'Bearer sesame' },
  body: null,
})

const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it was answered'),
    (cause: unknown) => cause as Error,
  )

describe('fetchHttp', () => {
  it('sends method, headers and body, and gives any status with its headers in lower case', async () => {
    const url = await aServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        const { authorization } = request.headers
        response.writeHead(418, { 'X-Ratelimit-Remaining': '0.5' }).end(`${request.method} ${authorization} ${body}`)
      })
    })

    const answer = await fetchHttp()({ ...get(url), method: 'POST', body: 'a=1' })

    expect(answer).toMatchObject({ status: 418, body: 'POST Bearer sesame a=1' })
    expect(answer.headers['x-ratelimit-remaining']).toBe('0.5')
  })

  it('unpacks a body and reads it as UTF-8', async () => {
    const url = await aServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('Grüße 🚲'))
    })

    expect((await fetchHttp()(get(url))).body).toBe('Grüße 🚲')
  })

  it('takes a redirect as the answer, so that credentials do not travel on', async () => {
    let calls = 0
    const url = await aServer((_, response) => {
      calls += 1
      response.writeHead(302, { location: '/elsewhere' }).end()
    })

    expect((await fetchHttp()(get(url))).status).toBe(302)
    expect(calls).toBe(1)
  })

  it('gives up what is too slow, too large or cut off, and never tells what was sent', async () => {
    const silent = await aServer(() => undefined)
    const large = await aServer((_, response) => response.end('x'.repeat(1_000)))
    const cut = await aServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.destroy())
    })
    const http = fetchHttp({ timeoutMs: 200, maxBytes: 100 })

    const slow = await failed(http(get(`${silent}/search?token=sesame`)))
    expect(slow.name).toBe('TimeoutError')
    expect(slow.message).toMatch(/^no answer to GET http:\/\/127\.0\.0\.1:\d+\/search: too slow$/)
    expect((await failed(http(get(large)))).message).toMatch(/more than 100 bytes$/)
    expect((await failed(http(get(cut)))).message).toMatch(/no answer to GET/)
    expect(JSON.stringify(Object.getOwnPropertyNames(slow).map((name) => String(Reflect.get(slow, name))))).not.toMatch(
      /sesame/,
    )
  })

  it('says why no connection came about', async () => {
    const url = await aServer(() => undefined)
    const [server] = servers.splice(0)
    await new Promise((resolve) => server?.close(resolve))

    expect((await failed(fetchHttp()(get(url)))).message).toMatch(/ECONNREFUSED$/)
  })

  it('ends at once when the signal aborts, before or while it waits', async () => {
    const url = await aServer(() => undefined)
    const stop = new AbortController()
    const waiting = failed(fetchHttp()(get(url), stop.signal))

    stop.abort()

    expect((await waiting).name).toBe('AbortError')
    expect((await failed(fetchHttp()(get(url), stop.signal))).name).toBe('AbortError')
  })

  it('sends nothing over a connection that others could read', async () => {
    expect((await failed(fetchHttp()(get('http://api.example.com/2?token=sesame')))).message).toBe(
      'http://api.example.com is not requested: only https and this machine are supported',
    )
  })
})

it.each([
  ['https://api.x.com', true],
  ['http://127.0.0.1:8080', true],
  ['http://localhost:1', true],
  ['http://[::1]:1', true],
  ['http://127.0.0.1.example.com', false],
  ['http://localhost.example.com', false],
  ['ftp://localhost', false],
  ['x.com', false],
])('credentials may be sent to %s: %s', (url, safe) => expect(isSafeAddress(url)).toBe(safe))
