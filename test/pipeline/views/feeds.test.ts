import { expect, it } from 'vitest'
import { attempted } from '../../../src/domain/feeds/documents.ts'
import { documentsFetched, type DocumentFetched, type PageReading } from '../../../src/events/sources.ts'
import type { Input } from '../../../src/runtime/shapes.ts'
import { feedHealth } from '../../../src/views/feeds/health.ts'
import { anInput } from '../../builders/articles.ts'
import { aFeed, aFeedDocument, aPageDocument } from '../../builders/feeds.ts'
import { feeds } from '../../../src/views/row-per-event.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store } = viewsDatabase()
const HOUR_MS = 3_600_000
/** The rows expire after 35 days, so they are of today. */
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS
const place = { topic: documentsFetched.name, partition: 0, offset: 0 }

const after = (event: DocumentFetched, hours: number, change: Partial<DocumentFetched>): DocumentFetched =>
  attempted({ event, place }, START + hours * HOUR_MS, { outcome: 'ok', next_fetch_at: null, ...change })

function aPage(document_id: string, over: Partial<PageReading>, namespace: string): DocumentFetched {
  const url = `https://times.example.com/${document_id}`
  const planned = aPageDocument({ namespace, document_id, url, occurred_at: START })
  const page = planned.page === null ? null : { ...planned.page, ...over }
  return after(planned, 1, { page })
}

async function write(events: readonly DocumentFetched[]): Promise<void> {
  const inputs = events.map((event, offset) =>
    anInput(event, { topic: documentsFetched.name, offset, loggedAt: START }),
  )
  const rows = inputs.flatMap((input) => feeds.projections.flatMap((one) => one.project(input as Input<never>)))
  await store.insert(
    'fetches',
    rows.map(({ row }) => row),
  )
}

it('says how the polls of a feed went, and what its pages gave', async () => {
  const namespace = aNamespace()
  const planned = aFeedDocument({ namespace, occurred_at: START })
  const read = planned.feed === null ? null : { ...planned.feed, title: 'Times', format: 'rss', items: 3, new_items: 2 }
  const first = after(planned, 1, { feed: read, next_fetch_at: START + 2 * HOUR_MS })
  const unread = read === null ? null : { ...read, new_items: 0 }
  const second = after(first, 2, { outcome: 'failed', detail: 'http_500', failures: 1, feed: unread })
  const events = [
    planned,
    first,
    second,
    aPage('doc_a', { text_source: 'page', published: 1 }, namespace),
    aPage('doc_b', { text_source: 'feed', published: 1 }, namespace),
    aPage('doc_c', {}, namespace),
    aPageDocument({ namespace, document_id: 'doc_d', occurred_at: START }), // not read yet
    after(aPageDocument({ namespace, document_id: 'doc_e', occurred_at: START }), 1, { outcome: 'paused' }),
  ]
  await write(events)

  const rows = await feedHealth(store)({
    ...{ namespace, feed_ids: [aFeed().feed_id, 'fed_none'], as_of: START + 3 * HOUR_MS },
  })

  expect(rows).toEqual([
    {
      feed_id: aFeed().feed_id,
      ...{ title: 'Times', format: 'rss', outcome: 'failed', detail: 'http_500', failures: 1, items: 3 },
      ...{ interval_seconds: 0, next_poll_at: null, newest_item_at: null },
      polled_at: new Date(START + 2 * HOUR_MS).toISOString(),
      succeeded_at: new Date(START + HOUR_MS).toISOString(),
      ...{ polls: 2, failed_polls: 1, new_items: 2, full_texts: 1, feed_texts: 1, without_text: 1 },
    },
  ])
})
