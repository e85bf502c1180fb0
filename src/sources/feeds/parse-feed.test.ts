import { describe, expect, it } from 'vitest'
import { decoded, parseFeed, parseOpml } from './parse-feed.ts'

const rss = `<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Example &amp; Times</title>
<item><title>One &#8220;bridge&#8221;</title><link>https://a.example/1?x=1&amp;y=2</link><dc:creator>Jane Doe</dc:creator>
<pubDate>Tue, 03 May 2016 12:00:00 +0200</pubDate><description>Short.</description>
<content:encoded><![CDATA[<p>The whole <b>text</b> &amp; more.</p>]]></content:encoded></item>
<item><title>Two</title><guid isPermaLink="true">https://a.example/2</guid><description>&lt;p&gt;Escaped &amp;amp; short&lt;/p&gt;</description><pubDate>soon</pubDate></item>
<item><guid isPermaLink="false">tag:1</guid></item>
</channel></rss>`

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

    expect(feed?.title).toBe('Example & Times')
    expect(feed?.items).toEqual([
      {
        url: 'https://a.example/1?x=1&y=2',
        title: 'One “bridge”',
        author: 'Jane Doe',
        published_date: Date.UTC(2016, 4, 3, 10),
        text: '<p>The whole <b>text</b> &amp; more.</p>',
      },
      {
        url: 'https://a.example/2',
        title: 'Two',
        author: null,
        published_date: null,
        text: '<p>Escaped &amp; short</p>',
      },
      { url: null, title: null, author: null, published_date: null, text: '' },
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
})

it('reads OPML, folders and all, each feed once', () => {
  const opml = `<opml version="2.0"><body><outline text="f"><outline type="rss" xmlUrl="https://a.example/f"/><outline xmlUrl="https://b.example/f?a=1&amp;b=2"/></outline><outline xmlUrl="https://a.example/f"/></body></opml>`

  expect(parseOpml(opml)).toEqual(['https://a.example/f', 'https://b.example/f?a=1&b=2'])
  expect(parseOpml(rss)).toBeNull()
})

it('decodes by the answer, then by the document itself', () => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', 'latin1')

  expect(decoded(latin, undefined)).toContain('é')
  expect(decoded(Buffer.from('é'), 'text/xml; charset=utf-8')).toBe('é')
  expect(decoded(Buffer.from('é'), 'text/xml; charset=klingon')).toBe('é')
})
