import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { robotsRules, sitemapsIn } from './robots-rules.ts'

const BOT = 'story-bot'
const rulesOf = (text: string) => robotsRules({ text, status: 200 }, BOT)

describe('robotsRules', () => {
  it.each([
    [200, true],
    [301, true],
    [404, true],
    [403, true],
    [500, false],
    [503, false],
    [null, false],
  ])('with status %j allows everything: %j', (status, allowed) => {
    expect(robotsRules({ text: null, status }, BOT).allows('/x')).toBe(allowed)
  })

  it('reads no rules in an error page', () => {
    expect(robotsRules({ text: 'User-agent: *\nDisallow: /', status: 404 }, BOT).allows('/x')).toBe(true)
  })

  it('applies the groups of the crawler, otherwise those of all crawlers', () => {
    const text = `User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Story-Bot/2.0\nDisallow: /a\n
      User-agent: story-bot-images\nDisallow: /b\nUser-agent: story-bot\nDisallow: /c`

    expect(['/a', '/b', '/c', '/d'].map((path) => rulesOf(text).allows(path))).toEqual([false, true, false, true])
    expect(robotsRules({ text, status: 200 }, 'third').allows('/d')).toBe(false)
  })

  it('lets the longest pattern decide, and allow at equal length', () => {
    const { allows } = rulesOf('User-agent: *\nDisallow: /news\nAllow: /news/public\nDisallow: /x\nAllow: /x')

    expect(['/news/1', '/news/public/1', '/x/1', '/'].map(allows)).toEqual([false, true, true, true])
  })

  it('matches wildcards and the end of the path', () => {
    const { allows } = rulesOf('User-agent: *\nDisallow: /*.gif$\nDisallow: /p*/secret\nDisallow: /exact$')

    expect(['/a.gif', '/a.gif?x', '/a.gif.gif'].map(allows)).toEqual([false, true, false])
    expect(['/public/secret/1', '/p/secret', '/secret'].map(allows)).toEqual([false, false, true])
    expect(['/exact', '/exactly'].map(allows)).toEqual([false, true])
    expect(rulesOf('User-agent: *\nDisallow: /a*a$').allows('/a')).toBe(true)
  })

  it('compares percent-encoded paths in one form', () => {
    const { allows } = rulesOf('User-agent: *\nDisallow: /caf%c3%A9\nDisallow: /%7Ejoe\nDisallow: /ö')

    expect(['/café', '/caf%C3%a9', '/~joe', '/%c3%b6', '/cafe'].map(allows)).toEqual([false, false, false, false, true])
  })

  it('ignores comments, empty rules, rules before a group and unknown lines', () => {
    const text = `\ufeffDisallow: /\nUser-agent: a # one\nSitemap: https://a.example/s.xml\nUser-agent: story-bot\nnonsense
      Host: a.example\nDisallow:\nDisallow: /x # comment`

    expect(rulesOf(text).allows('/y')).toBe(true)
    expect(rulesOf(text).allows('/x')).toBe(false)
    expect(rulesOf('User-agent: *\nDisallow: /').allows('/robots.txt')).toBe(true)
  })

  it('reads Crawl-delay and Sitemap', () => {
    expect(rulesOf('User-agent: *\nCrawl-delay: 2.5\nSitemap: /s.xml')).toMatchObject({
      crawlDelaySeconds: 2.5,
      sitemaps: ['/s.xml'],
    })
    expect(rulesOf('User-agent: *\nCrawl-delay: soon\nDisallow: /').crawlDelaySeconds).toBeNull()
    expect(rulesOf('').crawlDelaySeconds).toBeNull()
  })

  it('reads the first 500 KiB', () => {
    const text = `User-agent: *\nDisallow: /a\n${'#'.repeat(500 * 1024)}\nDisallow: /b`

    expect(['/a', '/b'].map(rulesOf(text).allows)).toEqual([false, true])
  })

  it('matches patterns like a regular expression', () => {
    const piece = fc.constantFrom('a', 'b', '*', '/')
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), fc.array(fc.constantFrom('a', 'b', '/')), (pieces, end, path) => {
        const pattern = `/${pieces.join('')}`
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}${end ? '$' : ''}`).test(`/${path.join('')}`)

        const { allows } = rulesOf(`User-agent: *\nDisallow: ${pattern}${end ? '$' : ''}`)
        expect(allows(`/${path.join('')}`)).toBe(!expected)
      }),
    )
  })
})

it('lists the sitemaps of robots.txt, then the common paths', () => {
  const text = 'Sitemap: https://b.example/news.xml\nsitemap: /sitemap.xml\nSitemap: ftp://x/y\nSitemap:\nDisallow: /'

  expect(sitemapsIn(text, 'https://a.example/some/page')).toEqual([
    'https://b.example/news.xml',
    'https://a.example/sitemap.xml',
    'https://a.example/sitemap_news.xml',
    'https://a.example/news-sitemap.xml',
  ])
  expect(sitemapsIn(null, 'https://a.example')).toHaveLength(3)
  expect(sitemapsIn(null, 'nonsense')).toEqual([])
})
