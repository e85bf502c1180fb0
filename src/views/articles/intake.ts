import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** One row: how many articles a namespace has, by when they came, and what time they cover. Times are ISO 8601; null: none. */
export const intake = query({
  name: 'articles.intake',
  sql: `
    SELECT
      uniq(article_id) AS total,
      uniqIf(article_id, _log_at > {hour: DateTime64(3, 'UTC')}) AS last_hour,
      uniqIf(article_id, _log_at > {day: DateTime64(3, 'UTC')}) AS last_24h,
      minOrNull(occurred_at) AS first_published, maxOrNull(occurred_at) AS last_published
    FROM articles
    WHERE namespace = {namespace: String}`,
  params: z.object({ hour: moment, day: moment }),
  row: z.object({
    total: z.number(),
    last_hour: z.number(),
    last_24h: z.number(),
    first_published: z.string().nullable(),
    last_published: z.string().nullable(),
  }),
})

/** Articles that were scored in each minute since a moment, by the log's clock; minutes without any have no row. */
export const intakeByMinute = query({
  name: 'articles.intake_by_minute',
  sql: `
    SELECT toDateTime64(toStartOfMinute(_log_at), 3, 'UTC') AS time, uniq(article_id) AS articles
    FROM articles
    WHERE namespace = {namespace: String} AND _log_at > {from: DateTime64(3, 'UTC')}
    GROUP BY time
    ORDER BY time`,
  params: z.object({ from: moment }),
  row: z.object({ time: z.string(), articles: z.number() }),
})
