import { z } from '@hono/zod-openapi'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, timeRange } from '../http/parameters.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import {
  EntitySentiment,
  EntityTimeline,
  entityPath,
  MAX_ARTICLE_IDS,
  NAMED_TYPES,
  sentimentAnswer,
  WINDOW_TEXT,
} from './parts.ts'
import { askSeries } from './series.ts'

const keyed = { method: 'get', tag: 'Entities', tier: 'starter', cost: 'request', status: 200 } as const

const window = {
  type: z.enum(NAMED_TYPES).optional().describe('Selects one of several entities of that name.'),
  time_range: timeRange('7d'),
  as_of: asOf(),
}

export const entityTimelineRoutes = (dependencies: Dependencies): readonly Route[] => [
  timeline(dependencies),
  sentiment(dependencies),
]

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
        query: z.object({ ...window, resolution: z.enum(['1h', '6h', '1d']).default('1d') }),
      },
      answer: EntityTimeline,
    },
    async ({ params: { entity_id: entity }, query }, context) => {
      const params = { ...query, entity, type: query.type, as_of: query.as_of }
      const found = await askSeries(store, { ...params, types: NAMED_TYPES, max_article_ids: MAX_ARTICLE_IDS }, context)
      if (isProblem(found)) return found

      const { envelope, type, series } = found
      const items = series.buckets.map(({ date, mention_count, article_count, article_ids }) => ({
        ...{ date, mention_count, article_count, type, article_ids },
      }))
      return { ...envelope, total_mentions: series.mention_count, timeline: items }
    },
  )

const sentiment = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/entities/{entity_name}/sentiment',
      operationId: 'getEntitySentiment',
      summary: 'Retrieve the daily sentiment towards an entity',
      description: `Accepts a name (case-insensitive) or an id. ${WINDOW_TEXT}`,
      problems: ['entity_not_found'],
      request: { params: z.object({ entity_name: entityPath }), query: z.object(window) },
      answer: EntitySentiment,
    },
    async ({ params: { entity_name: entity }, query }, context) => {
      const params = { ...query, entity, type: query.type, as_of: query.as_of, resolution: '1d' as const }
      const found = await askSeries(store, { ...params, types: NAMED_TYPES, max_article_ids: 0 }, context)
      return isProblem(found) ? found : { ...found.envelope, ...sentimentAnswer(found.series) }
    },
  )
