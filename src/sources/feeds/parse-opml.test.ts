import { expect, it } from 'vitest'
import { parseFeedList, parseOpml } from './parse-opml.ts'

it('reads OPML, folders and all, each feed once', () => {
  const opml = `<opml version="2.0"><body><outline text="f"><outline type="rss" xmlUrl="https://a.example/f"/><outline xmlUrl="https://b.example/f?a=1&amp;b=2"/></outline><outline xmlUrl="https://a.example/f"/></body></opml>`

  expect(parseOpml(opml)).toEqual(['https://a.example/f', 'https://b.example/f?a=1&b=2'])
  expect(parseOpml('<rss/>')).toBeNull()
})

it('reads the title, the origin and the names of outlets', () => {
  const opml = `<opml version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><head><title>Our feeds</title><dc:source>A list (CC0)</dc:source></head><body><outline text="A &amp; B" xmlUrl="https://a.example/f"/><outline title="C" xmlUrl="https://c.example/f"/></body></opml>`

  expect(parseFeedList(opml)).toEqual({
    title: 'Our feeds',
    source: 'A list (CC0)',
    feeds: [
      { url: 'https://a.example/f', name: 'A & B' },
      { url: 'https://c.example/f', name: 'C' },
    ],
  })
  expect(parseFeedList('<opml/>')).toBeNull()
})
