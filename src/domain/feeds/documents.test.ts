import { describe, expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aFeed, aFeedDocument, aPageItem } from '../../../test/builders/feeds.ts'
import { attempted, hostOf, plannedFeed, plannedPage } from './documents.ts'

const URL_OF_PAGE = 'https://times.example.com/news/bridge'
const place = { topic: 'documents.fetched', partition: 0, offset: 1 }
const aPage = (url = URL_OF_PAGE, item = aPageItem(), feed = aFeed()) =>
  plannedPage({ url, item }, aFeedDocument({}, feed), A_NOON)

describe('a page', () => {
  it('of two feeds is one document', () => {
    const other = aFeed({ feed_id: 'fed_other', url: 'https://other.example.com/feed' })
    const again = aPage(
      `http://www.times.example.com/news/bridge/?utm_source=rss`,
      aPageItem({ text: 'Other.' }),
      other,
    )

    expect([again.document_id, again.event_id]).toEqual([aPage().document_id, aPage().event_id])
  })

  it('with another title, or of another namespace, is another document', () => {
    const ids = [
      aPage(),
      aPage(URL_OF_PAGE, aPageItem({ title: 'Bridge closed' })),
      aPage(URL_OF_PAGE, aPageItem(), aFeed({ namespace: 'acme' })),
    ].map(({ document_id }) => document_id)

    expect(new Set(ids).size).toBe(3)
  })

  it('is in the lane of its own host', () => {
    expect(aPage('https://News.Other.example.com:8443/1').host).toBe('news.other.example.com:8443')
  })
})

describe('a feed', () => {
  it('that is planned again is a duplicate, later too', () => {
    const [first, again] = [plannedFeed(aFeed(), A_NOON), plannedFeed(aFeed(), A_NOON + 60_000)]

    expect([again.document_id, again.event_id, again.attempt]).toEqual([first.document_id, first.event_id, 0])
  })

  it('at another address is another document, which continues from the reading and the attempts of before', () => {
    const before = aFeedDocument({ attempt: 7 })

    const moved = plannedFeed(aFeed({ url: 'https://times.example.com/new.xml' }), A_NOON, before)

    expect(moved.document_id).not.toBe(before.document_id)
    expect(moved).toMatchObject({ attempt: 8, outcome: 'planned', next_fetch_at: A_NOON, feed: before.feed })
  })

  it('that moves back to an address is no duplicate of what it was there', () => {
    const there = attempted({ event: aFeedDocument(), place }, A_NOON, { outcome: 'moved', next_fetch_at: null })
    const back = plannedFeed(aFeed(), A_NOON, aFeedDocument({ attempt: 3 }))

    expect(back.document_id).toBe(there.document_id)
    expect(back.attempt).toBeGreaterThan(there.attempt)
    expect(back.event_id).not.toBe(aFeedDocument().event_id)
  })
})

describe('an attempt', () => {
  it('changes what it says, counts, and names its cause', () => {
    const before = aFeedDocument({ etag: '"1"', detail: 'http_500', status_code: 500 })

    const after = attempted({ event: before, place }, A_NOON + 0.4, { outcome: 'ok', next_fetch_at: A_NOON + 1.6 })

    expect(after).toMatchObject({ attempt: 1, etag: '"1"', detail: null, status_code: null, caused_by: place })
    expect([after.occurred_at, after.next_fetch_at]).toEqual([A_NOON, A_NOON + 2])
  })

  it('that is repeated with the same outcome has the same id', () => {
    const once = (now: number) =>
      attempted({ event: aFeedDocument(), place }, now, { outcome: 'ok', next_fetch_at: now }).event_id

    expect(once(A_NOON)).toBe(once(A_NOON + 1))
  })
})

it('takes the text itself as the host of what is no URL', () => {
  expect(hostOf('not a url')).toBe('not a url')
})
