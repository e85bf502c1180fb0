import type { Wiring } from '../../ports/wiring.ts'
import type { FeedAtAddress, NoFeed } from '../../sources/feeds/find-feed.ts'
import { lookAtAll, namedFeeds, type LookedAt, type NamedFeedsOptions } from './named-feeds.ts'

export interface TestOptions extends NamedFeedsOptions {
  readonly json?: true
}

/** Reads each feed once and prints what it contains; writes nothing. Throws if one of them gives no feed. */
export async function testFeeds(wiring: Wiring, urls: readonly string[], options: TestOptions): Promise<void> {
  const looked = await lookAtAll(wiring, namedFeeds(urls, options))
  const now = wiring.clock.now()
  for (const one of looked) {
    if (options.json) wiring.out.json(tested(one, now))
    else wiring.out.line(lineOf(one, now))
  }
  const dead = looked.filter(({ found }) => found.kind === 'none').length
  if (dead > 0) throw new Error(`${dead} of ${looked.length} addresses give no feed`)
}

const DAY_MS = 86_400_000

const tested = ({ address, found }: LookedAt, now: number) =>
  found.kind === 'none' ? { address, error: found.error } : { address, ...facts(found, now) }

function facts({ url, feed }: FeedAtAddress, now: number) {
  const dates = feed.items.flatMap(({ published_date, updated_date }) => published_date ?? updated_date ?? [])
  const newest = dates.length === 0 ? null : Math.min(now, Math.max(...dates))
  const texts = feed.items.map(({ text }) => text.length).toSorted((a, b) => a - b)
  return {
    url,
    format: feed.format,
    title: feed.title,
    items: feed.items.length,
    newest: newest === null ? null : new Date(newest).toISOString(),
    /** Days without a new item; `null` if items have no date. */
    quiet_days: newest === null ? null : Math.floor((now - newest) / DAY_MS),
    median_characters: texts[Math.floor(texts.length / 2)] ?? 0,
  }
}

function lineOf({ address, found }: LookedAt, now: number): string {
  if (found.kind === 'none') return `dead  ${address}  ${(found satisfies NoFeed).error}`
  const { url, format, title, items, newest, median_characters } = facts(found, now)
  const moved = url === address ? '' : ` (at ${url})`
  return `ok    ${address}${moved}  ${format}, ${items} items of ${median_characters} characters, newest ${newest ?? 'undated'}, ${title ?? 'no title'}`
}
