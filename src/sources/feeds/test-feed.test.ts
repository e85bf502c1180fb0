import { expect, it } from 'vitest'
import { testFeed } from './test-feed.ts'

const NOW = Date.UTC(2026, 2, 2, 12)
const item = (path: string, day: number): string =>
  `<item><title>On ${path}</title><link>https://times.example.com/${path}</link>` +
  `<pubDate>${new Date(Date.UTC(2026, 1, day)).toUTCString()}</pubDate><description>${'x'.repeat(day)}</description></item>`
const feed = (...items: readonly string[]): string =>
  `<rss version="2.0"><channel><title>Times</title>${items.join('')}</channel></rss>`

/** Tests the feed of a web that answers 404 elsewhere. */
const tested = (answers: Readonly<Record<string, string | number>>) =>
  testFeed(
    'https://times.example.com/rss.xml',
    async (url) => {
      const answer = answers[new URL(url).pathname] ?? 404
      const [status, body] = typeof answer === 'number' ? [answer, ''] : [200, answer]
      return { url, redirects: [], status, headers: {}, body: Buffer.from(body) }
    },
    NOW,
  )

it('describes a feed by its newest items', async () => {
  const found = await tested({ '/rss.xml': feed(...[3, 9, 1, 4, 7, 6].map((day) => item(`news/${day}`, day))) })

  expect(found).toMatchObject({
    ...{ kind: 'feed', url: 'https://times.example.com/rss.xml', format: 'rss', title: 'Times', items: 6 },
    ...{ newest_item_at: Date.UTC(2026, 1, 9), median_characters: 6, pages: 'allowed' },
  })
  expect(found.kind === 'feed' ? found.sample.map(({ title }) => title) : []).toEqual(
    [9, 7, 6, 4, 3].map((day) => `On news/${day}`),
  )
})

it.each([
  ['forbidden', 'User-agent: *\nDisallow: /'],
  ['partly', 'User-agent: story-intelligence-service\nDisallow: /news/2'],
  ['allowed', 'User-agent: other\nDisallow: /'],
  ['unknown', 503],
])('pages are %s', async (pages, robots) => {
  const found = await tested({ '/rss.xml': feed(item('news/1', 1), item('news/2', 2)), '/robots.txt': robots })

  expect(found).toMatchObject({ pages })
})

it('names no permission for items without pages', async () => {
  const found = await tested({ '/rss.xml': feed('<item><title>Rain</title></item>') })

  expect(found).toMatchObject({ pages: 'none', sample: [{ title: 'Rain', url: null, published_date: null }] })
})

it('says why there is no feed', async () => {
  expect(await tested({})).toEqual({ kind: 'none', error: 'HTTP 404' })
})
