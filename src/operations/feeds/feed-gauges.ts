import { groupBy } from '../../domain/group-by.ts'
import { FEED_STATES, feedState, lacksFullText } from '../../domain/feeds/feed-health.ts'
import type { FeedChanged } from '../../events/sources.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { FeedHealth } from '../../views/feeds/health.ts'

export interface FeedGaugesPorts {
  readonly clock: Clock
  readonly metrics: Pick<Metrics, 'set' | 'unset'>
  /** The watched feeds of all namespaces. */
  readonly feeds: () => Promise<readonly FeedChanged[]>
  /** What the view has of the feeds of one namespace. */
  readonly health: (namespace: string, feed_ids: readonly string[], as_of: number) => Promise<readonly FeedHealth[]>
}

const EVERY_MS = 300_000

/** Reports the health of the watched feeds of each namespace every five minutes. */
export async function runFeedGauges(ports: FeedGaugesPorts, signal: AbortSignal): Promise<void> {
  let reported: ReadonlySet<string> = new Set()
  while (!signal.aborted) {
    reported = await reportFeeds(ports, reported)
    await ports.clock.sleep(EVERY_MS, signal)
  }
}

/** Returns the reported namespaces. `before`: those of the last time; what has no feed any more is not reported. */
export async function reportFeeds(ports: FeedGaugesPorts, before: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const byNamespace = groupBy(await ports.feeds(), ({ namespace }) => namespace)
  for (const [namespace, feeds] of byNamespace) await reportNamespace(namespace, feeds, ports)
  for (const namespace of before) if (!byNamespace.has(namespace)) removeNamespace(namespace, ports)
  return new Set(byNamespace.keys())
}

async function reportNamespace(
  namespace: string,
  feeds: readonly FeedChanged[],
  { clock, metrics, health }: FeedGaugesPorts,
): Promise<void> {
  const now = clock.now()
  const ids = feeds.map(({ feed_id }) => feed_id)
  const rows = new Map((await health(namespace, ids, now)).map((row) => [row.feed_id, row]))
  const states = feeds.map((feed) => feedState(feed, rows.get(feed.feed_id)))
  for (const state of FEED_STATES) {
    metrics.set('story_feeds', { namespace, state }, states.filter((one) => one === state).length)
  }
  const lacking = feeds.filter((feed) => lacksFullText(feed, rows.get(feed.feed_id))).length
  metrics.set('story_feeds_without_full_text', { namespace }, lacking)
  metrics.set('story_feed_overdue_seconds', { namespace }, overdueMs(feeds, rows, now) / 1000)
}

/** How long the poll of an active feed that is overdue most is overdue. */
function overdueMs(feeds: readonly FeedChanged[], rows: ReadonlyMap<string, FeedHealth>, now: number): number {
  const active = feeds.filter(({ status }) => status === 'active')
  const due = active.map(({ feed_id, created_at }) => {
    const next = rows.get(feed_id)?.next_poll_at ?? null
    return next === null ? created_at : Date.parse(next)
  })
  return Math.max(0, ...due.map((at) => now - at))
}

function removeNamespace(namespace: string, { metrics }: FeedGaugesPorts): void {
  for (const state of FEED_STATES) metrics.unset('story_feeds', { namespace, state })
  metrics.unset('story_feeds_without_full_text', { namespace })
  metrics.unset('story_feed_overdue_seconds', { namespace })
}
