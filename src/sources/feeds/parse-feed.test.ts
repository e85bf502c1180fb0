import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFeed } from './parse-feed.ts'

const rss = `<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Example &amp; Times</title>
<item><title>One &#8220;bridge&#8221;</title><link>https://a.example/1?x=1&amp;y=2</link><dc:creator>Jane Doe</dc:creator>
<pubDate>Tue, 03 May 2016 12:00:00 +0200</pubDate><description>Short.</description>
<content:encoded><![CDATA[<p>The whole <b>text</b> &amp; more.</p>]]></content:encoded></item>
<item><title>Two</title><guid isPermaLink="true">https://a.example/2</guid><description>&lt;p&gt;Escaped &amp;amp; short&lt;/p&gt;</description><pubDate>soon</pubDate></item>
<item><guid isPermaLink="false">tag:1</guid></item>
</channel></rss>`

const nothing = {
  id: null,
  url: null,
  title: null,
  author: null,
  published_date: null,
  updated_date: null,
  language: null,
  source: null,
  text: '',
}

const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom Post</title>
<entry><title type="html">A &amp;amp; B</title><link rel="self" href="https://b.example/self"/><link href="https://b.example/1"/>
<author><name>Ada</name></author><updated>2016-05-03T12:00:00Z</updated>
<summary>Short</summary><content type="html">&lt;p&gt;Escaped, and &lt;i&gt;long&lt;/i&gt; enough.&lt;/p&gt;</content></entry>
<entry><title>X</title><link href="https://b.example/2"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>First <b>second</b> third.</p></div></content></entry>
</feed>`

const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://c.example"><title>RDF News</title></channel>
<item rdf:about="https://c.example/1"><title>Item</title><link>https://c.example/1</link><description>Text</description><dc:date>2016-05-03T12:00:00+00:00</dc:date></item></rdf:RDF>`

