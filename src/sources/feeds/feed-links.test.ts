import { describe, expect, it } from 'vitest'
import { commonFeedPaths, feedLinks } from './feed-links.ts'

const page = 'https://a.example/news/'

describe('feedLinks', () => {
  it('finds the feeds that a page announces, in their order, without feeds of comments', () => {
    const html = `<!doctype html><html><head><title>T</title>
      <link rel="stylesheet" href="/style.css"><LINK REL="Alternate" TYPE="application/rss+xml; charset=utf-8" HREF="/rss">
      <link rel="alternate home" type="application/atom+xml" href="atom.xml" title="Atom">
      <link rel="alternate" type="application/feed+json" href="https://b.example/feed.json">
      <link rel="alternate" type="application/rss+xml" href="/rss">
      <link rel="alternate" type="application/rss+xml" title="T &raquo; Comments Feed" href="/all/feed/">
      <link rel="alternate" type="application/rss+xml" href="/comments/feed/">
      <link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" type="application/rss+xml" href="">
      </head><body></body></html>`

    expect(feedLinks(html, page)).toEqual([
      'https://a.example/rss',
      'https://a.example/news/atom.xml',
      'https://b.example/feed.json',
    ])
  })

  it('takes JSON and XML of a general type only if the path looks like a feed', () => {
    const html = `<link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">
      <link rel="alternate" type="application/json+oembed" href="/oembed?format=json&feed">
      <link rel="alternate" type="application/json" href="/feed.json"><link rel="alternate" type="text/xml" href="/a/rss">`

    expect(feedLinks(html, page)).toEqual(['https://a.example/feed.json', 'https://a.example/a/rss'])
  })

  it('then finds links that look like feeds, but no readers and no pages', () => {
    const html = `<body><a href="/about">About</a><a href="/topics/feeding-cats">Cats</a><a href="/world.rss">World</a>
      <a href="feed://b.example/all">All</a><a href="feed:https://c.example/atom.xml#top">C</a>
      <a href="https://feedly.com/i/subscription/feed/https://a.example/rss">Feedly</a><a href="mailto:rss@a.example">Mail</a>
      <a href="/post/1/comments/feed">Comments</a><a href="${page}">Here</a><a href="http://[">Broken</a>
      <link rel="alternate" type="application/rss+xml" href="/rss"></body>`

    expect(feedLinks(html, page)).toEqual([
      'https://a.example/rss',
      'https://a.example/world.rss',
      'https://c.example/atom.xml',
    ])
  })

  it('resolves links against <base>', () => {
    const html = `<base href="https://c.example/x/"><link rel="alternate" type="application/rss+xml" href="rss">`

    expect(feedLinks(html, page)).toEqual(['https://c.example/x/rss'])
  })

  it('stays bounded on hostile pages', () => {
    const many = Array.from({ length: 500 }, (_, n) => `<a href="/${n}.rss">x</a>`).join('')

    expect(feedLinks(many, page)).toHaveLength(20)
    expect(feedLinks('<b>'.repeat(300_000) + '</i>'.repeat(200_000), page)).toEqual([])
    expect(feedLinks(`${' '.repeat(2_000_000)}<a href="/rss">x</a>`, page)).toEqual([])
  })
})

it('names the common paths in the folder of the page, then at the root', () => {
  expect(commonFeedPaths('https://a.example/')).toEqual(
    ['feed', 'rss', 'rss.xml', 'atom.xml', 'feed.xml', 'index.xml', 'feed.json'].map(
      (path) => `https://a.example/${path}`,
    ),
  )
  expect(commonFeedPaths('http://a.example:8080/blog/post?x=1').filter((url) => url.endsWith('/feed'))).toEqual([
    'http://a.example:8080/blog/feed',
    'http://a.example:8080/feed',
  ])
  expect(commonFeedPaths('ftp://a.example')).toEqual([])
  expect(commonFeedPaths('nonsense')).toEqual([])
})
