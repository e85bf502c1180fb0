import { z } from 'zod'
import {
  ASSIGNMENT_CONFIDENCE,
  belonging,
  CONCERNED_BY_IDS,
  CONCERNED_BY_WINDOW,
  SETTLED,
  settlementOf,
} from '../clusters/as-of.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * The stories with so many articles in a window, in no order: how many articles came when, and how they speak. A category
 * is a story's where it is that of a third of its articles, as `clusterItems` has it.
 */
export const storyCounts = query({
  name: 'trends.story_counts',
  sql: `
    WITH ${CONCERNED_BY_WINDOW},
    ${belonging('sentiment_score, categories')},
    ${SETTLED},
    ${settlementOf('{min_assignment_confidence: Float64} > 0 AND cluster_id IN (SELECT cluster_id FROM touched)')}
    SELECT
      cluster_id, countIf(occurred_at > {from: DateTime64(3, 'UTC')}) AS in_window,
      countIf(occurred_at <= {from: DateTime64(3, 'UTC')}) AS before,
      countIf(occurred_at > {earlier: DateTime64(3, 'UTC')}) - in_window AS previous,
      toUnixTimestamp64Milli(min(occurred_at)) AS first_at,
      uniqExactIf(toDate32(occurred_at), occurred_at <= {from: DateTime64(3, 'UTC')}) AS days_of_history,
      if(
        before = 0, 0.,
        round(
          avgIf(sentiment_score, occurred_at > {from: DateTime64(3, 'UTC')})
            - avgIf(sentiment_score, occurred_at <= {from: DateTime64(3, 'UTC')}),
          6
        )
      ) AS sentiment_shift
    FROM belonging LEFT JOIN settled ON toDate32(belonging.occurred_at) = settled.day
    LEFT JOIN settlement ON belonging.cluster_id = settlement.story
    WHERE cluster_id IN (SELECT cluster_id FROM touched)
    GROUP BY cluster_id
    HAVING in_window >= {min_articles: UInt32}
      AND min(ifNull(${ASSIGNMENT_CONFIDENCE}, 0)) >= {min_assignment_confidence: Float64}
      AND ({membership: String} = '' OR min(revised < settled_at) = 1)
      AND ({category: String} = '' OR countIf(has(categories, {category: String})) * 3 >= count())`,
  params: z.object({
    /** Where the window before begins: exclusive, as the others. */
    earlier: moment,
    from: moment,
    as_of: moment,
    min_articles: z.int().min(1),
    /** Of each member of the story; a member of which none is known has 0. */
    min_assignment_confidence: z.number(),
    /** Empty: settled or not. */
    membership: z.enum(['', 'settled']),
    /** Empty: any. */
    category: z.string(),
  }),
  row: z.object({
    cluster_id: z.string(),
    in_window: z.number(),
    before: z.number(),
    previous: z.number(),
    /** Milliseconds since 1970. */
    first_at: z.number(),
    days_of_history: z.number(),
    /** Mean of the articles in the window less that of those before it; 0 where there are none. */
    sentiment_shift: z.number(),
  }),
})

/** When the stories in which the articles of some ever were are first said to trend, as of a moment; others have no row. */
export const firstDetections = query({
  name: 'trends.first_detections',
  sql: `
    WITH ${CONCERNED_BY_IDS},
    ever AS (
      SELECT cluster_id FROM placements
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM concerned)
    )
    SELECT subject_id, min(occurred_at) AS first
    FROM detections
    WHERE namespace = {namespace: String} AND type = 'trend.detected' AND subject_id IN (SELECT cluster_id FROM ever)
      AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY subject_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({ subject_id: z.string(), first: z.string() }),
})
