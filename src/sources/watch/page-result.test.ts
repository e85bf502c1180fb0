import { describe, expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aPageDocument, aPageItem } from '../../../test/builders/feeds.ts'
import { attempted } from '../../domain/feeds/documents.ts'
import type { DocumentFetched } from '../../events/sources.ts'
import type { ExtractedArticle } from '../../language/extraction/extract-article.ts'
import { pageResult, type PageAnswer, type PageResult } from './page-result.ts'

const HOUR_MS = 3_600_000
const TEXT =
  'The council voted on Tuesday to close the old harbour bridge for two years.\n\n' +
  'Engineers had found cracks in four of its twelve steel arches during an inspection last autumn, the mayor said. ' +
  'Traffic will be sent over the northern crossing, where queues are expected in the morning.'

const anArticle = (over: Partial<ExtractedArticle> = {}): ExtractedArticle => ({
  title: 'Harbour bridge to close for two years',
  text: TEXT,
  author: 'Jane Doe',
  published_date: '2016-05-03T10:00:00.000Z',
  modified_date: null,
  section: null,
  canonical_url: null,
  language: 'en',
  publisher: 'Example Times',
  paywalled: false,
  method: 'json-ld',
  ...over,
})
const aPage = (over: Partial<ExtractedArticle> = {}): PageAnswer => ({
  kind: 'page',
  url: 'https://times.example.com/news/bridge',
  article: anArticle(over),
})
const failed: PageAnswer = { kind: 'failed', outcome: 'failed', detail: 'http_500', retryAfterMs: 0 }
const refused: PageAnswer = { kind: 'refused', outcome: 'refused', detail: 'robots' }

const place = { topic: 'documents.fetched', partition: 0, offset: 1 }
const resultOf = (event: DocumentFetched, answer: PageAnswer, now = A_NOON): PageResult =>
  pageResult({ event, place }, answer, { source: null, site: null, now })

/** Looks at a page when it is due, once for each answer; returns the texts that were published and the last event. */
function looks(answers: readonly PageAnswer[], first = aPageDocument()) {
  let event = first
  const articles: NonNullable<PageResult['article']>[] = []
  const times: number[] = []
  for (const answer of answers) {
    if (event.next_fetch_at === null) break
    const now = event.next_fetch_at
    times.push(now - A_NOON)
    const { change, article } = resultOf(event, answer, now)
    if (article !== null) articles.push(article)
    event = attempted({ event, place }, now, change)
  }
  return { articles, event, times }
}

describe('a page that can be read', () => {
  it('is the article, with what the page says and otherwise what the feed says', () => {
    const { article } = resultOf(aPageDocument(), aPage({ author: null, published_date: null }))

    expect(article).toEqual({
      url: 'https://times.example.com/news/bridge',
      title: 'Harbour bridge to close for two years',
      source: 'Example Times',
      author: null,
      published_date: A_NOON - HOUR_MS,
      text: TEXT,
      text_source: 'page',
    })
  })

  it('is read again after an hour, a day and a week, and published again only if its text changed', () => {
    const edited = aPage({ text: `${TEXT} The mayor resigned on Wednesday.` })
    const spaced = aPage({ text: TEXT.replaceAll(' ', '  ') })

    const { articles, event, times } = looks([aPage(), spaced, edited, edited, edited])

    expect(times).toEqual([0, HOUR_MS, 24 * HOUR_MS, 168 * HOUR_MS])
    expect(articles.map(({ text }) => text.length)).toEqual([TEXT.length, TEXT.length + 33])
    expect(event).toMatchObject({ next_fetch_at: null, outcome: 'unchanged', page: { published: 2 } })
  })

  it('keeps the address of its first text for all revisions', () => {
    const moved = aPage({ canonical_url: 'https://times.example.com/other', text: `${TEXT} More was said later.` })

    const { articles } = looks([aPage(), moved])

    expect(new Set(articles.map(({ url }) => url)).size).toBe(1)
  })

  it('gives way to the text of the feed where that is much longer', () => {
    const long = aPageDocument({}, aPageItem({ text: `${TEXT} `.repeat(3) }))

    expect(resultOf(long, aPage()).article).toMatchObject({ text_source: 'feed' })
  })
})

