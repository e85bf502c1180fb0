import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'
import type { FeedFinder, TestedFeed } from '../../ports/feed-finder.ts'

const FEED = 'https://times.example.com/rss.xml'

const aTestedFeed: TestedFeed = {
  ...{ kind: 'feed', url: FEED, format: 'rss', title: 'Times', items: 2, newest_item_at: null, median_characters: 90 },
  sample: [{ title: 'Rain', url: 'https://times.example.com/rain', published_date: Date.UTC(2026, 2, 2) }],
  pages: 'forbidden',
}

let api: TestApi
let key: string
let read: string[]
let reader: FeedFinder
beforeEach(async () => {
  read = []
  reader = {
    find: async (address) => {
      read.push(address)
      return address.includes('times.') ? { kind: 'feed', url: FEED } : { kind: 'none', error: 'HTTP 404' }
    },
    test: async (address) => (address === FEED ? aTestedFeed : { kind: 'none', error: 'HTTP 404' }),
  }
  api = await anApi({ feedFinder: { find: (url) => reader.find(url), test: (url) => reader.test(url) } })
  api.store.rows.set('feeds.health', [])
  key = await api.key({ scopes: ['read', 'sources'] })
})
afterEach(() => api.stop())

const post = async (path: string, body: unknown) => {
  const response = await api.post(path, body, key)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('POST /v1/feeds', () => {
  it('watches the feed of a site whose address is given', async () => {
    const added = await post('/v1/feeds', { url: 'https://times.example.com/' })

    expect([added.status, added.body['url']]).toEqual([201, FEED])
  })

  it('refuses an address that gives no feed', async () => {
    const added = await post('/v1/feeds', { url: 'https://other.example.com/' })

    expect([added.status, added.body['code']]).toEqual([422, 'no_feed_found'])
    expect(added.body['detail']).toContain('HTTP 404')
  })

  it('reads neither an unchecked address nor one that is watched already', async () => {
    await post('/v1/feeds', { url: FEED, unchecked: true })
    const again = await post('/v1/feeds', { url: FEED })

    expect([again.status, read]).toEqual([201, []])
  })
})

describe('POST /v1/feeds/test', () => {
  it('describes the feed and writes nothing', async () => {
    const before = api.log.records('feeds.changed').length
    const { status, body } = await post('/v1/feeds/test', { url: FEED })

    expect(status).toBe(200)
    expect(body).toEqual({
      feed: {
        ...{ url: FEED, format: 'rss', title: 'Times', items: 2, newest_item_at: null, median_characters: 90 },
        sample: [{ title: 'Rain', url: 'https://times.example.com/rain', published_date: '2026-03-02T00:00:00.000Z' }],
        pages: 'forbidden',
      },
      error: null,
    })
    expect(api.log.records('feeds.changed')).toHaveLength(before)
  })

  it('says why an address gives no feed', async () => {
    expect(await post('/v1/feeds/test', { url: 'https://other.example.com/' })).toEqual({
      status: 200,
      body: { feed: null, error: 'HTTP 404' },
    })
  })

  it('reads two feeds of a key at once', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    reader = { ...reader, test: () => held.then(() => aTestedFeed) }
    const running = [post('/v1/feeds/test', { url: FEED }), post('/v1/feeds/test', { url: FEED })]

    const third = await post('/v1/feeds/test', { url: FEED })
    release()

    expect([third.status, third.body['code']]).toEqual([429, 'rate_limited'])
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
  })
})
