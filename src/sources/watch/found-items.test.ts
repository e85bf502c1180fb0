import { describe, expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aFeed, aFeedDocument } from '../../../test/builders/feeds.ts'
import type { FeedChanged } from '../../events/sources.ts'
import type { FeedItem } from '../feeds/parsed-feed.ts'
import { foundOf } from './found-items.ts'
import { SitePublishers } from './site-publishers.ts'

const TEXT =
  '<p>The council voted on Tuesday to close the old harbour bridge for two years of <b>costly</b> repairs.</p>'.padEnd(
    140,
    '.',
  )

const anItem = (over: Partial<FeedItem> = {}): FeedItem => ({
  id: '1',
  url: 'https://times.example.com/news/bridge',
  title: 'Harbour bridge to close',
  author: 'Jane Doe',
  published_date: A_NOON,
  updated_date: null,
  language: 'en',
  source: null,
  text: TEXT,
  ...over,
})

const found = (item: FeedItem, over: Partial<FeedChanged> = {}, title = 'Example Times') =>
  foundOf(
    { items: [item], edited: [] },
    {
      poll: aFeedDocument(),
      feed: aFeed(over),
      title,
      publishers: new SitePublishers(),
      now: A_NOON,
    },
  )

describe('an item of a feed whose pages are read', () => {
  it('becomes its page, which carries what the feed says', () => {
    const { documents, articles } = found(anItem())

    expect(articles).toEqual([])
    expect(documents).toMatchObject([
      {
        ...{ url: 'https://times.example.com/news/bridge', outcome: 'planned', next_fetch_at: A_NOON, feed: null },
        page: { published: 0, item: { title: 'Harbour bridge to close', feed_title: 'Example Times', text: TEXT } },
      },
    ])
  })

  it.each([null, 'mailto:desk@times.example.com', '/relative'])('becomes an article where its page is %s', (url) => {
    const { documents, articles } = found(anItem({ url }))

    expect(documents).toEqual([])
    expect(articles).toMatchObject([{ url: null, text_source: 'feed' }])
  })

  it('becomes its page and its new text where it was edited', () => {
    const publishers = new SitePublishers()
    const context = { poll: aFeedDocument(), feed: aFeed(), title: 'Example Times', publishers, now: A_NOON }
    const { documents } = foundOf({ items: [anItem()], edited: [anItem()] }, context)

    expect(documents.map(({ url, detail }) => [url, detail])).toEqual([
      ['https://times.example.com/news/bridge', null],
      ['https://times.example.com/news/bridge', 'edited'],
    ])
  })

  it('carries no text that would make an event too large', () => {
    const { documents } = found(anItem({ text: 'a'.repeat(300_000) }))

    expect(documents[0]?.page?.item.text).toBe('')
  })

  it('keeps its text where only the mark-up is long', () => {
    const image = `<img src="data:image/png;base64,${'A'.repeat(300_000)}">`
    const { documents } = found(anItem({ text: image + TEXT }))

    expect(documents[0]?.page?.item.text).toMatch(/^The council voted .* two years of costly repairs\./)
  })

  it('carries no field that would make an event too large', () => {
    const long = 'Long words '.repeat(2_000_000)
    const { documents } = found(anItem({ title: long, author: long, source: long }), {}, long)
    const { title, author, source, feed_title } = documents[0]?.page?.item ?? {}

    expect([title, author, source, feed_title].map((line) => line?.slice(0, 10))).toEqual(Array(4).fill('Long words'))
    expect(JSON.stringify(documents).length).toBeLessThan(10_000)
  })

  it('loses a page whose address is too long, and becomes an article', () => {
    const { documents, articles } = found(anItem({ url: `https://times.example.com/${'a'.repeat(9_000)}` }))

    expect(documents).toEqual([])
    expect(articles).toMatchObject([{ url: null, text_source: 'feed' }])
  })
})

describe('an item of a feed whose own text is wanted', () => {
  const feed = { full_text: false }

  it('becomes an article of its visible text', () => {
    const { documents, articles } = found(anItem(), feed)

    expect(documents).toEqual([])
    expect(articles).toMatchObject([
      {
        ...{ namespace: 'shared', url: 'https://times.example.com/news/bridge', author: 'Jane Doe' },
        ...{ source: 'Example Times', producer: 'feeds', text_source: 'feed', published_date: A_NOON },
      },
    ])
    expect(articles[0]?.text).toContain('two years of costly repairs')
  })

  it('is from the outlet that the owner, the item, the feed or the address names, in this order', () => {
    const named = anItem({ source: 'Harbour News' })
    const untitled = {
      poll: aFeedDocument(),
      feed: aFeed(feed),
      title: null,
      publishers: new SitePublishers(),
      now: A_NOON,
    }
    const sources = [
      found(named, { ...feed, source: 'The Times' }),
      found(named, feed),
      found(anItem(), feed),
      foundOf({ items: [anItem()], edited: [] }, untitled),
    ].map(({ articles }) => articles[0]?.source)

    expect(sources).toEqual(['The Times', 'Harbour News', 'Example Times', 'times.example.com'])
  })

  it('becomes nothing where its text is too short', () => {
    expect(found(anItem({ text: 'Short.' }), feed)).toEqual({ documents: [], articles: [] })
  })

  it('becomes the same event when it is found again, and another when its text was edited', () => {
    const ids = [anItem(), anItem(), anItem({ text: `${TEXT} Edited.` })].map(
      (item) => found(item, feed).articles[0]?.event_id,
    )

    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false])
  })
})
