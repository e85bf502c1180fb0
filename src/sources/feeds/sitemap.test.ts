import { describe, expect, it } from 'vitest'
import { parseFeed } from './parse-feed.ts'
import { MAX_SITEMAP_ITEMS } from './sitemap.ts'

const sitemapOf = (entries: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><!-- made by a plugin --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
  xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">${entries}</urlset>`

describe('parseFeed of sitemaps', () => {
  it('reads a news sitemap, newest first', () => {
    const entry = (n: number, date: string) => `<url><loc>https://a.example/${n}?a=1&amp;b=2</loc>
      <image:image><image:loc>https://a.example/${n}.jpg</image:loc><image:title>Wrong</image:title></image:image>
      <news:news><news:publication><news:name>The Example</news:name><news:language>en</news:language></news:publication>
      <news:publication_date>${date}</news:publication_date><news:title><![CDATA[A & B]]></news:title></news:news></url>`
    const feed = parseFeed(sitemapOf(entry(1, '2026-01-01') + entry(2, '2026-01-02T10:00:00+01:00')))

    expect(feed).toMatchObject({ format: 'news-sitemap', title: null, ttl_seconds: null, sitemaps: [] })
    expect(feed?.items.map(({ url }) => url)).toEqual(['https://a.example/2?a=1&b=2', 'https://a.example/1?a=1&b=2'])
    expect(feed?.items[0]).toEqual({
      id: 'https://a.example/2?a=1&b=2',
      url: 'https://a.example/2?a=1&b=2',
      title: 'A & B',
      author: null,
      published_date: Date.UTC(2026, 0, 2, 9),
      updated_date: null,
      language: 'en',
      source: 'The Example',
      text: '',
    })
  })

  it('reads a plain sitemap: last changes, undated pages last', () => {
    const feed = parseFeed(
      sitemapOf(`<url><loc> /undated </loc></url><url><lastmod>2026-01-03</lastmod></url>
      <url><loc>https://a.example/old</loc><lastmod>2025-01-01</lastmod></url>
      <url><loc>https://a.example/new</loc><lastmod>2026-01-01</lastmod></url>`),
      'https://a.example/sitemap.xml',
    )

    expect(feed?.format).toBe('sitemap')
    expect(feed?.items.map(({ url, published_date, updated_date }) => [url, published_date, updated_date])).toEqual([
      ['https://a.example/new', null, Date.UTC(2026, 0, 1)],
      ['https://a.example/old', null, Date.UTC(2025, 0, 1)],
      ['https://a.example/undated', null, null],
    ])
  })

  it('reads a sitemap index, newest first, under any prefix', () => {
    const feed = parseFeed(`<s:sitemapindex xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
      <s:sitemap><s:loc>https://a.example/1.xml</s:loc><s:lastmod>2025-01-01</s:lastmod></s:sitemap>
      <s:sitemap><s:loc>https://a.example/2.xml.gz</s:loc><s:lastmod>2026-01-01</s:lastmod></s:sitemap>
      <s:sitemap><s:loc>https://a.example/3.xml</s:loc></s:sitemap></s:sitemapindex>`)

    expect(feed).toMatchObject({ format: 'sitemap-index', items: [] })
    expect(feed?.sitemaps).toEqual([
      { url: 'https://a.example/2.xml.gz', updated_date: Date.UTC(2026, 0, 1) },
      { url: 'https://a.example/1.xml', updated_date: Date.UTC(2025, 0, 1) },
      { url: 'https://a.example/3.xml', updated_date: null },
    ])
  })

  it('takes the newest 1,000 of 50,000 entries', () => {
    const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + ((n * 7_919) % 50_000) * 60_000).toISOString()
    const entries = Array.from(
      { length: 50_000 },
      (_, n) => `<url><loc>https://a.example/${n}</loc><lastmod>${at(n)}</lastmod></url>`,
    )
    const items = parseFeed(sitemapOf(entries.join('\n')))?.items ?? []
    const dates = items.map(({ updated_date }) => (updated_date ?? 0) - Date.UTC(2026, 0, 1))

    expect(dates).toEqual(Array.from({ length: MAX_SITEMAP_ITEMS }, (_, n) => (49_999 - n) * 60_000))
  })

  it('survives broken, deep and hostile documents', () => {
    expect(parseFeed(sitemapOf('<url><loc>https://a.example/1'))?.items).toEqual([])
    expect(parseFeed('<urlset/>')).toMatchObject({ format: 'sitemap', items: [] })
    expect(parseFeed(`<urlset>${'<url>'.repeat(100_000)}`)).toMatchObject({ items: [] })
    expect(
      parseFeed(`<!DOCTYPE urlset [<!ENTITY a "aaaa">]><urlset><url><loc>&a;</loc></url></urlset>`)?.items,
    ).toMatchObject([{ url: '&a;' }])
  })
})
