import { expect, it } from 'vitest'
import { parseFeed } from './parse-feed.ts'

const feedOf = (over: object): string =>
  JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items: [], ...over })

it('reads JSON Feed 1.1', () => {
  const feed = parseFeed(
    feedOf({
      home_page_url: 'https://a.example/',
      feed_url: 'https://a.example/blog/feed.json',
      language: 'en-US',
      items: [
        {
          id: 7,
          url: 'post',
          title: ' A  title ',
          authors: [{ name: 'Ada' }, { name: 'Bob' }],
          date_published: '2026-01-01T12:00:00+02:00',
          date_modified: '2026-01-02T12:00:00Z',
          language: 'fr',
          summary: 'Short',
          content_html: '<p>The whole text</p>',
        },
      ],
    }),
    'https://a.example/feed.json',
  )

  expect(feed).toMatchObject({ format: 'json', title: 'J', site: 'https://a.example/', language: 'en-US' })
  expect(feed?.items).toEqual([
    {
      id: '7',
      url: 'https://a.example/blog/post',
      title: 'A title',
      author: 'Ada',
      published_date: Date.UTC(2026, 0, 1, 10),
      updated_date: Date.UTC(2026, 0, 2, 12),
      language: 'fr',
      source: null,
      text: '<p>The whole text</p>',
    },
  ])
})

it('reads JSON Feed 1.0: one author, an external link, plain text that may contain <', () => {
  const item = {
    id: 'a',
    external_url: 'https://b.example/1',
    author: { name: 'Ada' },
    content_text: 'if a <b and b> c',
  }
  const feed = parseFeed(feedOf({ version: 'https://jsonfeed.org/version/1', items: [item] }))

  expect(feed?.items).toMatchObject([
    { id: 'a', url: 'https://b.example/1', title: null, author: 'Ada', text: 'if a &lt;b and b&gt; c' },
  ])
})

it.each([
  '{',
  '{}',
  '{"items":[]}',
  '{"version":"https://jsonfeed.org/version/1","items":{}}',
  '{"version":2,"items":[]}',
])('returns null for %j', (document) => {
  expect(parseFeed(document)).toBeNull()
})

it('ignores fields of other types', () => {
  const items = [null, 'text', 5, { id: {}, title: [], authors: 'x', content_html: 1, date_published: false }]

  expect(parseFeed(feedOf({ title: {}, items }))).toMatchObject({ title: null, items: [{}, {}, {}, { text: '1' }] })
})
