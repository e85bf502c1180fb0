import { describe, expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { anInput } from '../../../test/builders/articles.ts'
import { aFeed, aFeedDocument, aPageDocument, aPageItem } from '../../../test/builders/feeds.ts'
import { plannedEdit, unreadPage } from '../../domain/feeds/documents.ts'
import type { ArticleIngested, TextSource } from '../../events/articles.ts'
import type { DocumentFetched } from '../../events/sources.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import { extractPage } from '../pages/extract-page.ts'
import type { Fetching } from './due-document.ts'
import { fetching } from './fetching.ts'
import { ReadPages } from './read-pages.ts'
import { SitePublishers } from './site-publishers.ts'
import type { WebAnswer } from './web.ts'

const url = 'https://times.example.com/news/bridge'
const notCalled = (): Promise<never> => Promise.reject(new Error('no page is requested'))
const edit = (text: string): DocumentFetched => plannedEdit({ url, item: aPageItem({ text }) }, aFeedDocument(), A_NOON)
const NEW_TEXT = `${aPageItem().text} <p>On Wednesday the mayor resigned.</p>`

class OneFeed extends FeedBook {
  override get() {
    return aFeed()
  }
}

const FORBIDDEN: WebAnswer = { kind: 'forbidden', detail: 'robots' }
const answered = (status: number, body = ''): WebAnswer => ({
  kind: 'answer',
  document: { url, redirects: [], status, headers: {}, body: Buffer.from(body) },
  durationMs: 20,
})

const pageOf = (paragraphs: readonly string[]): string =>
  '<html><head><title>Mayor resigns over bridge</title></head><body><article><h1>Mayor resigns over bridge</h1>' +
  `${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article></body></html>`

interface Before {
  /** What the text of the page was taken from, if it was published. */
  readonly known?: TextSource | null
  readonly answer?: WebAnswer
}

/** The page, after its text was published. */
function publishedFrom(text_source: TextSource): DocumentFetched {
  const page = { ...unreadPage(aPageItem()), article_url: url, text_source, published: 1 }
  return { ...aPageDocument(), page }
}

/** What becomes of a document. */
async function resultOf(event: DocumentFetched, { known = null, answer = FORBIDDEN }: Before = {}) {
  const articles: ArticleIngested[] = []
  const pages = new ReadPages()
  if (known !== null) pages.observe(publishedFrom(known))
  const parts: Fetching = {
    feeds: { within: async () => new OneFeed() },
    web: { get: notCalled, getAllowed: async () => answer },
    extract: async (page) => extractPage(page),
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
  return { articles, event: result.event }
}

it('publishes the new text of an item whose page gave none, under the same address', async () => {
  const first = await resultOf(aPageDocument())
  const second = await resultOf(edit(NEW_TEXT), { known: first.event.page?.text_source ?? null })

  expect([...first.articles, ...second.articles].map(({ url: at, text_source }) => [at, text_source])).toEqual([
    [url, 'feed'],
    [url, 'feed'],
  ])
  expect(second.articles[0]?.text).toContain('mayor resigned')
  expect(second.event).toMatchObject({ outcome: 'refused', detail: 'edited', next_fetch_at: null })
})

it.each([
  ['robots.txt forbids', FORBIDDEN],
  ['is refused', answered(403)],
])('publishes the new text of a page that %s after a restart, too', async (_, answer) => {
  const { articles, event } = await resultOf(edit(NEW_TEXT), { answer })

  expect(articles).toMatchObject([{ text_source: 'feed' }])
  expect(event.next_fetch_at).toBeNull()
})

describe('the edit of an item whose page is still to be read', () => {
  it('tries the page as often as another, then publishes the new text', async () => {
    let event = edit(NEW_TEXT)
    const published: number[] = []
    for (let i = 0; i < 3; i++) {
      const result = await resultOf(event, { answer: answered(500) })
      published.push(result.articles.length)
      event = result.event
    }

    expect(published).toEqual([0, 0, 1])
    expect(event.next_fetch_at).toBeNull()
  })

  it('publishes what the page gives, and leaves later looks to the page', async () => {
    const html = pageOf([
      'The mayor of Porthaven resigned on Wednesday, two days after the council voted to close the harbour bridge.',
      'Engineers had found cracks in four of its twelve arches during an inspection last autumn, her office said.',
      'Traffic will be sent over the northern crossing, where long queues are expected on weekday mornings.',
    ])
    const { articles, event } = await resultOf(edit(NEW_TEXT), { answer: answered(200, html) })

    expect(articles).toMatchObject([{ text_source: 'page' }])
    expect(event.next_fetch_at).toBeNull()
  })

  it('ends where the page was read since the last attempt', async () => {
    const { event } = await resultOf(edit(NEW_TEXT), { answer: answered(500) })
    const again = await resultOf(event, { known: 'page' })

    expect(again.articles).toEqual([])
    expect(again.event).toMatchObject({ outcome: 'cancelled', detail: 'page_is_read', next_fetch_at: null })
  })
})

it('never replaces what a page is known to have given', async () => {
  const { articles, event } = await resultOf(edit(NEW_TEXT), { known: 'page' })

  expect(articles).toEqual([])
  expect(event).toMatchObject({ outcome: 'cancelled', next_fetch_at: null })
})

it('is one document for each text, and another than the page', () => {
  const ids = [NEW_TEXT, NEW_TEXT, `${NEW_TEXT} <p>More.</p>`].map((text) => edit(text).document_id)

  expect(new Set([...ids, aPageDocument().document_id]).size).toBe(3)
})
