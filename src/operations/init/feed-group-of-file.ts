import { readFileSync } from 'node:fs'
import { decoded } from '../../sources/feeds/document-text.ts'
import { parseFeedList } from '../../sources/feeds/parse-opml.ts'
import { checkedFeed } from './answers.ts'
import type { FeedGroup } from './feed-list.ts'

/** The feeds of an OPML file. Throws if it cannot be read, has no feeds, or has an address that cannot be watched. */
export function feedGroupOfFile(path: string): FeedGroup {
  const list = parseFeedList(textOfFile(path))
  if (list === null || list.feeds.length === 0) throw new Error(`OPML file ${path}: not an OPML file with feeds`)
  list.feeds.forEach(({ url }) => checkedFeed(url))
  return { ...list, title: list.title ?? path }
}

function textOfFile(path: string): string {
  try {
    return decoded(readFileSync(path), undefined)
  } catch (cause) {
    throw new Error(`OPML file ${path} cannot be read`, { cause })
  }
}
