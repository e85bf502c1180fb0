import type { PagePermission, TestedFeed } from '../../ports/feed-finder.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { testFeed } from '../../sources/feeds/test-feed.ts'
import { lookAtAll, namedFeeds, type LookedAt, type NamedFeedsOptions } from './named-feeds.ts'

export interface TestOptions extends NamedFeedsOptions {
  readonly json?: true
}

/** Reads each feed once and prints what it contains; writes nothing. Throws if one of them gives no feed. */
export async function testFeeds(wiring: Wiring, urls: readonly string[], options: TestOptions): Promise<void> {
  const now = wiring.clock.now()
  const addresses = namedFeeds(urls, options)
  const looked = await lookAtAll(wiring, addresses, (address, get) => testFeed(address, get, now))
  for (const one of looked) {
    if (options.json) wiring.out.json(tested(one, now))
    else wiring.out.line(lineOf(one))
  }
  const dead = looked.filter(({ found }) => found.kind === 'none').length
  if (dead > 0) throw new Error(`${dead} of ${looked.length} addresses give no feed`)
}

const DAY_MS = 86_400_000
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function tested({ address, found }: LookedAt<TestedFeed>, now: number) {
  if (found.kind === 'none') return { address, error: found.error }
  const { url, format, title, items, newest_item_at, median_characters, sample, pages } = found
  return {
    ...{ address, url, format, title, items },
    newest: iso(newest_item_at),
    /** Days without a new item; `null` if items have no date. */
    quiet_days: newest_item_at === null ? null : Math.floor((now - newest_item_at) / DAY_MS),
    ...{ median_characters, pages },
    sample: sample.map((item) => ({ ...item, published_date: iso(item.published_date) })),
  }
}

const PAGES: Readonly<Record<PagePermission, string>> = {
  allowed: 'pages may be read',
  partly: 'robots.txt forbids some pages',
  forbidden: 'robots.txt forbids the pages',
  unknown: 'robots.txt cannot be read',
  none: 'no pages',
}

function lineOf({ address, found }: LookedAt<TestedFeed>): string {
  if (found.kind === 'none') return `dead  ${address}  ${found.error}`
  const { url, format, title, items, newest_item_at, median_characters, pages } = found
  const moved = url === address ? '' : ` (at ${url})`
  const newest = iso(newest_item_at) ?? 'undated'
  return `ok    ${address}${moved}  ${format}, ${items} items of ${median_characters} characters, newest ${newest}, ${PAGES[pages]}, ${title ?? 'no title'}`
}
