import { describe, expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { anInput } from '../../../test/builders/articles.ts'
import { aFeed, aFeedDocument, aPageItem } from '../../../test/builders/feeds.ts'
import { plannedEdit, plannedPage } from '../../domain/feeds/documents.ts'
import type { ArticleIngested } from '../../events/articles.ts'
import type { DocumentFetched } from '../../events/sources.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import { extractPage } from '../pages/extract-page.ts'
import type { Fetching } from './due-document.ts'
import { fetching } from './fetching.ts'
import { ReadPages } from './read-pages.ts'
import { SitePublishers } from './site-publishers.ts'
import type { WebAnswer } from './web.ts'

const HOUR_MS = 3_600_000
const url = 'https://times.example.com/news/bridge?page=1'
const ADDRESS = 'https://times.example.com/news/bridge'

class OneFeed extends FeedBook {
  override get() {
    return aFeed()
  }
}

const notCalled = (): Promise<never> => Promise.reject(new Error('no feed is polled'))

const answered = (status: number, body = ''): WebAnswer => ({
  kind: 'answer',
  document: { url, redirects: [], status, headers: { 'content-type': 'text/html' }, body: Buffer.from(body) },
  durationMs: 20,
})

const FORBIDDEN: WebAnswer = { kind: 'forbidden', detail: 'robots' }

/** The page, whose canonical address is not the one that the feed lists. */
const pageAs = (edition: number): WebAnswer =>
  answered(
    200,
    `<html><head><title>Harbour bridge to close</title><link rel="canonical" href="${ADDRESS}"></head><body><article>` +
      '<p>The mayor of Porthaven resigned on Wednesday, two days after the council voted to close the harbour bridge.</p>' +
      '<p>Engineers had found cracks in four of its twelve arches during an inspection last autumn, her office said.</p>' +
      `<p>Traffic will be sent over the northern crossing. This is edition ${edition} of the report.</p>` +
      '</article></body></html>',
  )

/** The newest title of the item is of this edition. */
const itemAs = (edition: number, { text } = aPageItem()) => ({
  url,
  item: aPageItem({ text, title: `Harbour bridge to close: edition ${edition}` }),
})
const retitled = (edition: number): DocumentFetched => plannedPage(itemAs(edition), aFeedDocument(), A_NOON)

/** Processes that attempt documents one after another, and the log that they share. */
function aWorld() {
  const log: DocumentFetched[] = []
  const articles: ArticleIngested[] = []
  const seen = { now: A_NOON, requests: 0 }
  const started = () => {
    let answer = pageAs(0)
    const parts: Fetching = {
      feeds: { within: async () => new OneFeed() },
      web: {
        get: notCalled,
        getAllowed: async () => {
          seen.requests++
          return answer
        },
      },
      extract: async (page) => extractPage(page),
      publishers: new SitePublishers(),
      pages: new ReadPages(),
      publish: async (found) => void articles.push(...found.articles),
      change: notCalled,
      clock: { now: () => seen.now },
    }
    const effect = fetching(parts)
    for (const event of log) effect.state?.observe(event)
    return async (document: DocumentFetched, given: WebAnswer) => {
      answer = given
      const input = anInput(document, { topic: 'documents.fetched', loggedAt: seen.now })
      const { event } = await effect.attempt({ input, since: null, laneWentWellAt: 0 }, new AbortController().signal)
      log.push(event)
      return event
    }
  }
  const texts = (): number => new Set(articles.map(({ event_id }) => event_id)).size
  const addresses = (): ReadonlySet<string | null> => new Set(articles.map((article) => article.url))
  return { seen, articles, started, texts, addresses }
}

describe('an item that gets new titles', () => {
  it.each([
    ['in one process', false],
    ['in a process that is started again before each', true],
  ])('has a first text and at most five revisions of its page, %s', async (_, isRestarted) => {
    const { seen, started, texts } = aWorld()
    let attempt = started()
    let last: DocumentFetched | null = null
    for (let edition = 0; edition < 12; edition++) {
      if (isRestarted) attempt = started()
      last = await attempt(retitled(edition), pageAs(edition))
      seen.now += HOUR_MS
    }

    expect(texts()).toBe(6)
    expect(last).toMatchObject({ outcome: 'cancelled', detail: 'most_revisions', next_fetch_at: null })
    expect(seen.requests).toBe(6)
  })

  it('counts the looks at documents of earlier titles', async () => {
    const { seen, started, texts } = aWorld()
    const attempt = started()
    let first = await attempt(retitled(0), pageAs(0))
    for (let edition = 1; edition < 12; edition += 2) {
      seen.now += HOUR_MS
      await attempt(retitled(edition), pageAs(edition))
      if (first.next_fetch_at !== null) first = await attempt(first, pageAs(edition + 1))
    }

    expect(texts()).toBe(6)
  })

  it('publishes nothing where only the title in the feed is another', async () => {
    const { started, texts } = aWorld()
    const attempt = started()
    await attempt(retitled(0), pageAs(0))
    const { outcome } = await attempt(retitled(1), pageAs(0))

    expect([texts(), outcome]).toEqual([1, 'unchanged'])
  })

  it.each([
    ['in one process', false],
    ['after a restart', true],
  ])('stays one article where its page cannot be read any more, %s', async (_, isRestarted) => {
    const { started, articles, addresses } = aWorld()
    const before = started()
    await before(retitled(0), pageAs(0))
    const attempt = isRestarted ? started() : before
    let second = retitled(1)
    for (let i = 0; i < 3; i++) second = await attempt(second, answered(500))

    expect([...addresses()]).toEqual([ADDRESS])
    expect(articles.map(({ text_source }) => text_source)).toEqual(['page'])
    expect(second).toMatchObject({ outcome: 'failed', page: { article_url: ADDRESS, published: 1 } })
  })

  it('stays one article where its page can be read only now', async () => {
    const { started, articles, addresses } = aWorld()
    const attempt = started()
    await attempt(retitled(0), FORBIDDEN)
    await attempt(retitled(1), pageAs(1))

    expect([...addresses()]).toEqual([url])
    expect(articles.map(({ text_source }) => text_source)).toEqual(['feed', 'page'])
  })

  it('publishes the new text of the feed where the page gave none', async () => {
    const { started, articles, addresses } = aWorld()
    const attempt = started()
    const edited = itemAs(1, aPageItem({ text: `${aPageItem().text} Edited.` }))
    await attempt(retitled(0), FORBIDDEN)
    await attempt(plannedPage(edited, aFeedDocument(), A_NOON), FORBIDDEN)

    expect(articles.map(({ title }) => title?.slice(-9))).toEqual(['edition 0', 'edition 1'])
    expect([...addresses()]).toEqual([url])
  })
})

it('counts the edited texts of an item with those of its page', async () => {
  const { started, texts } = aWorld()
  const attempt = started()
  for (let edition = 0; edition < 5; edition++) {
    const found = (text: string) => itemAs(edition, aPageItem({ text: `${aPageItem().text} ${text} ${edition}.` }))
    await attempt(plannedPage(found('Update'), aFeedDocument(), A_NOON), FORBIDDEN)
    await attempt(plannedEdit(found('Correction'), aFeedDocument(), A_NOON), FORBIDDEN)
  }

  expect(texts()).toBe(6)
})
