import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import {
  ASSIGNMENT_CONFIDENCE,
  concernedByWindow,
  OUTLET,
  SETTLED,
  settlementOf,
  withOrigins,
  type Grouping,
} from './as-of.ts'

const SELECT_PAGE = `
    ${SETTLED},
    ${settlementOf('{min_assignment_confidence: Float64} > 0 AND cluster_id IN (SELECT cluster_id FROM touched)')},
    stories AS (
      SELECT
        cluster_id, countIf(own) AS articles, greatest(1, uniqExact(outlet)) AS sources,
        toFloat64(uniqExact(origin)) - uniqExactIf(origin, from_origin != '') AS origins, max(occurred_at) AS updated_at,
        countIf(own AND arrayAll(at -> at > 0, multiSearchAllPositionsCaseInsensitiveUTF8(about, {words: Array(String)}))) AS matching,
        toUnixTimestamp64Milli({as_of: DateTime64(3, 'UTC')}) AS until,
        toUnixTimestamp64Milli({from: DateTime64(3, 'UTC')}) AS since,
        (until - toUnixTimestamp64Milli(updated_at)) / ((until - since) / 4) AS age
      FROM looked LEFT JOIN settled ON toDate32(looked.occurred_at) = settled.day
      LEFT JOIN settlement ON looked.cluster_id = settlement.story
      GROUP BY cluster_id
      HAVING updated_at > {from: DateTime64(3, 'UTC')} AND matching > 0
        AND articles >= {min_articles: UInt32} AND sources >= {min_sources: UInt32}
        AND min(ifNull(${ASSIGNMENT_CONFIDENCE}, 0)) >= {min_assignment_confidence: Float64}
        AND ({membership: String} = '' OR min(revised < settled_at) = 1)
    ),
    ranked AS (
      SELECT
        cluster_id,
        multiIf(
          {sort: String} = 'recency', toFloat64(toUnixTimestamp64Milli(updated_at)),
          {sort: String} = 'coverage', origins,
          round(log2(1 + origins) * exp2(-age) * matching / articles, 9)
        ) AS rank,
        if({sort: String} = 'coverage', toFloat64(articles), 0.) AS second_rank,
        count() OVER () AS total
      FROM stories
    )
    SELECT cluster_id, rank, second_rank, total
    FROM ranked
    WHERE (rank, second_rank) < ({after_rank: Float64}, {after_second_rank: Float64})
      OR ((rank, second_rank) = ({after_rank: Float64}, {after_second_rank: Float64}) AND cluster_id > {after_id: String})
    ORDER BY rank DESC, second_rank DESC, cluster_id
    LIMIT {limit: UInt32} OFFSET {offset: UInt32}`

const PageParams = z.object({
  from: moment,
  as_of: moment,
  /** All of them must stand in the title or the entity names of one member; none: every cluster matches. */
  words: z.array(z.string()).max(250),
  min_sources: z.int(),
  min_articles: z.int(),
  /** Of each member; a member of which none is known has 0. */
  min_assignment_confidence: z.number(),
  /** Empty: settled or not. */
  membership: z.enum(['', 'settled']),
  sort: z.enum(['relevance', 'recency', 'coverage']),
  after_rank: z.number(),
  after_second_rank: z.number(),
  after_id: z.string(),
  limit: z.int(),
  offset: z.int(),
})

/**
 * A page of clusters, best first, as ids with their place in the order; `total` counts all pages. A cluster is in the
 * window when its last member is. Relevance: coverage x freshness (half after a quarter of the window) x share of
 * members that match the topic. Coverage is independent origins: re-prints and one house's outlets count once.
 */
const pageOf = (name: string, from: Grouping) =>
  query({
    name,
    sql: `
    WITH ${concernedByWindow(from)},
    ${withOrigins(
      `
        ${OUTLET} AS outlet,
        concat(ifNull(title, ''), ' ', arrayStringConcat(entity_names, ' ')) AS about`,
      from,
    )},
${SELECT_PAGE}`,
    params: PageParams,
    row: z.object({ cluster_id: z.string(), rank: z.number(), second_rank: z.number(), total: z.number() }),
  })

export const clusterPage = pageOf('clusters.page', 'placements')

/** The same of subject pages. */
export const subjectPage = pageOf('subjects.page', 'subject_listings')
