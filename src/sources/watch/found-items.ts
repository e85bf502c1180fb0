import { intake, MAX_FIELD_CHARACTERS, MAX_TEXT_CHARACTERS } from '../../domain/intake/articles.ts'
import { hostOf, plannedEdit, plannedPage } from '../../domain/feeds/documents.ts'
import type { ArticleIngested } from '../../events/articles.ts'
import type { DocumentFetched, FeedChanged, PageItem } from '../../events/sources.ts'
import { plainText } from '../../language/plain-text.ts'
import type { FeedItem } from '../feeds/parsed-feed.ts'
import { ingested } from '../ingested-event.ts'
import { articleOfItem } from './article-fields.ts'
import { boundedLine } from './bounded-line.ts'
import type { Found } from './due-document.ts'
import type { FeedPollResult } from './poll-result.ts'
import type { SitePublishers } from './site-publishers.ts'

export interface FoundIn {
  readonly poll: DocumentFetched
  readonly feed: FeedChanged
  /** Title of the feed. */
  readonly title: string | null
  readonly publishers: Pick<SitePublishers, 'of'>
  readonly now: number
}

/** `edited`: those of the items that were known. */
type PolledItems = Pick<FeedPollResult, 'items' | 'edited'>

/**
 * What new and edited items become: a page to be read, or, if the feed's own text is wanted or the item has no page, an
 * article. Items without a page whose text is not accepted become nothing. An edited item is its page once more, which
 * is read if it has another title now, and its new text, which is published if the page gave none.
 */
export function foundOf({ items, edited }: PolledItems, context: FoundIn): Found {
  const { feed, poll, now } = context
  const hasPage = (item: FeedItem): item is FeedItem & { readonly url: string } => feed.full_text && isPage(item.url)
  const found = (item: FeedItem & { readonly url: string }) => ({ url: item.url, item: pageItem(item, context) })
  return {
    documents: [
      ...items.filter(hasPage).map((item) => plannedPage(found(item), poll, now)),
      ...edited.filter(hasPage).map((item) => plannedEdit(found(item), poll, now)),
    ],
    articles: items.filter((item) => !hasPage(item)).flatMap((item) => articleOf(item, context)),
  }
}

const isPage = (url: string | null): boolean =>
  url !== null && url.length <= MAX_FIELD_CHARACTERS.url && /^https?:/i.test(url)

/** What a feed says of an item, bounded. */
const pageItem = (item: FeedItem, { title }: FoundIn): PageItem => ({
  title: boundedLine(item.title, 'title'),
  author: boundedLine(item.author, 'author'),
  published_date: item.published_date,
  source: boundedLine(item.source, 'source'),
  feed_title: boundedLine(title, 'title'),
  text: boundedText(item.text),
})

/** Mark-up may be much longer than its text: an image may be written into its address. */
function boundedText(html: string): string {
  if (html.length <= MAX_TEXT_CHARACTERS) return html
  const text = plainText(html)
  return text.length > MAX_TEXT_CHARACTERS ? '' : text
}

function articleOf(item: FeedItem, context: FoundIn): readonly ArticleIngested[] {
  const { namespace, url, source } = context.feed
  const page = isPage(item.url) ? item.url : null
  const host = hostOf(page ?? url)
  const origin = { url: page, source, site: context.publishers.of(host), host }
  const found = intake(articleOfItem(pageItem(item, context), origin))
  return found.kind === 'refused'
    ? []
    : [ingested(found.fields, { namespace, producer: 'feeds', text_source: 'feed' }).event]
}
