import { z } from '@hono/zod-openapi'
import type { Dependencies } from '../http/dependencies.ts'
import { anyTimeRange, asOf, nextCursor, offset, paging, timeRange } from '../http/parameters.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { askList } from './list.ts'
import {
  ALL_TYPES,
  EntitySentiment,
  entityPath,
  Layer1Timeline,
  listEnvelope,
  listFilters,
  sentimentAnswer,
  WINDOW_TEXT,
} from './parts.ts'
import { askSeries } from './series.ts'

const Layer1Entities = z
  .object({
    entities: z.array(
      z
        .object({
          id: z.string(),
          name: z.string(),
          type: z.string(),
          mention_count: z.int(),
          article_count: z.int(),
        })
        .openapi('Layer1Entity'),
    ),
    ...listEnvelope(ALL_TYPES),
    time_range: z.string().nullable().describe('`null` for all time.'),
    next_cursor: nextCursor,
  })
  .openapi('Layer1Entities')

const keyed = { method: 'get', tag: 'Layer 1', tier: 'starter', cost: 'request', status: 200 } as const

export const layer1EntityRoutes = (dependencies: Dependencies): readonly Route[] => [
  list(dependencies),
  timeline(dependencies),
  sentiment(dependencies),
]

const list = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/layer1/v1/entities',
      operationId: 'listLayer1Entities',
      summary: 'List Layer 1 entities',
      request: {
        query: z.object({
          ...listFilters(ALL_TYPES),
          time_range: anyTimeRange(),
          ...paging({ limit: 20, max: 100 }),
          offset: offset(),
          as_of: asOf(),
        }),
      },
      answer: Layer1Entities,
    },
    async ({ query: { time_range = null, ...query } }, context) => {
      const found = await askList(store, { ...query, time_range, types: ALL_TYPES, max_article_ids: 0 }, context)
      const entities = found.entities.map(({ id, name, type, mention_count, article_count }) => ({
        ...{ id, name, type, mention_count, article_count },
      }))
      return { ...found, entities, time_range: time_range === null ? null : time_range.name }
    },
  )

const window = {
  params: z.object({ entity_name: entityPath }),
  query: z.object({ type: z.enum(ALL_TYPES).optional(), time_range: timeRange('7d'), as_of: asOf() }),
}

const DAILY = { types: ALL_TYPES, resolution: '1d', max_article_ids: 0 } as const

const timeline = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/layer1/v1/entities/{entity_name}/timeline',
      operationId: 'getLayer1EntityTimeline',
      summary: 'Retrieve the daily mentions of an entity',
      description: `Accepts a name (case-insensitive) or an id. ${WINDOW_TEXT}`,
      problems: ['entity_not_found'],
      request: window,
      answer: Layer1Timeline,
    },
    async ({ params: { entity_name: entity }, query: { type, time_range, as_of } }, context) => {
      const found = await askSeries(store, { ...DAILY, entity, type, time_range, as_of }, context)
      if (isProblem(found)) return found

      const { envelope, series } = found
      const items = series.buckets.map(({ date, mention_count, article_count }) => ({
        ...{ date, mention_count, article_count },
      }))
      return { ...envelope, total_mentions: series.mention_count, timeline: items }
    },
  )

const sentiment = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/layer1/v1/entities/{entity_name}/sentiment',
      operationId: 'getLayer1EntitySentiment',
      summary: 'Retrieve the daily sentiment towards an entity',
      description: `Accepts a name (case-insensitive) or an id. ${WINDOW_TEXT}`,
      problems: ['entity_not_found'],
      request: window,
      answer: EntitySentiment,
    },
    async ({ params: { entity_name: entity }, query: { type, time_range, as_of } }, context) => {
      const found = await askSeries(store, { ...DAILY, entity, type, time_range, as_of }, context)
      return isProblem(found) ? found : { ...found.envelope, ...sentimentAnswer(found.series) }
    },
  )
