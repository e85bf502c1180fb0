import type { PagePermission, TestedFeed } from '../../ports/feed-finder.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { testFeed } from '../../sources/feeds/test-feed.ts'
import { lookAtAll, namedFeeds, type LookedAt, type NamedFeedsOptions } from './named-feeds.ts'

export interface TestOptions extends NamedFeedsOptions {
  readonly json?: true
}

/** Whether an address gives a feed; `quiet` if the newest item of the feed is older than `QUIET_DAYS`. */
type FeedMark = 'ok' | 'quiet' | 'dead'

const QUIET_DAYS = 30

/**
 * Reads each feed once and prints what it contains, dead feeds last; writes nothing. Throws if one of them gives no
 * feed.
 */
export async function testFeeds(wiring: Wiring, urls: readonly string[], options: TestOptions): Promise<void> {
  const now = wiring.clock.now()
  const addresses = namedFeeds(urls, options)
  const looked = await lookAtAll(wiring, addresses, (address, get) => testFeed(address, get, now))
  const states = looked.map(({ found }) => stateOf(found, now))
  const inOrder = [
    ...looked.filter(({ found }) => found.kind !== 'none'),
    ...looked.filter(({ found }) => found.kind === 'none'),
  ]
  for (const one of inOrder) {
    if (options.json) wiring.out.json(tested(one, now))
    else wiring.out.line(lineOf(one, now))
  }
  const count = (state: FeedMark): number => states.filter((one) => one === state).length
  const counts = `${count('ok')} ok, ${count('quiet')} quiet (no item for ${QUIET_DAYS} days), ${count('dead')} dead`
  if (!options.json) wiring.out.line(`${looked.length} addresses: ${counts}`)
  if (count('dead') > 0) throw new Error(`${count('dead')} of ${looked.length} addresses give no feed`)
}

function stateOf(found: LookedAt<TestedFeed>['found'], now: number): FeedMark {
  if (found.kind === 'none') return 'dead'
  const days = quietDays(found, now)
  return days !== null && days >= QUIET_DAYS ? 'quiet' : 'ok'
}

/** Days without a new item; `null` if items have no date. */
const quietDays = ({ newest_item_at }: TestedFeed, now: number): number | null =>
  newest_item_at === null ? null : Math.floor((now - newest_item_at) / DAY_MS)

const DAY_MS = 86_400_000
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function tested({ address, found }: LookedAt<TestedFeed>, now: number) {
  const state = stateOf(found, now)
  if (found.kind === 'none') return { address, state, error: found.error }
  const { url, format, title, items, newest_item_at, median_characters, sample, pages } = found
  return {
    ...{ address, state, url, format, title, items },
    newest: iso(newest_item_at),
    quiet_days: quietDays(found, now),
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

function lineOf({ address, found }: LookedAt<TestedFeed>, now: number): string {
  const state = stateOf(found, now).padEnd(5)
  if (found.kind === 'none') return `${state} ${address}  ${found.error}`
  const { url, format, title, items, newest_item_at, median_characters, pages } = found
  const moved = url === address ? '' : ` (at ${url})`
  const newest = iso(newest_item_at) ?? 'undated'
  return `${state} ${address}${moved}  ${format}, ${items} items of ${median_characters} characters, newest ${newest}, ${PAGES[pages]}, ${title ?? 'no title'}`
}
