import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await anApi()
})
afterAll(() => api.stop())

/** The resources that a page makes the browser load. */
const loaded = (html: string): readonly string[] => [
  ...[...html.matchAll(/<(?:script|img|iframe|source)[^>]*\ssrc="([^"]+)"/g)].map(([, address = '']) => address),
  ...[...html.matchAll(/<link[^>]*\shref="([^"]+)"/g)].map(([, address = '']) => address),
]

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
}

describe.each(['/docs', '/docs/events'])('%s', (path) => {
  it('is a page for anybody, that may load from nowhere else', async () => {
    const answer = await api.get(path)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
    expect(/script-src ([^;]*)/.exec(policy)?.[1] ?? "'self'").toBe("'self'")
  })

  it('loads only what we serve ourselves, each with its type', async () => {
    const addresses = loaded(await (await api.get(path)).text())

    expect(addresses.length).toBeGreaterThan(1)
    for (const address of addresses) {
      expect(address).not.toMatch(/^(\w+:|\/)/)
      const asset = await api.get(new URL(address, `http://any.host${path}`).pathname)
      expect([address, asset.status]).toEqual([address, 200])
      expect(asset.headers.get('content-type')).toBe(TYPES[address.split('.').at(-1) ?? ''])
    }
  })

  it('loads styles that load nothing from elsewhere', async () => {
    const styles = loaded(await (await api.get(path)).text()).filter((address) => address.endsWith('.css'))

    for (const address of styles) {
      const css = await (await api.get(new URL(address, `http://any.host${path}`).pathname)).text()
      const urls = [...css.matchAll(/url\(\s*['"]?([^'")\s]+)/g)].map(([, url = '']) => url)
      expect(urls.filter((url) => !url.startsWith('data:'))).toEqual([])
      expect(css).not.toContain('@import')
    }
  })

  it('works behind a prefix: every address in it is relative', async () => {
    const html = await (await api.get(path)).text()

    const addresses = [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
    expect(addresses.filter((address) => /^(\/|\w+:)/.test(address))).toEqual([])
  })
})

it('shows the document without asking a validator, and calls the service under the prefix of the page', async () => {
  const start = await (await api.get('/docs/start.js')).text()

  expect(start).toContain('validatorUrl: null')
  expect(start).toContain("new URL('openapi.json', here)")
  expect(start).not.toMatch(/https?:\/\//)
})

it('tells of every channel on the page of topics', async () => {
  const html = await (await api.get('/docs/events')).text()
  const document = (await (await api.get('/asyncapi.json')).json()) as { channels: Record<string, unknown> }

  for (const name of Object.keys(document.channels)) expect(html).toContain(`<h3 id="${name}">`)
  expect(html).not.toContain('<script')
})

it('sends a page again only when it changed, compressed to who takes it so', async () => {
  const plain = await api.get('/docs/swagger-ui.css')
  const zipped = await api.get('/docs/swagger-ui.css', undefined, { 'accept-encoding': 'br, gzip' })
  const refused = await api.get('/docs/swagger-ui.css', undefined, { 'accept-encoding': 'gzip;q=0' })
  const tag = zipped.headers.get('etag') ?? ''

  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(refused.headers.get('content-encoding')).toBeNull()
  expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(await plain.text())
  const again = await api.get('/docs/swagger-ui.css', undefined, { 'if-none-match': tag })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

it.each(['/docs/nothing.js', '/docs/__proto__', '/docs/..%2fpackage.json', '/docs/index.html'])(
  'has no %s',
  async (path) => {
    const answer = await api.get(path)

    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  },
)

it('is asked with GET alone', async () => {
  const answer = await api.post('/docs', {})

  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
