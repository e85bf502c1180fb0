import { describe, expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aFeedDocument } from '../../../test/builders/feeds.ts'
import { attempted } from '../../domain/feeds/documents.ts'
import type { DocumentFetched } from '../../events/sources.ts'
import { parseFeed } from '../feeds/parse-feed.ts'
import type { ParsedFeed } from '../feeds/parsed-feed.ts'
import { pollResult, type FeedPollResult } from './poll-result.ts'
import type { WebAnswer } from './web.ts'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
const URL_OF_FEED = 'https://times.example.com/rss.xml'
const place = { topic: 'documents.fetched', partition: 0, offset: 1 }

interface Answered {
  readonly status?: number
  readonly url?: string
  readonly redirects?: readonly number[]
  readonly headers?: Readonly<Record<string, string>>
}

const answered = ({ status = 200, url = URL_OF_FEED, redirects = [], headers = {} }: Answered = {}): WebAnswer => ({
  kind: 'answer',
  document: { url, redirects, status, headers, body: Buffer.alloc(0) },
  durationMs: 20,
})

/** A feed with these items; a number after a colon is the edition of its text. */
const listing = (...items: readonly string[]) =>
  parseFeed(
    `<rss version="2.0"><channel><title>Example Times</title>${items
      .map((item) => item.split(':'))
      .map(
        ([id, edition]) =>
          `<item><guid>${id}</guid><title>On ${id}</title><description>${edition}</description></item>`,
      )
      .join('')}</channel></rss>`,
  )

const NO_ITEMS: ParsedFeed = {
  ...{ format: 'rss', title: null, site: null, language: null, ttl_seconds: null },
  ...{ items: [], sitemaps: [] },
}

type Polled = Partial<Parameters<typeof pollResult>[1]>

const poll = (event: DocumentFetched, polled: Polled = {}, now = A_NOON): FeedPollResult =>
  pollResult({ event, place }, { answer: answered(), parsed: null, isComplete: true, now, ...polled })

/** Polls in turn, each when it is due. */
function polls(each: readonly Polled[], first = aFeedDocument()) {
  let event = first
  const results: FeedPollResult[] = []
  for (const one of each) {
    const now = event.next_fetch_at ?? Infinity
    const result = poll(event, one, now)
    results.push(result)
    event = attempted({ event, place }, now, result.change)
  }
  return { results, event, ids: results.map(({ items }) => items.map(({ id }) => id)) }
}

it('keeps no title of a feed that would make an event too large', () => {
  const { change } = poll(aFeedDocument(), { parsed: { ...NO_ITEMS, title: 'Long words '.repeat(2_000_000) } })

  expect(change.feed?.title).toMatch(/^Long words /)
  expect(change.feed?.title?.length).toBeLessThanOrEqual(1_000)
})

describe('the items of a poll', () => {
  it('are those that are new or edited', () => {
    const { ids, event } = polls([
      { parsed: listing('a:1', 'b:1') },
      { parsed: listing('a:1', 'b:1', 'c:1') },
      { parsed: listing('a:2', 'b:1', 'c:1') },
      { parsed: listing('a:2', 'b:1', 'c:1') },
    ])

    expect(ids).toEqual([['a', 'b'], ['c'], ['a'], []])
    expect(event).toMatchObject({ outcome: 'ok', feed: { format: 'rss', title: 'Example Times', items: 3 } })
  })

  it('are published with five edits', () => {
    const { ids } = polls(Array.from({ length: 10 }, (_, edition) => ({ parsed: listing(`a:${edition}`) })))

    expect(ids.flat()).toHaveLength(6)
  })
})

it('counts as the first poll until the whole feed was read once', () => {
  const many = listing(...Array.from({ length: 150 }, (_, n) => `${n}:1`))
  const { ids, event } = polls([
    { parsed: listing('0:1'), isComplete: false },
    { parsed: many },
    { parsed: listing('new:1'), isComplete: false },
  ])

  expect(ids.map(({ length }) => length)).toEqual([1, 100, 1])
  expect(event.feed?.format).toBe('rss')
})

