import { z } from '@hono/zod-openapi'
import { FEED_STATES, feedState, lacksFullText } from '../../domain/feeds/feed-health.ts'
import { feedUrlProblem, MAX_FEED_URL_CHARACTERS, MAX_SOURCE_CHARACTERS } from '../../domain/feeds/new-feed.ts'
import type { FeedChanged } from '../../events/sources.ts'
import type { NoFeed, TestedFeed } from '../../ports/feed-finder.ts'
import type { FeedHealth } from '../../views/feeds/health.ts'
import { nextCursor, timestamp } from '../http/parameters.ts'

const url = z
  .string()
  .trim()
  .min(1)
  .max(MAX_FEED_URL_CHARACTERS)
  .superRefine((text, context) => {
    const message = feedUrlProblem(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .openapi({
    format: 'uri',
    description:
      'Address of an RSS, Atom or JSON feed, of a sitemap, or of a site, whose feed is then looked for. http(s) and a ' +
      'public address.',
    example: 'https://example.com/news/rss.xml',
  })

const source = z.string().trim().min(1).max(MAX_SOURCE_CHARACTERS).nullable().openapi({
  description: 'Outlet of the articles. `null`: as the page or the feed names it.',
  example: 'Example Times',
})

const full_text = z.boolean().openapi({
  description: 'Whether the pages of the items are read. If not, the text of the feed is the article.',
  example: true,
})

export const NewFeedBody = z
  .strictObject({
    ...{ url, source: source.default(null), full_text: full_text.default(true) },
    unchecked: z.boolean().default(false).openapi({
      description: 'Add the address as it is, without reading it first.',
      example: false,
    }),
  })
  .openapi('NewFeed')

export const FeedPatch = z
  .strictObject({
    source: source.optional(),
    full_text: full_text.optional(),
    status: z.enum(['active', 'paused']).optional().describe('`paused` stops polls; `active` resumes them.'),
  })
  .openapi('FeedPatch', { example: { status: 'paused' } })

export type FeedPatch = z.output<typeof FeedPatch>

export const FeedTestBody = z.strictObject({ url }).openapi('FeedTest')

const count = z.int().min(0)

const FoundFeed = z.object({
  url: z.string().describe('Address of the feed; it differs from the given one if that is the page of a site.'),
  format: z.string().describe('`rss`, `atom`, `rdf`, `json`, `sitemap`, `news-sitemap` or `sitemap-index`.'),
  title: z.string().nullable(),
  items: count,
  newest_item_at: timestamp.nullable(),
  median_characters: count.describe('Of the texts in the feed.'),
  sample: z
    .array(z.object({ title: z.string().nullable(), url: z.string().nullable(), published_date: timestamp.nullable() }))
    .describe('The newest items, at most five.'),
  pages: z
    .enum(['allowed', 'partly', 'forbidden', 'unknown', 'none'])
    .describe(
      'Whether robots.txt allows to read the pages of the sample. `unknown`: a robots.txt could not be read. `none`: ' +
        'the items have no pages.',
    ),
})

export const FeedTestResult = z
  .object({
    feed: FoundFeed.nullable(),
    error: z.string().nullable().describe('Why the address gives no feed; `null` if it gives one.'),
  })
  .openapi('FeedTestResult')

export function shownTest(found: TestedFeed | NoFeed): z.output<typeof FeedTestResult> {
  if (found.kind === 'none') return { feed: null, error: found.error }
  const { url: address, format, title, items, newest_item_at, median_characters, sample, pages } = found
  return {
    feed: {
      ...{ url: address, format, title, items, newest_item_at: iso(newest_item_at), median_characters },
      sample: sample.map((item) => ({ ...item, published_date: iso(item.published_date) })),
      pages,
    },
    error: null,
  }
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const Health = z
  .object({
    state: z
      .enum(FEED_STATES)
      .describe('`waiting`: not polled yet. `failing`: the last poll failed. `gone`: the feed has ended.'),
    title: z.string().nullable().describe('Title of the feed.'),
    format: z
      .string()
      .nullable()
      .describe('`rss`, `atom`, `rdf`, `json`, `sitemap`, `news-sitemap` or `sitemap-index`.'),
    polled_at: timestamp.nullable(),
    succeeded_at: timestamp.nullable().describe('The last poll that succeeded.'),
    outcome: z.string().nullable().describe('Outcome of the last poll.'),
    detail: z.string().nullable().describe('Reason of the outcome, a constant such as `http_503`.'),
    failures: count.describe('Failed polls since the last success.'),
    next_poll_at: timestamp.nullable(),
    interval_seconds: count.nullable().describe('Time between polls; it follows the rhythm of the feed.'),
    items: count.nullable().describe('Items in the feed.'),
    newest_item_at: timestamp.nullable().describe('When the newest item was found.'),
    lacks_full_text: z
      .boolean()
      .describe('Pages are read, and of three or more in the last seven days none gave the text of an article.'),
    last_7_days: z.object({
      polls: count,
      failed_polls: count,
      new_items: count,
      full_texts: count.describe('Articles whose text was read from the page.'),
      feed_texts: count.describe('Articles that have only the text of the feed.'),
      without_text: count.describe('Items that gave no article: neither page nor feed has enough text.'),
    }),
  })
  .openapi('FeedHealth')

export const Feed = z
  .object({
    id: z.string().openapi({ example: 'fed_q2x4mvhb7k3zt5wa' }),
    url: z.string().openapi({ example: 'https://example.com/news/rss.xml' }),
    source: z.string().nullable(),
    full_text: z.boolean(),
    status: z.enum(['active', 'paused', 'gone']),
    status_reason: z.string().nullable().describe('`gone` (the server answered 410) or `not_found` (404 for 14 days).'),
    created_at: timestamp,
    updated_at: timestamp,
    health: Health,
  })
  .openapi('Feed')

export const Feeds = z.object({ feeds: z.array(Feed), next_cursor: nextCursor }).openapi('Feeds')

export const feedParams = z.object({
  feed_id: z.string().min(1).max(100).openapi({ description: 'Id of the feed.', example: 'fed_q2x4mvhb7k3zt5wa' }),
})

/** A feed as it is returned. `health`: the row of the view; `undefined` if the feed was never polled. */
export const shownFeed = (feed: FeedChanged, health: FeedHealth | undefined): z.output<typeof Feed> => ({
  id: feed.feed_id,
  url: feed.url,
  source: feed.source,
  full_text: feed.full_text,
  status: feed.status,
  status_reason: feed.status_reason,
  created_at: new Date(feed.created_at).toISOString(),
  updated_at: new Date(feed.updated_at).toISOString(),
  health: healthOf(feed, health),
})

const NEVER_POLLED = {
  ...{ title: null, format: null, polled_at: null, succeeded_at: null, outcome: null, detail: null, failures: 0 },
  ...{ next_poll_at: null, interval_seconds: null, items: null, newest_item_at: null, lacks_full_text: false },
  last_7_days: { polls: 0, failed_polls: 0, new_items: 0, full_texts: 0, feed_texts: 0, without_text: 0 },
}

function healthOf(feed: FeedChanged, row: FeedHealth | undefined): z.output<typeof Health> {
  const state = feedState(feed, row)
  if (row?.polled_at == null) return { state, ...NEVER_POLLED }
  const { polls, failed_polls, new_items, full_texts, feed_texts, without_text } = row
  const isRead = row.format !== ''
  return {
    state,
    title: row.title,
    format: isRead ? row.format : null,
    polled_at: row.polled_at,
    succeeded_at: row.succeeded_at,
    outcome: row.outcome,
    detail: row.detail,
    failures: row.failures,
    next_poll_at: row.next_poll_at,
    interval_seconds: isRead ? row.interval_seconds : null,
    items: isRead ? row.items : null,
    newest_item_at: row.newest_item_at,
    lacks_full_text: lacksFullText(feed, row),
    last_7_days: { polls, failed_polls, new_items, full_texts, feed_texts, without_text },
  }
}
