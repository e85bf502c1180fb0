import { expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { anInput } from '../../../test/builders/articles.ts'
import { aFeed, aFeedDocument, aPageDocument, aPageItem } from '../../../test/builders/feeds.ts'
import { plannedEdit } from '../../domain/feeds/documents.ts'
import type { ArticleIngested, TextSource } from '../../events/articles.ts'
import type { DocumentFetched } from '../../events/sources.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import type { Fetching } from './due-document.ts'
import { fetching } from './fetching.ts'
import { ReadPages } from './read-pages.ts'
import { SitePublishers } from './site-publishers.ts'

const url = 'https://times.example.com/news/bridge'
const notCalled = (): Promise<never> => Promise.reject(new Error('no page is requested'))
const edit = (text: string): DocumentFetched => plannedEdit({ url, item: aPageItem({ text }) }, aFeedDocument(), A_NOON)
const NEW_TEXT = `${aPageItem().text} <p>On Wednesday the mayor resigned.</p>`

class OneFeed extends FeedBook {
  override get() {
    return aFeed()
  }
}

/** What becomes of a document. `known`: what the text of the page was taken from. */
async function resultOf(event: DocumentFetched, { known = null as TextSource | null, isForbidden = false } = {}) {
  const articles: ArticleIngested[] = []
  const pages = new ReadPages()
  if (known !== null) pages.observe({ namespace: event.namespace, url }, known)
  const parts: Fetching = {
    feeds: { within: async () => new OneFeed() },
    web: {
      get: notCalled,
      getAllowed: async () => ({ kind: 'forbidden', detail: 'robots' }),
      isForbidden: async () => isForbidden,
    },
    extract: notCalled,
    publishers: new SitePublishers(),
    pages,
    publish: async (found) => void articles.push(...found.articles),
    change: notCalled,
    clock: { now: () => A_NOON },
  }
  const effect = fetching(parts)
  const input = anInput(event, { topic: 'documents.fetched', loggedAt: A_NOON })
  const task = { input, since: A_NOON, laneWentWellAt: 0 }
  const result = await effect.attempt(task, new AbortController().signal)
  return { articles, event: result.event, pages }
}

it('publishes the new text of an item whose page gave none, under the same address', async () => {
  const first = await resultOf(aPageDocument())
  const second = await resultOf(edit(NEW_TEXT), { known: first.pages.of({ namespace: 'shared', url }) })

  expect([...first.articles, ...second.articles].map(({ url: at, text_source }) => [at, text_source])).toEqual([
    [url, 'feed'],
    [url, 'feed'],
  ])
  expect(second.articles[0]?.text).toContain('mayor resigned')
  expect(second.event).toMatchObject({ outcome: 'refused', detail: 'edited', next_fetch_at: null })
})

it('publishes the new text of a page that robots.txt forbids after a restart, too', async () => {
  const { articles } = await resultOf(edit(NEW_TEXT), { isForbidden: true })

  expect(articles).toHaveLength(1)
})

it.each([['page' as const], [null]])('never replaces what a page gave (%s)', async (known) => {
  const { articles, event } = await resultOf(edit(NEW_TEXT), { known })

  expect(articles).toEqual([])
  expect(event).toMatchObject({ outcome: 'cancelled', next_fetch_at: null })
})

it('is one document for each text, and another than the page', () => {
  const ids = [NEW_TEXT, NEW_TEXT, `${NEW_TEXT} <p>More.</p>`].map((text) => edit(text).document_id)

  expect(new Set([...ids, aPageDocument().document_id]).size).toBe(3)
})
