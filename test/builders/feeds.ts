import { plannedFeed, plannedPage } from '../../src/domain/feeds/documents.ts'
import type { DocumentFetched, FeedChanged, PageItem } from '../../src/events/sources.ts'
import { A_NOON } from './api.ts'

/** A watched feed. */
export const aFeed = (over: Partial<FeedChanged> = {}): FeedChanged => ({
  feed_id: 'fed_times',
  namespace: 'shared',
  url: 'https://times.example.com/rss.xml',
  source: null,
  full_text: true,
  status: 'active',
  status_reason: null,
  key_id: 'key_a',
  created_at: A_NOON,
  updated_at: A_NOON,
  ...over,
})

/** A feed that is due. */
export const aFeedDocument = (over: Partial<DocumentFetched> = {}, feed = aFeed()): DocumentFetched => ({
  ...plannedFeed(feed, A_NOON),
  ...over,
})

export const aPageItem = (over: Partial<PageItem> = {}): PageItem => ({
  title: 'Harbour bridge to close for two years',
  author: null,
  published_date: A_NOON - 3_600_000,
  source: null,
  feed_title: 'Example Times',
  text:
    '<p>The council voted on Tuesday to close the old harbour bridge for two years of costly repairs, after ' +
    'engineers found cracks in four of its arches.</p>',
  ...over,
})

/** A page that is due. */
export const aPageDocument = (over: Partial<DocumentFetched> = {}, item = aPageItem()): DocumentFetched => ({
  ...plannedPage({ url: 'https://times.example.com/news/bridge', item }, aFeedDocument(), A_NOON),
  ...over,
})
