import { DAY_MS } from '../../domain/days.ts'
import { rounded } from '../../domain/rounding.ts'
import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { concernedByWindow, OUTLET, withOrigins } from './as-of.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

/** Length of the window before `as_of`, in days. */
const WINDOW_DAYS = 7

/** Stories with articles in the window: their number, their sources, and the number of these articles. */
const liveStories = query({
  name: 'quality.live_stories',
  sql: `
    WITH ${concernedByWindow()},
    ${withOrigins(`${OUTLET} AS outlet`)},
    stories AS (
      SELECT
        cluster_id, countIf(own) AS articles, countIf(own AND occurred_at > {from: DateTime64(3, 'UTC')}) AS recent,
        greatest(1, uniqExact(outlet)) AS sources,
        toInt64(uniqExact(origin)) - toInt64(uniqExactIf(origin, from_origin != '')) AS origins,
        max(occurred_at) AS updated_at
      FROM looked
      GROUP BY cluster_id
      HAVING updated_at > {from: DateTime64(3, 'UTC')}
    )
    SELECT
      count() AS stories, countIf(updated_at > {day: DateTime64(3, 'UTC')}) AS stories_last_24h,
      countIf(sources > 1) AS multi_source, countIf(articles > 1) AS of_several,
      countIf(articles > 1 AND origins = 1) AS single_origin, sum(recent) AS came
    FROM stories`,
  params: z.object({ from: moment, day: moment, as_of: moment }),
  row: z.object({
    stories: z.number(),
    stories_last_24h: z.number(),
    multi_source: z.number(),
    of_several: z.number(),
    single_origin: z.number(),
    /** Articles of these stories in the window. */
    came: z.number(),
  }),
})

/** Articles that a recluster moved to another story in the window. Corrections by a curator do not count. */
const articlesMoved = query({
  name: 'quality.articles_moved',
  sql: `
    SELECT uniqExactArray(article_ids) AS articles
    FROM story_changes FINAL
    WHERE namespace = {namespace: String} AND action IN ('merged', 'split', 'moved')
      AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}`,
  params: z.object({ from: moment, as_of: moment }),
  row: z.object({ articles: z.number() }),
})

/** Quality figures of a namespace that need no labelled data, over the last seven days before a point in time. */
export async function liveQuality(store: Store, { namespace, as_of }: AsOf) {
  const window = { namespace, as_of, from: as_of - WINDOW_DAYS * DAY_MS }
  const [[found], [moved]] = await Promise.all([
    liveStories(store)({ ...window, day: as_of - DAY_MS }),
    articlesMoved(store)(window),
  ])
  if (found === undefined || moved === undefined) throw new Error('The query returned no counts')
  const { stories, stories_last_24h, multi_source, of_several, single_origin, came } = found
  return {
    window_days: WINDOW_DAYS,
    stories,
    stories_last_24h,
    articles_per_day: aDay(came),
    multi_source_share: share(multi_source, stories),
    /** Share of the stories with at least two articles whose articles all derive from one text or publisher. */
    single_origin_share: share(single_origin, of_several),
    /** Articles per day that were moved to another story. */
    id_churn_per_day: aDay(moved.articles),
  }
}

const aDay = (count: number): number => rounded(count / WINDOW_DAYS)
/** `null` if the whole is 0. */
const share = (part: number, whole: number): number | null => (whole === 0 ? null : rounded(part / whole))
