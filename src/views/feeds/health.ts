import { z } from 'zod'
import { moment } from '../instant.ts'
import { query, type RowOf } from '../query.ts'

/**
 * The newest look at each feed, and the counts of the last seven days. A feed that was never planned has no row. A feed
 * that moved to another host is in several partitions, so looks are ordered by time.
 */
export const feedHealth = query({
  name: 'feeds.health',
  sql: `
    WITH looks AS (
      SELECT *, occurred_at > {as_of: DateTime64(3, 'UTC')} - INTERVAL 7 DAY AS recent, (occurred_at, _offset) AS place
      FROM fetches FINAL
      WHERE namespace = {namespace: String} AND feed_id IN {feed_ids: Array(String)}
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    polled AS (
      SELECT
        feed_id,
        argMaxIf(look.title, place, look.format != '') AS title,
        argMaxIf(look.format, place, look.format != '') AS format,
        argMax(look.outcome, place) AS outcome,
        argMax(tuple(look.detail), place).1 AS detail,
        argMax(look.failures, place) AS failures,
        argMax(look.items, place) AS items,
        argMax(look.interval_seconds, place) AS interval_seconds,
        argMax(tuple(next_fetch_at), place).1 AS next_poll_at,
        argMax(tuple(last_new_at), place).1 AS newest_item_at,
        maxOrNullIf(occurred_at, attempt > 0 AND look.outcome != 'paused') AS polled_at,
        maxOrNullIf(occurred_at, look.outcome IN ('ok', 'unchanged')) AS succeeded_at,
        countIf(recent AND attempt > 0 AND look.outcome != 'paused') AS polls,
        countIf(recent AND look.outcome IN ('failed', 'limited', 'refused')) AS failed_polls,
        sumIf(look.new_items, recent AND look.outcome = 'ok') AS new_items
      FROM looks AS look
      WHERE kind = 'feed'
      GROUP BY feed_id
    ),
    pages AS (
      SELECT feed_id, url, argMax(tuple(text_source), _offset).1 AS taken_from, max(published) AS texts
      FROM looks
      WHERE kind = 'page' AND attempt > 0 AND outcome NOT IN ('paused', 'cancelled') AND recent
      GROUP BY feed_id, url -- an edit is another document of the same page
    ),
    texts AS (
      SELECT
        feed_id, countIf(taken_from = 'page') AS full_texts, countIf(taken_from = 'feed') AS feed_texts,
        countIf(texts = 0) AS without_text
      FROM pages
      GROUP BY feed_id
    )
    SELECT polled.*, full_texts, feed_texts, without_text
    FROM polled LEFT JOIN texts USING (feed_id)`,
  params: z.object({ feed_ids: z.array(z.string()), as_of: moment }),
  row: z.object({
    feed_id: z.string(),
    title: z.string().nullable(),
    format: z.string(),
    outcome: z.string(),
    detail: z.string().nullable(),
    failures: z.int(),
    items: z.int(),
    interval_seconds: z.int(),
    next_poll_at: z.string().nullable(),
    newest_item_at: z.string().nullable(),
    polled_at: z.string().nullable(),
    succeeded_at: z.string().nullable(),
    polls: z.int(),
    failed_polls: z.int(),
    new_items: z.int(),
    full_texts: z.int(),
    feed_texts: z.int(),
    without_text: z.int(),
  }),
})

export type FeedHealth = RowOf<typeof feedHealth>
