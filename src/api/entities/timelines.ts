import { z } from '@hono/zod-openapi'
import type { Store } from '../../ports/store.ts'
import { entitySeries, type EntitySeriesQuery } from '../../views/entities/series.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, sentimentScore, timeRange } from '../http/parameters.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type CallContext, type Route } from '../http/route.ts'
import { ALL_TYPES, day, entityNotFound, entityPath, MAX_ARTICLE_IDS, NAMED_TYPES, SentimentDay } from './parts.ts'

const seriesEnvelope = {
  entity: z.string().describe('Canonical name of the most mentioned matching entity.'),
  entity_ids: z.array(z.string()).describe('Entities counted, one per type, most mentioned first.'),
  type_filter: z.enum(ALL_TYPES).nullable().describe('`null` if all types of the name are counted together.'),
  time_range: z.string(),
}

const mentions = {
  mention_count: z.int(),
  article_count: z.int().describe('Distinct articles.'),
}

const total_mentions = z.int().describe('Sum over the timeline.')

const Layer1Bucket = z.object({ date: day, ...mentions })

const Layer1Timeline = z
  .object({ ...seriesEnvelope, total_mentions, timeline: z.array(Layer1Bucket) })
  .openapi('Layer1EntityTimeline')

const EntityBucket = z.object({
  date: z.string().openapi({
    example: '2018-12-31',
    description: 'UTC day; for shorter buckets, the start of the bucket.',
  }),
  ...mentions,
  type: z.string().describe('Type of the entity; if several share the name, of the most mentioned.'),
  article_ids: z.array(z.string()).describe(`Newest first, at most ${MAX_ARTICLE_IDS}.`),
})

const EntityTimeline = z
  .object({ ...seriesEnvelope, total_mentions, timeline: z.array(EntityBucket) })
  .openapi('EntityTimeline')

const EntitySentiment = z
  .object({
    ...seriesEnvelope,
    avg_sentiment: sentimentScore.describe(
      'Mean sentiment of the articles towards the entity; `0` if `total_articles` is 0.',
    ),
    total_articles: z.int(),
    timeline: z.array(SentimentDay),
  })
  .openapi('EntitySentiment')

const WINDOW_TEXT =
  'The window starts after `as_of` - `time_range` and includes `as_of`. Every UTC bucket that overlaps ' +
  'the window is returned, buckets without mentions as zero; the first and last bucket may be partial. ' +
  'A name includes its entities of all types unless `type` is given.'

type EntityTypeName = (typeof ALL_TYPES)[number]

const windowQuery = (type: z.ZodType<EntityTypeName | undefined>) =>
  z.object({ type, time_range: timeRange('7d'), as_of: asOf() })

const named = windowQuery(z.enum(NAMED_TYPES).optional().describe('Selects one of several entities of that name.'))
const ofAnyType = windowQuery(z.enum(ALL_TYPES).optional())

const keyed = { method: 'get', tag: 'Entities', tier: 'starter', cost: 'request', status: 200 } as const
const layer1 = { ...keyed, tag: 'Layer 1' } as const

export const layer1TimelineRoutes = (dependencies: Dependencies): readonly Route[] => [
  layer1Timeline(dependencies),
  sentiment(dependencies, {
    text: { ...layer1, path: '/layer1/v1/entities/{entity_name}/sentiment', operationId: 'getLayer1EntitySentiment' },
    types: ALL_TYPES,
    query: ofAnyType,
  }),
]

export const entityTimelineRoutes = (dependencies: Dependencies): readonly Route[] => [
  timeline(dependencies),
  sentiment(dependencies, {
    text: { ...keyed, path: '/v1/entities/{entity_name}/sentiment', operationId: 'getEntitySentiment' },
    types: NAMED_TYPES,
    query: named,
  }),
]

