import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { guardedGet } from './guarded-get.ts'
import { isPublicAddress } from './guarded-address.ts'

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

const open = guardedGet({ allowPrivate: true, timeoutMs: 15_000, maxBytes: 1000 })
const guarded = guardedGet({ allowPrivate: false, timeoutMs: 15_000, maxBytes: 1000 })

describe('guardedGet', () => {
  it('fetches, unpacks, follows redirects and says where it ended', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end()
      else response.writeHead(200, { 'content-encoding': 'gzip', etag: '"1"' }).end(gzipSync('hello'))
    })

    const { body, headers, status, url: at } = await open(`${url}/a`, {})

    expect([body.toString(), headers['etag'], status, at]).toEqual(['hello', '"1"', 200, `${url}/b`])
  })

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://localhost:1/',
  ])('does not go to %s', async (url) => {
    await expect(guarded(url, {})).rejects.toThrow(/not a public address/)
  })

  it.each(['file:///etc/passwd', 'ftp://example.com/x'])('does not speak %s', async (url) => {
    await expect(open(url, {})).rejects.toThrow(/only http and https URLs are supported/)
  })

  it('checks where a redirect leads', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())

    await expect(open(url, {})).rejects.toThrow(/only http and https URLs are supported/)
  })

  it('stops going in circles', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/' }).end())

    await expect(open(url, {})).rejects.toThrow('too many redirects')
  })

  it('stops a body that is too large, packed or not', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
    )

    await expect(open(url, {})).rejects.toThrow('more than 1000 bytes')
  })

  it('gives up on a server that does not answer', async () => {
    const url = await serve(() => undefined)
    const impatient = guardedGet({ allowPrivate: true, timeoutMs: 100, maxBytes: 1000 })

    await expect(impatient(url, {})).rejects.toThrow()
  })
})

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['192.168.1.1', false],
  ['172.31.0.1', false],
  ['172.32.0.1', true],
  ['100.100.0.1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:808:808', true],
  ['2002:7f00:1::', false],
  ['64:ff9b::7f00:1', false],
  ['255.255.255.255', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})
