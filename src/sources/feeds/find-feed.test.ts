import { expect, it } from 'vitest'
import type { FetchedDocument } from '../../ports/http.ts'
import { findFeed } from './find-feed.ts'

const FEED = '<rss version="2.0"><channel><title>Times</title><item><title>Rain</title></item></channel></rss>'
const EMPTY = '<rss version="2.0"><channel><title>Comments</title></channel></rss>'
const linking = (...hrefs: readonly string[]): string =>
  `<html><head>${hrefs.map((href) => `<link rel="alternate" type="application/rss+xml" href="${href}">`).join('')}</head></html>`

type Answer = string | Partial<FetchedDocument>

/** Looks for a feed at `http://a.example/` of a web of these addresses. */
async function find(answers: Readonly<Record<string, Answer>>, url = 'http://a.example/') {
  const requested: string[] = []
  const found = await findFeed(url, async (address) => {
    requested.push(address)
    const answer = answers[address] ?? { status: 404 }
    const given = typeof answer === 'string' ? { body: Buffer.from(answer) } : answer
    return { url: address, redirects: [], status: 200, headers: {}, body: Buffer.alloc(0), ...given }
  })
  return { found: found.kind === 'feed' ? found.url : found.error, requested }
}

it('takes an address that is a feed', async () => {
  expect(await find({ 'http://a.example/': FEED })).toEqual({
    found: 'http://a.example/',
    requested: ['http://a.example/'],
  })
})

it('takes the first announced feed with items', async () => {
  const { found } = await find({
    ...{ 'http://a.example/': linking('/comments', '/rss'), 'http://a.example/comments': EMPTY },
    'http://a.example/rss': FEED,
  })

  expect(found).toBe('http://a.example/rss')
})

it('tries common paths of a site that announces nothing, then the sitemaps that robots.txt names', async () => {
  const page = '<html></html>'
  const sitemap = '<urlset><url><loc>http://a.example/1</loc></url></urlset>'

  const common = await find({ 'http://a.example/': page, 'http://a.example/feed': FEED })
  const named = await find({
    ...{ 'http://a.example/': page, 'http://a.example/robots.txt': 'Sitemap: http://a.example/news.xml' },
    'http://a.example/news.xml': sitemap,
  })

  expect([common.found, named.found]).toEqual(['http://a.example/feed', 'http://a.example/news.xml'])
})

it('takes the new address only of what has moved for good', async () => {
  const at = { url: 'http://a.example/new', body: Buffer.from(FEED) }
  const moved = await find({ 'http://a.example/': { ...at, redirects: [301] } })
  const elsewhere = await find({ 'http://a.example/': { ...at, redirects: [302] } })

  expect([moved.found, elsewhere.found]).toEqual(['http://a.example/new', 'http://a.example/'])
})

it('says why there is none, and tries no more than twelve addresses', async () => {
  const many = Array.from({ length: 20 }, (_, i) => `/feed-${i}`)
  const none = await find({ 'http://a.example/': linking(...many) })

  expect((await find({ 'http://a.example/': { status: 500 } })).found).toBe('HTTP 500')
  expect(none.found).toBe('no feed was found (12 addresses were tried)')
  expect(none.requested).toHaveLength(13)
})

it('gives no address that cannot be watched', async () => {
  const secret = 'http://user:secret@a.example/rss'
  const announced = await find({ 'http://a.example/': linking(secret), [secret]: FEED })
  const moved = await find({ 'http://a.example/': { url: secret, body: Buffer.from(FEED), redirects: [301] } })

  expect(announced.found).toContain('no feed was found')
  expect(announced.requested).not.toContain(secret)
  expect(moved.found).toBe('http://a.example/')
})
