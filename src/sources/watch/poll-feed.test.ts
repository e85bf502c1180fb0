import { expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aFeed, aFeedDocument } from '../../../test/builders/feeds.ts'
import type { FeedChanged } from '../../events/sources.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import { pollFeed } from './poll-feed.ts'
import { ReadPages } from './read-pages.ts'
import { SitePublishers } from './site-publishers.ts'

const NEW_URL = 'https://times.example.com/new.xml'
const FEED = '<rss version="2.0"><channel><title>Example Times</title></channel></rss>'
const notCalled = (): Promise<never> => Promise.reject(new Error('no page is requested'))

class BookOf extends FeedBook {
  private readonly listed: readonly FeedChanged[]

  constructor(all: readonly FeedChanged[]) {
    super()
    this.listed = all
  }

  override of(): readonly FeedChanged[] {
    return this.listed
  }
}

/** How many feeds change when one has moved for good. */
async function changesBeside(...others: readonly FeedChanged[]): Promise<number> {
  const feed = aFeed()
  const document = { url: NEW_URL, redirects: [301], status: 200, headers: {}, body: Buffer.from(FEED) }
  const input = { event: aFeedDocument(), place: { topic: 'documents.fetched', partition: 0, offset: 1 } }
  let changes = 0
  await pollFeed(
    { input, feed, signal: new AbortController().signal },
    {
      feeds: { within: async () => new BookOf([feed, ...others]) },
      web: { get: async () => ({ kind: 'answer', document, durationMs: 20 }), getAllowed: notCalled },
      extract: notCalled,
      publishers: new SitePublishers(),
      pages: new ReadPages(),
      publish: () => Promise.resolve(),
      change: async () => {
        changes++
      },
      clock: { now: () => A_NOON },
    },
  )
  return changes
}

it('takes the new address of a feed, unless another feed of the namespace has it', async () => {
  expect(await changesBeside()).toBe(1)
  expect(await changesBeside(aFeed({ feed_id: 'fed_new', url: NEW_URL }))).toBe(0)
})
