import { parsedUrl } from '../../events/parsed-url.ts'
import { plainText } from '../../language/plain-text.ts'
import type { SourceRecord } from '../records.ts'
import type { FeedItem } from './parse-feed.ts'
import type { ReadFeed } from './read-feeds.ts'

export type FoundFeed = Extract<ReadFeed, { kind: 'feed' }>

/** A feed's items as records of a source; the line is the item's number in its feed. */
export async function* feedRecords({ address, feed }: FoundFeed): AsyncGenerator<SourceRecord> {
  for (const [index, item] of feed.items.entries()) {
    const fields = fieldsOf(item, feed.title ?? hostOf(address), address)
    yield { kind: 'fields', line: index + 1, fields, ...(item.title !== null && { title: item.title }) }
  }
}

/** Items carry HTML, and only a reader's text is long enough or not. */
const fieldsOf = (item: FeedItem, source: string | null, address: string): Readonly<Record<string, unknown>> => ({
  url: item.url === null ? null : absolute(item.url, address),
  title: item.title,
  author: item.author,
  source,
  published_date: item.published_date === null ? null : new Date(item.published_date).toISOString(),
  text: plainText(item.text),
})

const absolute = (url: string, base: string): string => parsedUrl(url, base)?.href ?? url

const hostOf = (address: string): string | null => parsedUrl(address)?.hostname ?? null
