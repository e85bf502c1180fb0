import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { surviving, type StoryQuery } from './surviving-story.ts'
import { CONCERNED_BY_IDS, OUTLET, withOrigins } from './as-of.ts'
import { clusterHistory } from './history.ts'
import { pointCount, pointsOf, RESOLUTIONS, type MemberInTime, type Point, type PointsResolution } from './points.ts'

/** The members of a story as of a moment, oldest first, with what a time series is made of. */
const membersInTime = query({
  name: 'clusters.in_time',
  sql: `
    WITH ${CONCERNED_BY_IDS},
    ${withOrigins(`
        ${OUTLET} AS outlet, ifNull(coalesce(source, domainWithoutWWW(url)), '') AS source_name,
        sentiment_score, sentiment_label, entity_ids, entity_names, entity_types, entity_mentions`)}
    SELECT
      article_id, toUnixTimestamp64Milli(any(occurred_at)) AS at, any(looked.origin) AS origin,
      max(looked.from_origin) AS from_origin, any(outlet) AS outlet, any(source_name) AS source,
      any(sentiment_score) AS sentiment_score, any(sentiment_label) AS sentiment_label,
      arrayMap(
        entity -> CAST(entity, 'Tuple(id String, name String, type String, mention_count UInt32)'),
        arrayFilter(
          entity -> entity.3 NOT IN ('DATE', 'MONEY'),
          arrayZip(any(entity_ids), any(entity_names), any(entity_types), any(entity_mentions))
        )
      ) AS entities
    FROM looked
    WHERE cluster_id IN {ids: Array(String)}
    GROUP BY article_id
    ORDER BY at, article_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({
    article_id: z.string(),
    /** Milliseconds since 1970, event time. */
    at: z.number(),
    origin: z.string(),
    from_origin: z.string(),
    /** By which outlets are distinguished; null: not known. */
    outlet: z.string().nullable(),
    /** As it is shown. */
    source: z.string(),
    sentiment_score: z.number(),
    sentiment_label: z.string(),
    entities: z.array(z.object({ id: z.string(), name: z.string(), type: z.string(), mention_count: z.number() })),
  }),
})

export interface EvolutionEvent {
  readonly time: string
  readonly type: string
  readonly other_cluster_id: string | null
  readonly direction: string | null
  readonly articles: number
}

export interface ClusterEvolution {
  readonly cluster_id: string
  readonly resolution: PointsResolution
  readonly points: Point[]
  /** There are more days than fit: the last ones are shown. */
  readonly truncated: boolean
  readonly events: EvolutionEvent[]
}

/** So many points fit an answer. */
export const MAX_POINTS = 1_000

/** More points than fit, where a coarser resolution helps: the finest that gives an answer. */
export class TooFine {
  readonly ask: PointsResolution

  constructor(ask: PointsResolution) {
    this.ask = ask
  }
}

/**
 * How a story grew as of a moment, bucket by bucket from its first article to its last; an id that went into another
 * story asks for that one. Null: there is none. Nothing is coarser than days: of too many the last ones are shown.
 */
export async function clusterEvolution(
  store: Store,
  params: StoryQuery & { readonly resolution: PointsResolution },
): Promise<ClusterEvolution | TooFine | null> {
  const story = await surviving(store, params)
  if (story === null) return null

  const { namespace, as_of, resolution } = params
  const { cluster_id } = story
  const [members, history] = await Promise.all([
    membersInTime(store)({ namespace, ids: [cluster_id], as_of }),
    clusterHistory(store)({ namespace, cluster_id, as_of }),
  ])
  const enough = fitting(members, resolution)
  if (enough !== resolution) return new TooFine(enough)

  const events = history.map(({ at, type, other_cluster_id, direction, articles }) => ({
    ...{ time: at, type, other_cluster_id, direction, articles },
  }))
  const bucket_ms = RESOLUTIONS[resolution]
  const points = pointsOf(members, bucket_ms, MAX_POINTS)
  return { cluster_id, resolution, points, truncated: points.length < pointCount(members, bucket_ms), events }
}

const COARSER = { '1h': '6h', '6h': '1d' } as const

/** The resolution itself, or the next coarser one whose points fit. */
function fitting(members: readonly MemberInTime[], resolution: PointsResolution): PointsResolution {
  if (resolution === '1d' || pointCount(members, RESOLUTIONS[resolution]) <= MAX_POINTS) return resolution
  return fitting(members, COARSER[resolution])
}
