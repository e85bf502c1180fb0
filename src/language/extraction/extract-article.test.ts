import { describe, expect, it } from 'vitest'
import { extractArticle } from './extract-article.ts'
import { MAX_PAGE_CHARS } from './page-tree.ts'

const NOW = Date.UTC(2026, 6, 1)
const URL_OF_PAGE = 'https://www.news.example/2026/flood'

const FIRST =
  'The river rose by two metres on Sunday, and the fire brigade moved forty people from their homes in the old town.'
const SECOND =
  'Nobody was hurt, the mayor said on Monday, but the bridge will be closed until the end of next week for repairs.'
const THIRD =
  'Meteorologists expect less rain from Wednesday, although the ground, they warn, can hold no more water for now.'
const BODY = [FIRST, SECOND, THIRD]
const paragraphs = BODY.map((text) => `<p>${text}</p>`).join('\n')

const aPage = (body: string, head = ''): string =>
  `<!doctype html><html lang="en-GB"><head><title>Flood | News</title>${head}</head><body>
  <nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul></nav>
  <main><article><h1>Flood</h1>${body}</article></main>
  <footer><p>Copyright News Example Ltd. All rights reserved, and a long line of terms of use for everybody.</p></footer></body></html>`

const extract = (html: string) => extractArticle(html, { url: URL_OF_PAGE, now: NOW })
const textOf = (html: string): readonly string[] => extract(html).text.split('\n\n')
const links = ['Storm hits the coast', 'Ten photos of the week', 'Mayor under pressure'].map(
  (t) => `<a href="/x">${t}</a>`,
)

describe('the text of an article', () => {
  it.each([
    ['related links in a box', `${paragraphs}<div class="related-articles"><h3>Related</h3>${links.join('')}</div>`],
    ['related links without a class', `<p>${FIRST}</p><p>${links[0] ?? ''}</p><p>${SECOND}</p><p>${THIRD}</p>`],
    [
      'a list of links at the end',
      `${paragraphs}<h3>More on this story</h3><ul><li>${links.join('</li><li>')}</li></ul>`,
    ],
    [
      'a newsletter prompt',
      `<p>${FIRST}</p><div class="newsletter-signup"><p>Sign up for our newsletter and get the news, every morning, in your inbox.</p></div><p>${SECOND}</p><p>${THIRD}</p>`,
    ],
    ['a prompt as a paragraph', `${paragraphs}<p>Click here to sign up for our daily newsletter.</p>`],
    [
      'captions',
      `<figure><img src="a.jpg"><figcaption>The river on Sunday, seen from the bridge. Photo: Ada Roe</figcaption></figure>${paragraphs}`,
    ],
    ['a caption as a paragraph', `<p>A view of the river. (Photo by Ada Roe/Getty Images)</p>${paragraphs}`],
    [
      'a cookie banner',
      `<div id="cookie-banner"><p>We use cookies to improve your experience, and to show you personal advertisements on this site.</p></div>${paragraphs}`,
    ],
    [
      'share buttons and a time',
      `<div class="share"><button>Share</button> <a href="#">Facebook</a></div><p>Published 3 May 2026, 10:00</p>${paragraphs}`,
    ],
    ['an author biography', `${paragraphs}<p>Ada Roe is a staff reporter for News Example, covering rivers.</p>`],
    [
      'comments',
      `${paragraphs}<section id="comments"><p>I live there, and it was much worse than this article says, believe me, everybody.</p></section>`,
    ],
    ['two line breaks as paragraphs', `<div>${BODY.join('<br><br>')}</div>`],
    ['paragraphs as div', BODY.map((text) => `<div class="text">${text}</div>`).join('')],
    [
      'a split body',
      BODY.map((text) => `<div class="part"><p>${text}</p></div><div class="ad-slot"><p>Buy now!</p></div>`).join(''),
    ],
    [
      'an AMP page',
      `${paragraphs}<amp-sidebar><p>All sections of the site, with all their many names, one after the other.</p></amp-sidebar>`,
    ],
  ])('is without %s', (_, body) => {
    const text = textOf(aPage(body))

    expect(text).toEqual(BODY)
  })

  it('has list items, headings and quotations in their order', () => {
    const text = textOf(
      aPage(`<p>${FIRST}</p><h2>What is closed</h2><ul><li>The old bridge</li><li>Two schools</li></ul>
        <blockquote><p>${SECOND}</p></blockquote><p>${THIRD}</p>`),
    )

    expect(text).toEqual([FIRST, 'What is closed', 'The old bridge', 'Two schools', SECOND, THIRD])
  })

  it('has the rows of a table as lines', () => {
    const text = textOf(
      aPage(
        `${paragraphs}<table><tr><th>Town</th><th>Metres</th></tr><tr><td>Ulm</td><td>2.1</td></tr></table><p>${FIRST.toUpperCase()}</p>`,
      ),
    )

    expect(text.slice(0, 3)).toEqual(BODY)
  })

  it('has every entry of a live blog', () => {
    const entries = Array.from({ length: 12 }, (_, at) => `${SECOND} It was ${at + 1} o'clock then.`)
    const text = textOf(
      aPage(entries.map((entry) => `<div class="entry"><time>10:00</time><p>${entry}</p></div>`).join('')),
    )

    expect(text).toEqual(entries)
  })

  it('keeps a body whose paragraphs are named like parts around it', () => {
    expect(textOf(aPage(BODY.map((text) => `<p class="paywall">${text}</p>`).join('')))).toEqual(BODY)
  })

  it('decodes entities and collapses white space', () => {
    const text = textOf(
      aPage(
        `<p>Smith &amp; Sons&nbsp;said,\n   on Sunday, that the river&#39;s level was &lt;2 metres&gt;, and that it would fall soon.</p>${paragraphs}`,
      ),
    )

    expect(text[0]).toBe(
      "Smith & Sons said, on Sunday, that the river's level was <2 metres>, and that it would fall soon.",
    )
  })

  it('comes from JSON-LD if the page has only its beginning', () => {
    const stated = { '@type': 'NewsArticle', headline: 'Flood', articleBody: BODY.join('\n') }
    const found = extract(
      aPage('<p>Loading…</p>', `<script type="application/ld+json">${JSON.stringify(stated)}</script>`),
    )

    expect(found).toMatchObject({ method: 'json-ld', text: BODY.join('\n\n') })
  })

  it('is empty for a page without text', () => {
    expect(extract('')).toMatchObject({ text: '', method: 'none', title: null })
  })
})

