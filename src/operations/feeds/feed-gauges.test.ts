import { expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aFeed } from '../../../test/builders/feeds.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import type { FeedHealth } from '../../views/feeds/health.ts'
import { reportFeeds, type FeedGaugesPorts } from './feed-gauges.ts'

const MINUTE_MS = 60_000
const iso = (ms: number): string => new Date(ms).toISOString()

const aRow = (feed_id: string, over: Partial<FeedHealth> = {}): FeedHealth => ({
  ...{ feed_id, title: null, format: 'rss', outcome: 'ok', detail: null, failures: 0, items: 9, interval_seconds: 900 },
  ...{ next_poll_at: iso(A_NOON), newest_item_at: null, polled_at: iso(A_NOON), succeeded_at: iso(A_NOON) },
  ...{ polls: 1, failed_polls: 0, new_items: 9, full_texts: 9, feed_texts: 0, without_text: 0 },
  ...over,
})

function aWorld(feeds: ReturnType<typeof aFeed>[], rows: readonly FeedHealth[] = []) {
  const metrics = createMetrics()
  const ports: FeedGaugesPorts = {
    clock: { now: () => A_NOON + 5 * MINUTE_MS, sleep: async () => undefined },
    metrics,
    feeds: async () => feeds,
    health: async (_, ids) => rows.filter(({ feed_id }) => ids.includes(feed_id)),
  }
  const samples = async () =>
    (await metrics.page()).split('\n').filter((line) => line.startsWith('story_feed') && !line.endsWith(' 0'))
  return { ports, samples }
}

it('counts feeds by state, those without full text, and how long a poll is overdue', async () => {
  const feeds = ['a', 'b', 'c'].map((feed_id) => aFeed({ feed_id }))
  const { ports, samples } = aWorld(
    [...feeds, aFeed({ feed_id: 'd', status: 'gone' })],
    [
      aRow('a'),
      aRow('b', { failures: 3, next_poll_at: iso(A_NOON + 60 * MINUTE_MS) }),
      aRow('c', { full_texts: 0, feed_texts: 4, next_poll_at: iso(A_NOON + MINUTE_MS) }),
    ],
  )

  await reportFeeds(ports, new Set())

  expect(await samples()).toEqual([
    'story_feeds{namespace="shared",state="ok"} 2',
    'story_feeds{namespace="shared",state="failing"} 1',
    'story_feeds{namespace="shared",state="gone"} 1',
    'story_feeds_without_full_text{namespace="shared"} 1',
    'story_feed_overdue_seconds{namespace="shared"} 300',
  ])
})

it('counts a feed that was never polled as overdue since it was added', async () => {
  const { ports, samples } = aWorld([aFeed()])

  await reportFeeds(ports, new Set())

  expect(await samples()).toEqual([
    'story_feeds{namespace="shared",state="waiting"} 1',
    'story_feed_overdue_seconds{namespace="shared"} 300',
  ])
})

it('reports nothing of a namespace whose last feed was removed', async () => {
  const feeds = [aFeed()]
  const { ports, samples } = aWorld(feeds)
  const before = await reportFeeds(ports, new Set())
  feeds.pop()

  await reportFeeds(ports, before)

  expect(await samples()).toEqual([])
})