describe('parseFeed', () => {
  it('reads RSS 2.0: the fullest text, entities once decoded, dates and permalinks', () => {
    const feed = parseFeed(rss)

    expect(feed).toMatchObject({ format: 'rss', title: 'Example & Times', site: null, language: null, sitemaps: [] })
    expect(feed?.items).toEqual([
      {
        ...nothing,
        id: 'https://a.example/1?x=1&y=2',
        url: 'https://a.example/1?x=1&y=2',
        title: 'One “bridge”',
        author: 'Jane Doe',
        published_date: Date.UTC(2016, 4, 3, 10),
        text: '<p>The whole <b>text</b> &amp; more.</p>',
      },
      {
        ...nothing,
        id: 'https://a.example/2',
        url: 'https://a.example/2',
        title: 'Two',
        text: '<p>Escaped &amp; short</p>',
      },
      { ...nothing, id: 'tag:1' },
    ])
  })

  it('reads Atom: the page rather than the feed, escaped HTML and XHTML in their order', () => {
    const items = parseFeed(atom)?.items

    expect(items?.[0]).toMatchObject({
      url: 'https://b.example/1',
      author: 'Ada',
      published_date: Date.UTC(2016, 4, 3, 12),
    })
    expect(items?.[0]?.text).toBe('<p>Escaped, and <i>long</i> enough.</p>')
    expect(items?.[1]?.text).toContain('<p>First <b>second</b> third.</p>')
  })

  it('reads RSS 1.0', () => {
    expect(parseFeed(rdf)).toMatchObject({ title: 'RDF News', items: [{ url: 'https://c.example/1', text: 'Text' }] })
  })

  it.each(['', 'not xml', '<html><body>hello</body></html>', '{"a":1}', '<rss>'])('answers null for %j', (text) => {
    expect(parseFeed(text)).toBeNull()
  })

  it('does not blow up on entities that contain one another', () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">${laughs}]><rss><channel><title>&l9;</title></channel></rss>`

    expect(parseFeed(bomb)?.title?.length ?? 0).toBeLessThan(1_000_000)
  })

  it('identifies an item by its URL, or by its title and text, if the feed gives no id', () => {
    const feed = parseFeed(`<rss><channel><item><link>https://a.example/1</link></item>
      <item><title>Only a title</title></item><item><title>Only a title</title></item><item/></channel></rss>`)

    const ids = feed?.items.map(({ id }) => id) ?? []
    expect(ids[0]).toBe('https://a.example/1')
    expect(ids[1]).toMatch(/^[0-9a-f]{32}$/)
    expect(ids.slice(2)).toEqual([ids[1], null])
  })

  it('reads what a channel says of itself, and the language and last change of an item', () => {
    const feed = parseFeed(
      `<rss><channel><title>T</title><link>/home</link><language>en_GB</language><ttl>15</ttl>
      <item><guid>1</guid><atom:updated>2026-01-02T00:00:00Z</atom:updated></item>
      <item><guid>2</guid><dc:language>fr</dc:language></item></channel></rss>`,
      'https://a.example/feeds/rss.xml',
    )

    expect(feed).toMatchObject({ site: 'https://a.example/home', language: 'en-GB', ttl_seconds: 900 })
    expect(feed?.items[0]).toMatchObject({ language: 'en-GB', updated_date: Date.UTC(2026, 0, 2) })
    expect(feed?.items[1]).toMatchObject({ language: 'fr', updated_date: null })
  })

  it.each([
    ['<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>', 1_800],
    ['<sy:updatePeriod> daily </sy:updatePeriod>', 86_400],
    ['<sy:updateFrequency>24</sy:updateFrequency>', 3_600],
    ['<ttl>60</ttl><sy:updatePeriod>daily</sy:updatePeriod>', 3_600],
    ['<ttl>0</ttl>', null],
    ['<ttl>-5</ttl><sy:updatePeriod>sometimes</sy:updatePeriod>', null],
    ['<title>T</title>', null],
  ])('reads the suggested interval %j as %j seconds', (elements, seconds) => {
    expect(parseFeed(`<rss><channel>${elements}</channel></rss>`)?.ttl_seconds).toBe(seconds)
  })

  it('resolves relative links against xml:base, then against the address of the feed', () => {
    const rssLinks = parseFeed(
      `<rss xml:base="https://b.example/x/"><channel><link>./</link><item><link>1</link></item>
      <item xml:base="y/"><link>2</link></item><item><link>https://c.example/3</link></item></channel></rss>`,
      'https://a.example/rss',
    )
    const atomLinks = parseFeed(
      `<feed xml:base="/blog/"><link href="./"/><entry><link href="1"/></entry>
      <entry xml:base="2026/"><link xml:base="01/" href="2"/></entry></feed>`,
      'https://a.example/atom',
    )

    expect(rssLinks?.site).toBe('https://b.example/x/')
    expect(rssLinks?.items.map(({ url }) => url)).toEqual([
      'https://b.example/x/1',
      'https://b.example/x/y/2',
      'https://c.example/3',
    ])
    expect(atomLinks?.site).toBe('https://a.example/blog/')
    expect(atomLinks?.items.map(({ url }) => url)).toEqual([
      'https://a.example/blog/1',
      'https://a.example/blog/2026/01/2',
    ])
  })

  it('reads Atom ids, last changes, languages and sources of aggregated entries', () => {
    const feed = parseFeed(`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Planet</title>
      <entry xml:lang="en"><id>tag:1</id><link href="https://a.example/1"/><updated>2026-01-02T00:00:00Z</updated>
      <published>2026-01-01T00:00:00Z</published><source><title>A blog</title></source></entry></feed>`)

    expect(feed).toMatchObject({ format: 'atom', language: 'de' })
    expect(feed?.items).toEqual([
      {
        ...nothing,
        id: 'tag:1',
        url: 'https://a.example/1',
        published_date: Date.UTC(2026, 0, 1),
        updated_date: Date.UTC(2026, 0, 2),
        language: 'en',
        source: 'A blog',
      },
    ])
  })

  it('reads Google News: the outlet, the title without it, and no text', () => {
    const feed =
      parseFeed(`<rss version="2.0"><channel><generator>NFE/5.0</generator><title>"bridge" - Google News</title>
      <item><title>Bridge - what we know - The Example Times</title>
      <link>https://news.google.com/rss/articles/CBMi?oc=5</link><guid isPermaLink="false">CBMi</guid>
      <description>&lt;ol&gt;&lt;li&gt;&lt;a href="https://news.google.com/rss/articles/CBMi"&gt;Bridge&lt;/a&gt;&lt;/li&gt;&lt;/ol&gt;</description>
      <source url="https://example.com">The Example Times</source></item></channel></rss>`)

    expect(feed?.items).toEqual([
      {
        ...nothing,
        id: 'CBMi',
        url: 'https://news.google.com/rss/articles/CBMi?oc=5',
        title: 'Bridge - what we know',
        source: 'The Example Times',
      },
    ])
  })

  it('keeps a title that does not end with its outlet', () => {
    const feed = parseFeed(`<rss><channel><item><title>Up - Down</title><source url="https://e.example">Other</source>
      </item><item><title>Up - Down</title></item></channel></rss>`)

    expect(feed?.items.map(({ title }) => title)).toEqual(['Up - Down', 'Up - Down'])
  })

  it('throws for no document, cut or mixed', () => {
    const document = fc.constantFrom(rss, atom, rdf, '<urlset><url><loc>x</loc></url></urlset>', '{"version":"https:/')
    const part = fc.tuple(document, fc.nat(2_000), fc.nat(2_000)).map(([text, from, to]) => text.slice(from, to))
    const address = fc.option(fc.constantFrom('https://a.example/', 'nonsense'), { nil: undefined })
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), address, (parts, from) => {
        expect(() => parseFeed(parts.join(''), from)).not.toThrow()
      }),
    )
  })
})