describe('metadata', () => {
  const jsonLd = (fields: object): string =>
    `<script type="application/ld+json">${JSON.stringify({
      '@graph': [
        { '@type': 'WebSite', name: 'News' },
        { '@type': 'NewsArticle', ...fields },
      ],
    })}</script>`

  it('comes from JSON-LD', () => {
    const head = jsonLd({
      headline: 'River &amp; town',
      author: [{ name: 'By Ada Roe' }, { name: 'Bob Poe' }],
      datePublished: '2026-05-03T10:00:00+02:00',
      dateModified: '2026-05-04',
      articleSection: 'Local',
      publisher: { name: 'News Example' },
      isAccessibleForFree: 'False',
    })

    expect(extract(aPage(paragraphs, head))).toMatchObject({
      title: 'River & town',
      author: 'Ada Roe, Bob Poe',
      published_date: '2026-05-03T08:00:00.000Z',
      modified_date: '2026-05-04T00:00:00.000Z',
      section: 'Local',
      publisher: 'News Example',
      language: 'en',
      paywalled: true,
    })
  })

  it('comes from OpenGraph and microdata if there is no JSON-LD', () => {
    const head = '<meta property="og:title" content="River"><meta property="og:site_name" content="News">'
    const body = `<span itemprop="author"><span itemprop="name">Ada Roe</span>, Berlin</span><time itemprop="datePublished" datetime="2026-05-03">May 3</time>`

    expect(extract(aPage(body + paragraphs, head))).toMatchObject({
      title: 'River',
      author: 'Ada Roe',
      published_date: '2026-05-03T00:00:00.000Z',
      publisher: 'News',
      paywalled: false,
    })
  })

  it.each(['2031-01-01', '1970-01-01T00:00:00Z', 'soon', '2026-02-30'])('has no date for %s', (date) => {
    expect(extract(aPage(paragraphs, jsonLd({ datePublished: date }))).published_date).toBeNull()
  })

  it.each([
    ['https://news.example/flood', 'https://news.example/flood'],
    ['/flood', 'https://www.news.example/flood'],
    ['https://www.news.example/', URL_OF_PAGE],
    ['https://other.example/flood', URL_OF_PAGE],
    ['javascript:alert(1)', URL_OF_PAGE],
  ])('takes the canonical address %s as %s', (href, expected) => {
    expect(extract(aPage(paragraphs, `<link rel="canonical" href="${href}">`)).canonical_url).toBe(expected)
  })

  it('ignores broken JSON-LD', () => {
    const page = aPage(paragraphs, '<script type="application/ld+json">{"@type": "NewsArticle",</script>')

    expect(extract(page).text).toBe(BODY.join('\n\n'))
  })
})

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const namedWithin = (depth: number): string => '{"name":'.repeat(depth) + '"Ada Roe"' + '}'.repeat(depth)

describe('hostile pages end within the time of a test', () => {
  it.each([
    ['50 MB of nested elements', () => '<div>'.repeat(10_000_000)],
    ['nested tables', () => '<table><tr><td>'.repeat(300_000)],
    ['100,000 links', () => `<body>${'<a href="/x">A link of some words</a> '.repeat(100_000)}`],
    ['100,000 paragraphs', () => `<body><div>${`<p>${FIRST}</p>`.repeat(100_000)}</div>`],
    ['200,000 line breaks', () => `<body>${'a line of text, long<br><br>'.repeat(200_000)}`],
    ['many nested parts', () => `<body>${('<div class="a">'.repeat(380) + FIRST + '</div>'.repeat(380)).repeat(150)}`],
    ['1,000,000 entities', () => `<p>${'&amp;'.repeat(1_000_000)}`],
    [
      'deeply nested JSON-LD',
      () => `<script type="application/ld+json">{"@type":${nested(200_000)},"headline":${nested(200_000)}}</script>`,
    ],
    [
      'deeply nested authors',
      () => `<script type="application/ld+json">{"@type":"NewsArticle","author":${namedWithin(30_000)}}</script>`,
    ],
    ['nested authors', () => '<i itemprop="author">'.repeat(29_000)],
    ['a long class', () => `<p class="${'ad '.repeat(1_500_000)}">x</p>`],
  ])('%s', (_, make) => {
    expect(extract(make()).text.length).toBeLessThanOrEqual(MAX_PAGE_CHARS)
  })
})