const layer1Timeline = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...layer1,
      path: '/layer1/v1/entities/{entity_name}/timeline',
      operationId: 'getLayer1EntityTimeline',
      summary: 'Retrieve the daily mentions of an entity',
      description: `Accepts a name (case-insensitive) or an id. ${WINDOW_TEXT}`,
      problems: ['entity_not_found'],
      request: { params: z.object({ entity_name: entityPath }), query: ofAnyType },
      answer: Layer1Timeline,
    },
    async ({ params: { entity_name: entity }, query }, context) => {
      const request = { ...query, entity, types: ALL_TYPES, resolution: '1d', max_article_ids: 0 } as const
      const found = await seriesOf(store, request, context)
      if (isProblem(found)) return found
      const { envelope, series } = found
      return {
        ...envelope,
        total_mentions: series.mention_count,
        timeline: z.array(Layer1Bucket).parse(series.buckets),
      }
    },
  )

const timeline = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/entities/{entity_id}/timeline',
      operationId: 'getEntityTimeline',
      summary: 'Retrieve the mentions of an entity over time',
      description: `Accepts an id or a name (case-insensitive). ${WINDOW_TEXT}`,
      problems: ['entity_not_found'],
      request: {
        params: z.object({ entity_id: entityPath }),
        query: named.extend({ resolution: z.enum(['1h', '6h', '1d']).default('1d') }),
      },
      answer: EntityTimeline,
    },
    async ({ params: { entity_id: entity }, query }, context) => {
      const request = { ...query, entity, types: NAMED_TYPES, max_article_ids: MAX_ARTICLE_IDS }
      const found = await seriesOf(store, request, context)
      if (isProblem(found)) return found
      const { envelope, type, series } = found
      const buckets = series.buckets.map((bucket) => EntityBucket.parse({ ...bucket, type }))
      return { ...envelope, total_mentions: series.mention_count, timeline: buckets }
    },
  )

interface SentimentRoute {
  readonly text: Omit<typeof keyed, 'tag'> & Pick<Route, 'tag' | 'path' | 'operationId'>
  readonly types: readonly EntityTypeName[]
  readonly query: typeof named
}

const sentiment = ({ store }: Dependencies, { text, types, query }: SentimentRoute): Route =>
  defineRoute(
    {
      ...text,
      summary: 'Retrieve the daily sentiment towards an entity',
      description: `Accepts a name (case-insensitive) or an id. ${WINDOW_TEXT}`,
      problems: ['entity_not_found'],
      request: { params: z.object({ entity_name: entityPath }), query },
      answer: EntitySentiment,
    },
    async ({ params: { entity_name: entity }, query }, context) => {
      const request = { ...query, entity, types, resolution: '1d', max_article_ids: 0 } as const
      const found = await seriesOf(store, request, context)
      if (isProblem(found)) return found
      const { avg_sentiment, article_count: total_articles, buckets } = found.series
      return { ...found.envelope, avg_sentiment, total_articles, timeline: z.array(SentimentDay).parse(buckets) }
    },
  )

interface SeriesRequest extends Pick<EntitySeriesQuery, 'entity' | 'types' | 'resolution' | 'max_article_ids'> {
  readonly type: EntityTypeName | undefined
  readonly time_range: z.output<typeof named>['time_range']
  readonly as_of?: number | undefined
}

/**
 * The time series of an entity with the fields that all responses about it share, or a problem if the entity does not
 * exist.
 */
async function seriesOf(
  store: Store,
  { type: only, time_range, as_of, ...request }: SeriesRequest,
  { caller: { namespace }, now }: CallContext,
) {
  const type = only ?? null
  const params = { ...request, namespace, type, as_of: as_of ?? now, window_ms: time_range.ms }
  const series = await entitySeries(store, params)
  if (series === null) return entityNotFound(request.entity)
  const { name: entity, ids, type: foundType } = series.found
  const envelope = { entity, entity_ids: [...ids], type_filter: type, time_range: time_range.name }
  return { envelope, type: foundType, series }
}
