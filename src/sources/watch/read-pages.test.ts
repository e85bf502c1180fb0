import fc from 'fast-check'
import { expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aFeedDocument, aPageDocument, aPageItem } from '../../../test/builders/feeds.ts'
import { plannedPage, unreadPage } from '../../domain/feeds/documents.ts'
import type { DocumentFetched } from '../../events/sources.ts'
import { PAGES_KNOWN_MS, ReadPages } from './read-pages.ts'

const URL_OF_PAGE = 'https://times.example.com/news/bridge'
const ADDRESS = 'https://times.example.com/bridge'
const PUBLISHED = { article_url: ADDRESS, semantic_hash: 'hash-2', text_source: 'page', published: 2 } as const

const aReading = (over: Partial<DocumentFetched['page']> = {}) => ({ ...unreadPage(aPageItem()), ...over })
const published = (over: Partial<DocumentFetched> = {}): DocumentFetched =>
  aPageDocument({ page: aReading(PUBLISHED), ...over })

/** Another title of the item. */
const retitled = (url = URL_OF_PAGE): DocumentFetched =>
  plannedPage({ url, item: aPageItem({ title: 'Bridge closed' }) }, aFeedDocument(), A_NOON)

const pagesAfter = (events: readonly DocumentFetched[]): ReadPages => {
  const pages = new ReadPages()
  for (const event of events) pages.observe(event)
  return pages
}

it('continues a new document of a page from what was published of the page', () => {
  const document = retitled(`${URL_OF_PAGE}/?utm_source=rss`)
  const { page } = pagesAfter([published()]).continued(document, A_NOON)

  expect(page).toEqual({ ...document.page, ...PUBLISHED })
})

it('continues no page of another namespace, and no feed', () => {
  const pages = pagesAfter([published({ namespace: 'acme' })])

  for (const event of [retitled(), aFeedDocument()]) expect(pages.continued(event, A_NOON)).toBe(event)
})

it('never goes back to an earlier text, and keeps the first address', () => {
  const first = published({ page: aReading({ ...PUBLISHED, semantic_hash: 'hash-1', published: 1 }) })
  const moved = published({ page: aReading({ ...PUBLISHED, article_url: `${ADDRESS}-moved`, published: 3 }) })
  const events = [published(), first, aPageDocument(), moved]

  expect(pagesAfter(events.slice(0, 3)).continued(retitled(), A_NOON).page).toMatchObject(PUBLISHED)
  expect(pagesAfter(events).continued(retitled(), A_NOON).page).toMatchObject({ article_url: ADDRESS, published: 3 })
})

it('forgets a page after the time for which a restart remembers it', () => {
  const pages = pagesAfter([published()])

  expect(pages.continued(retitled(), A_NOON + PAGES_KNOWN_MS).page?.published).toBe(2)
  expect(pages.continued(retitled(), A_NOON + PAGES_KNOWN_MS + 1).page?.published).toBe(0)
})

it('gives the same answer after a restart that reads only the last days', () => {
  const planned = retitled()
  const times = fc.array(fc.tuple(fc.nat(40), fc.nat(3)), { maxLength: 40 })
  fc.assert(
    fc.property(times, fc.nat(20), (looks, laterDays) => {
      const living = new ReadPages()
      const log: DocumentFetched[] = []
      let now = A_NOON
      for (const [quarters, title] of looks) {
        now += quarters * (PAGES_KNOWN_MS / 32)
        const document = { ...planned, document_id: `document-${title}`, occurred_at: now }
        const before = living.continued(document, now).page ?? aReading()
        const count = before.published + 1
        const page = { ...before, article_url: before.article_url ?? `${ADDRESS}-${now}`, published: count }
        log.push({ ...document, page: { ...page, semantic_hash: `hash-${count}`, text_source: 'page' } })
        living.observe(log.at(-1) ?? document)
      }
      now += laterDays * 86_400_000
      const restarted = pagesAfter(log.filter(({ occurred_at }) => occurred_at >= now - PAGES_KNOWN_MS))

      expect(restarted.continued(planned, now)).toEqual(living.continued(planned, now))
    }),
    { numRuns: 30 }, // each makes two caches of 100,000 places
  )
})
