import type { DocumentInput } from '../../domain/feeds/documents.ts'
import type { ArticleIngested } from '../../events/articles.ts'
import type { DocumentFetched, FeedChanged } from '../../events/sources.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UpToDate } from '../../state/settings/book.ts'
import type { SettingChange } from '../../state/settings/change-setting.ts'
import type { FeedBook } from '../../state/settings/feeds.ts'
import type { PageExtractor } from '../pages/extract-page.ts'
import type { ReadPages } from './read-pages.ts'
import type { SitePublishers } from './site-publishers.ts'
import type { Web } from './web.ts'

/** A change of a feed takes effect within this time. */
export const FEEDS_AGE_MS = 1_000

/** A document that is due, and the feed it belongs to. */
export interface DueDocument {
  readonly input: DocumentInput
  readonly feed: FeedChanged
  readonly signal: AbortSignal
}

/** What the effect needs. */
export interface Fetching {
  readonly feeds: Pick<UpToDate<FeedBook>, 'within'>
  readonly web: Web
  /** Never rejects because of a page. */
  readonly extract: PageExtractor['extract']
  readonly publishers: SitePublishers
  readonly pages: ReadPages
  /** Resolves when the log has the articles and the planned documents. */
  readonly publish: (found: Found) => Promise<void>
  /** Changes a feed that others may change concurrently. */
  readonly change: (id: string, change: SettingChange<FeedChanged, 'left_alone'>) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
}

export interface Found {
  readonly articles: readonly ArticleIngested[]
  readonly documents: readonly DocumentFetched[]
}