it('does not replace the longer text of the feed at a later look either', () => {
  const long = aPageDocument({}, aPageItem({ text: `${TEXT} `.repeat(3) }))

  const { articles } = looks([aPage(), aPage(), aPage({ text: `${TEXT} `.repeat(4) })], long)

  expect(articles.map(({ text_source }) => text_source)).toEqual(['feed', 'page'])
})

describe('a page that cannot be read', () => {
  it('is tried three times within a quarter of an hour, then the text of the feed is published', () => {
    const { articles, times, event } = looks([failed, failed, failed])

    expect(times).toEqual([0, 60_000, 660_000])
    expect(articles).toMatchObject([{ text_source: 'feed', source: 'Example Times' }])
    expect(event).toMatchObject({ outcome: 'failed', detail: 'http_500', page: { text_source: 'feed', published: 1 } })
  })

  it('is replaced by its page once a later look succeeds', () => {
    const { articles } = looks([failed, failed, failed, aPage()])

    expect(articles.map(({ text_source }) => text_source)).toEqual(['feed', 'page'])
    expect(new Set(articles.map(({ url }) => url)).size).toBe(1)
  })

  it('is not requested again where it is forbidden, and the text of the feed is published at once', () => {
    const { articles, event } = looks([refused])

    expect(articles).toMatchObject([{ text_source: 'feed' }])
    expect(event).toMatchObject({ outcome: 'refused', detail: 'robots', next_fetch_at: null })
  })

  it.each(['http_401', 'http_403', 'http_404'])(
    'is tried three times after %s where the feed has too little text, so that it is not lost',
    (detail) => {
      const short = aPageDocument({}, aPageItem({ text: 'Short.' }))
      const missing: PageAnswer = { kind: 'refused', outcome: 'gone', detail }
      const lost = looks([missing, missing, missing, missing], short)

      expect(looks([missing, aPage()], short).articles).toMatchObject([{ text_source: 'page' }])
      expect(lost.times).toEqual([0, 60_000, 660_000])
      expect(lost.event).toMatchObject({ outcome: 'gone', detail, next_fetch_at: null })
      expect(looks([missing]).event.next_fetch_at).toBeNull()
    },
  )

  it.each(['robots', 'http_410'])('is not requested again after %s, whatever the feed has', (detail) => {
    const short = aPageDocument({}, aPageItem({ text: 'Short.' }))

    expect(looks([{ ...refused, detail }], short).event.next_fetch_at).toBeNull()
  })

  it('waits as long as the server asks, an hour at most', () => {
    const slow: PageAnswer = { kind: 'failed', outcome: 'limited', detail: 'http_429', retryAfterMs: 86_400_000 }

    expect(resultOf(aPageDocument(), slow).change.next_fetch_at).toBe(A_NOON + HOUR_MS)
  })

  it('gives no article where the feed has too little text either, and says why', () => {
    const { articles, event } = looks([aPage({ text: 'Subscribe.' })], aPageDocument({}, aPageItem({ text: 'Short.' })))

    expect(articles).toEqual([])
    expect(event).toMatchObject({ outcome: 'not_an_article', detail: 'text_too_short', page: { published: 0 } })
  })
})

it('publishes a first text and at most five revisions', () => {
  const edits = Array.from({ length: 20 }, (_, i) => aPage({ text: `${TEXT} Edited ${i} times since the morning.` }))
  let event = aPageDocument()
  let published = 0
  for (const [i, answer] of edits.entries()) {
    if (event.next_fetch_at === null) break
    const { change, article } = resultOf(event, answer, A_NOON + i * 60_000)
    if (article !== null) published++
    event = attempted({ event, place }, A_NOON + i * 60_000, change)
  }

  expect(published).toBe(6)
  expect(event.next_fetch_at).toBeNull()
})
