import { expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { anInput } from '../../../test/builders/articles.ts'
import { aFeed, aFeedDocument, aPageDocument, aPageItem } from '../../../test/builders/feeds.ts'
import { isEdit, plannedEdit } from '../../domain/feeds/documents.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import type { FeedChanged } from '../../events/sources.ts'
import type { Fetching } from './due-document.ts'
import { ReadPages } from './read-pages.ts'
import { SitePublishers } from './site-publishers.ts'
import { fetching } from './fetching.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const notCalled = (): Promise<never> => Promise.reject(new Error('a paused feed makes no request'))

class BookOf extends FeedBook {
  private readonly only: FeedChanged

  constructor(only: FeedChanged) {
    super()
    this.only = only
  }

  override get(): FeedChanged {
    return this.only
  }
}

/** Looks at a page, or an edit, of a feed that was paused at noon. */
async function lookAfter(ms: number, document = aPageDocument()) {
  const feed = aFeed({ status: 'paused', updated_at: A_NOON })
  const parts: Fetching = {
    feeds: { within: async () => new BookOf(feed) },
    web: { get: notCalled, getAllowed: notCalled },
    extract: notCalled,
    publishers: new SitePublishers(),
    pages: new ReadPages(),
    ...{ publish: notCalled, change: notCalled },
    clock: { now: () => A_NOON + ms },
  }
  const input = anInput(document, { topic: 'documents.fetched', loggedAt: A_NOON })
  const task = { input, since: A_NOON, laneWentWellAt: 0 }
  const { event } = await fetching(parts).attempt(task, new AbortController().signal)
  return { event, outcome: event.outcome, page: event.page, waitMs: (event.next_fetch_at ?? 0) - event.occurred_at }
}

it.each([
  [0, 10 * MINUTE_MS],
  [60 * MINUTE_MS, 60 * MINUTE_MS],
  [9 * DAY_MS, DAY_MS],
])('leaves a page of a feed that was paused %d ms ago due, and looks again after %d ms', async (ms, waitMs) => {
  expect(await lookAfter(ms)).toMatchObject({ outcome: 'paused', page: aPageDocument().page, waitMs })
})

it('leaves an edit of a paused feed due, and an edit', async () => {
  const found = { url: 'https://times.example.com/news/bridge', item: aPageItem() }
  const { event, waitMs } = await lookAfter(0, plannedEdit(found, aFeedDocument(), A_NOON))

  expect([event.outcome, waitMs, isEdit(event)]).toEqual(['paused', 10 * MINUTE_MS, true])
})