describe('a poll without a document', () => {
  it.each([
    ['304', { answer: answered({ status: 304 }) }],
    ['503', { answer: answered({ status: 503 }) }],
    ['a page instead of a feed', { parsed: 'not_a_feed' }],
    ['no answer', { answer: { kind: 'no_answer', detail: 'timeout' } }],
  ] satisfies readonly (readonly [string, Polled])[])('carries everything on: %s', (_, without) => {
    const read = { parsed: listing('a:1', 'b:1'), answer: answered({ headers: { etag: '"1"' } }) }

    const { ids, event } = polls([read, without, without, { parsed: listing('a:1', 'b:1', 'c:1') }])
    const between = polls([read, without])

    expect(ids).toEqual([['a', 'b'], [], [], ['c']])
    expect(between.event).toMatchObject({ etag: '"1"', feed: { items: 2, new_items: 0, format: 'rss' } })
    expect(event.failures).toBe(0)
  })

  it.each([
    [answered({ status: 500 }), 'failed', 'http_500'],
    [answered({ status: 429 }), 'limited', 'http_429'],
    [answered({ status: 403 }), 'refused', 'http_403'],
    [{ kind: 'forbidden', detail: 'address' }, 'failed', 'address'],
  ] satisfies readonly (readonly [WebAnswer, string, string])[])('says why: %j', (answer, outcome, detail) => {
    expect(poll(aFeedDocument(), { answer }).change).toMatchObject({ outcome, detail, failures: 1 })
  })

  it('waits as long as the server asks', () => {
    const answer = answered({ status: 429, headers: { 'retry-after': '7200' } })

    expect(poll(aFeedDocument(), { answer }).change.next_fetch_at).toBeGreaterThanOrEqual(A_NOON + 120 * MINUTE_MS)
  })
})

describe('the validators', () => {
  it('are those of the newest document', () => {
    const documents = [{ etag: '"1"' }, { 'last-modified': 'Tue, 03 May 2016 12:00:00 GMT' }]
    const { event } = polls(documents.map((headers) => ({ parsed: listing('a:1'), answer: answered({ headers }) })))

    expect(event).toMatchObject({ etag: null, last_modified: 'Tue, 03 May 2016 12:00:00 GMT' })
  })

  it('are not kept where a part of the feed is missing', () => {
    const answer = answered({ headers: { etag: '"1"' } })

    expect(poll(aFeedDocument(), { parsed: listing('a:1'), answer, isComplete: false }).change.etag).toBeNull()
  })

  it('of a sitemap index are not kept: the documents that it names change without it', () => {
    const index = { ...NO_ITEMS, format: 'sitemap-index' as const }
    const answer = answered({ headers: { etag: '"1"', 'last-modified': 'Tue, 03 May 2016 12:00:00 GMT' } })
    const { event } = polls([{ parsed: index, answer }])
    const unchanged = poll({ ...event, etag: '"1"' }, { answer: answered({ status: 304 }) })

    expect(event).toMatchObject({ etag: null, last_modified: null })
    expect(unchanged.change).toMatchObject({ etag: null, last_modified: null })
  })
})

describe('a feed that moves', () => {
  const moved = { url: 'https://times.example.com/new.xml', redirects: [301] }

  it('is polled at the new address, also if it has nothing new there', () => {
    const read = poll(aFeedDocument(), { parsed: listing('a:1'), answer: answered(moved) })
    const unchanged = poll(aFeedDocument(), { answer: answered({ ...moved, status: 304 }) })

    expect([read.movedTo, unchanged.movedTo]).toEqual([moved.url, moved.url])
  })

  it.each(['https://user:secret@times.example.com/new.xml', `https://times.example.com/${'x'.repeat(2_048)}`])(
    'stays where it is if the new address cannot be watched: %s',
    (url) => {
      const { movedTo, change } = poll(aFeedDocument(), { parsed: listing('a:1'), answer: answered({ ...moved, url }) })

      expect([movedTo, change.outcome]).toEqual([null, 'ok'])
    },
  )

  it('stays where it is if a redirect is temporary, or leads to no feed', () => {
    const temporary = { ...moved, redirects: [301, 302] }

    expect(poll(aFeedDocument(), { parsed: listing('a:1'), answer: answered(temporary) }).movedTo).toBeNull()
    expect(poll(aFeedDocument(), { parsed: 'not_a_feed', answer: answered(moved) }).movedTo).toBeNull()
  })
})

describe('a feed that ends', () => {
  it('is gone after 410', () => {
    const { ended, change } = poll(aFeedDocument(), { answer: answered({ status: 410 }) })

    expect([ended, change.outcome, change.next_fetch_at]).toEqual(['gone', 'gone', null])
  })

  it('is gone after 404 for two weeks, and polled ever more seldom until then', () => {
    const missing = { answer: answered({ status: 404 }) }
    let event = aFeedDocument()
    let count = 0
    let ended: FeedPollResult['ended'] = null
    while (ended === null && event.next_fetch_at !== null && count < 1_000) {
      const now = event.next_fetch_at
      const result = poll(event, missing, now)
      ended = result.ended
      event = attempted({ event, place }, now, result.change)
      count++
    }

    expect([ended, event.outcome]).toEqual(['not_found', 'gone'])
    expect((event.occurred_at - A_NOON) / DAY_MS).toBeGreaterThanOrEqual(14)
    expect((event.occurred_at - A_NOON) / DAY_MS).toBeLessThan(15.5)
    expect(count).toBeLessThan(25)
  })

  it('is not gone if it was found in between', () => {
    const missing = { answer: answered({ status: 404 }) }
    const { event } = polls([missing, { parsed: listing('a:1') }])

    expect(event.feed?.not_found_since).toBeNull()
  })
})
