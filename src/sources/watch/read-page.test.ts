import { expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { anInput } from '../../../test/builders/articles.ts'
import { aFeed, aPageDocument } from '../../../test/builders/feeds.ts'
import type { ArticleIngested } from '../../events/articles.ts'
import { extractPage, type PageExtraction, type PageExtractor } from '../pages/extract-page.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import type { Fetching } from './due-document.ts'
import { readPage } from './read-page.ts'
import { ReadPages } from './read-pages.ts'
import { SitePublishers } from './site-publishers.ts'

const notCalled = (): Promise<never> => Promise.reject(new Error('only the page is requested'))
const TEXT = `<p>${'The council voted on Tuesday to close the old harbour bridge for repairs. '.repeat(5)}</p>`

/** Reads a page whose article is extracted as given. */
async function reading(extract: PageExtractor['extract'], signal = new AbortController().signal) {
  const articles: ArticleIngested[] = []
  const event = aPageDocument()
  const document = { url: event.url, redirects: [], status: 200, headers: { 'content-type': 'text/html' } }
  const answer = { kind: 'answer' as const, document: { ...document, body: Buffer.from(TEXT) }, durationMs: 1 }
  const parts: Fetching = {
    feeds: { within: async () => new FeedBook() },
    web: { get: notCalled, getAllowed: async () => answer },
    extract,
    publishers: new SitePublishers(),
    pages: new ReadPages(),
    publish: async (found) => void articles.push(...found.articles),
    change: notCalled,
    clock: { now: () => A_NOON },
  }
  const input = anInput(event, { topic: 'documents.fetched', loggedAt: A_NOON })
  const read = await readPage({ input, feed: aFeed(), signal }, parts).catch((cause: unknown) => cause)
  return { read, sources: articles.map(({ text_source }) => text_source) }
}

const failed: PageExtraction = { kind: 'skipped', reason: 'extraction_failed' }

it('publishes the text of the page', async () => {
  const { read, sources } = await reading(async (page) => extractPage(page))

  expect(read).toMatchObject({ outcome: 'ok', page: { text_source: 'page' } })
  expect(sources).toEqual(['page'])
})

it('publishes the text of the feed, and ends, where the extraction fails', async () => {
  const { read, sources } = await reading(async () => failed)

  expect(read).toMatchObject({ outcome: 'failed', detail: 'extraction_failed', next_fetch_at: null })
  expect(sources).toEqual(['feed'])
})

it('publishes nothing where the extraction ends because the process stops', async () => {
  const stopping = new AbortController()
  const { read, sources } = await reading(async () => {
    stopping.abort()
    return failed
  }, stopping.signal)

  expect(read).toMatchObject({ name: 'AbortError' })
  expect(sources).toEqual([])
})
