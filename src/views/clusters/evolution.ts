import { z } from 'zod'
import { RESOLUTIONS, type Resolution } from '../../domain/days.ts'
import { groupBy } from '../../domain/group-by.ts'
import { rounded } from '../../domain/rounding.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type RowOf } from '../query.ts'
import { surviving, type StoryQuery } from './surviving-story.ts'
import { concernedByIds, independent, OUTLET, withOrigins } from './as-of.ts'
import { clusterHistory } from './history.ts'

/** The members of a story as of a point in time, oldest first, with the data of its time series. */
const membersInTime = query({
  name: 'clusters.in_time',
  sql: `
    WITH ${concernedByIds()},
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
    /** Identifies the outlet; `null` if it is unknown. */
    outlet: z.string().nullable(),
    /** The outlet's name as responses show it. */
    source: z.string(),
    sentiment_score: z.number(),
    sentiment_label: z.string(),
    entities: z.array(z.object({ id: z.string(), name: z.string(), type: z.string(), mention_count: z.number() })),
  }),
})

/** The data of one member that the time series needs. */
export type MemberInTime = Omit<RowOf<typeof membersInTime>, 'article_id'>
type NamedEntity = Omit<MemberInTime['entities'][number], 'mention_count'>

/** Maximum number of points in a response. */
export const MAX_POINTS = 1_000

/** The resolution gives too many points; `finest` is the finest resolution that fits. */
export class TooFine {
  readonly finest: Resolution

  constructor(ask: Resolution) {
    this.finest = ask
  }
}

/**
 * The growth of a story as of a point in time, in buckets from its first article to its last. The id of a merged story
 * resolves to the surviving story. `null` if there is none. The coarsest resolution is one day; if there are still too
 * many points, only the last ones are returned.
 */
export async function clusterEvolution(store: Store, params: StoryQuery & { readonly resolution: Resolution }) {
  const story = await surviving(store, params)
  if (story === null) return null

  const { namespace, as_of, resolution } = params
  const { cluster_id } = story
  const [members, history] = await Promise.all([
    membersInTime(store)({ namespace, ids: [cluster_id], as_of }),
    clusterHistory(store)({ namespace, cluster_id, as_of }),
  ])
  const finest = fitting(members, resolution)
  if (finest !== resolution) return new TooFine(finest)

  const events = history.map(({ at, type, other_cluster_id, direction, articles }) => ({
    time: at,
    type,
    other_cluster_id,
    direction,
    articles,
  }))
  const bucket_ms = RESOLUTIONS[resolution]
  const points = pointsOf(members, bucket_ms, MAX_POINTS)
  return { cluster_id, resolution, points, truncated: points.length < pointCount(members, bucket_ms), events }
}

const COARSER = { '1h': '6h', '6h': '1d' } as const

/** The finest resolution, this one or a coarser one, whose points fit. */
function fitting(members: readonly MemberInTime[], resolution: Resolution): Resolution {
  if (resolution === '1d' || pointCount(members, RESOLUTIONS[resolution]) <= MAX_POINTS) return resolution
  return fitting(members, COARSER[resolution])
}

/** Maximum number of new entities per bucket. */
const MAX_NEW_ENTITIES = 50

/** Number of buckets from the first member to the last; `members` oldest first. */
export const pointCount = (members: readonly MemberInTime[], bucket_ms: number): number =>
  members.length === 0 ? 0 : bucketOf(members.at(-1), bucket_ms) - bucketOf(members[0], bucket_ms) + 1

const bucketOf = (member: MemberInTime | undefined, bucket_ms: number): number =>
  Math.floor((member?.at ?? 0) / bucket_ms)

/**
 * One point per bucket from the first member to the last, including empty buckets. If there are more than `limit`, only
 * the last ones, whose counts include the members before them. `members` oldest first.
 */
export function pointsOf(members: readonly MemberInTime[], bucket_ms: number, limit = Infinity) {
  const byBucket = groupBy(members, (member) => bucketOf(member, bucket_ms))
  const totals = new Totals(independent(members))
  const length = Math.min(limit, pointCount(members, bucket_ms))
  const first = bucketOf(members.at(-1), bucket_ms) - length + 1
  for (const [bucket, before] of byBucket) if (bucket < first) totals.point('', before)
  return Array.from({ length }, (_, i) =>
    totals.point(new Date((first + i) * bucket_ms).toISOString(), byBucket.get(first + i) ?? []),
  )
}

/** Totals of a story up to a bucket. */
class Totals {
  readonly #roots: ReadonlyMap<string, string>
  #articles = 0
  readonly #sources = new Set<string>()
  readonly #origins = new Set<string>()
  readonly #entities = new Set<string>()

  constructor(roots: ReadonlyMap<string, string>) {
    this.#roots = roots
  }

  /**
   * A bucket of time. The counts cover the story up to the end of the bucket; all other fields cover the articles in
   * the bucket.
   */
  point(time: string, members: readonly MemberInTime[]) {
    this.#articles += members.length
    for (const { origin } of members) this.#origins.add(this.#roots.get(origin) ?? origin)
    const new_sources = this.#newSources(members)
    return {
      time,
      articles_added: members.length,
      article_count: this.#articles,
      source_count: Math.max(1, this.#sources.size),
      origin_count: this.#origins.size,
      new_sources,
      new_entities: this.#newEntities(members),
      sentiment: sentimentOf(members),
    }
  }

  #newSources(members: readonly MemberInTime[]): string[] {
    const found: string[] = []
    for (const { outlet, source } of members) {
      if (outlet === null || this.#sources.has(outlet)) continue
      this.#sources.add(outlet)
      found.push(source)
    }
    return found
  }

  #newEntities(members: readonly MemberInTime[]): NamedEntity[] {
    const mentions = new Map<string, { readonly entity: NamedEntity; count: number }>()
    for (const { id, name, type, mention_count } of members.flatMap(({ entities }) => entities)) {
      if (this.#entities.has(id)) continue
      const known = mentions.get(id) ?? { entity: { id, name, type }, count: 0 }
      mentions.set(id, known)
      known.count += mention_count
    }
    for (const id of mentions.keys()) this.#entities.add(id)
    return [...mentions.values()]
      .toSorted((a, b) => b.count - a.count || (a.entity.id < b.entity.id ? -1 : 1))
      .slice(0, MAX_NEW_ENTITIES)
      .map(({ entity }) => entity)
  }
}

/** `avg` is -1 to +1, `null` without articles; `distribution` counts articles. */
function sentimentOf(members: readonly MemberInTime[]) {
  const sum = members.reduce((total, { sentiment_score }) => total + sentiment_score, 0)
  const labelled = (type: string): number => members.filter(({ sentiment_label }) => sentiment_label === type).length
  return {
    avg: members.length === 0 ? null : rounded(sum / members.length),
    distribution: { positive: labelled('positive'), neutral: labelled('neutral'), negative: labelled('negative') },
  }
}
