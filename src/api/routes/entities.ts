import { z } from '@hono/zod-openapi'
import { listEntities, MAX_ARTICLE_IDS } from '../../views/entities/list.ts'
import type { Dependencies } from '../dependencies.ts'
import { asOf, integer, nextCursor, paging, timeRange, timestamp } from '../parameters.ts'
import { defineRoute, type Route } from '../route.ts'

const TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT'] as const

const Entity = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    mention_count: z.int(),
    article_count: z.int(),
    first_seen: timestamp.openapi({ description: 'Within the window, as all figures here.' }),
    last_seen: timestamp,
    article_ids: z.array(z.string()).openapi({ description: `Newest first, at most ${MAX_ARTICLE_IDS}.` }),
  })
  .openapi('Entity')

const Entities = z
  .object({
    entities: z.array(Entity),
    total: z.int(),
    query: z.string().openapi({ description: 'Empty when none was asked for.' }),
    type_filter: z.enum(TYPES).nullable(),
    time_range: z.string(),
    next_cursor: nextCursor,
  })
  .openapi('Entities')

export const entityRoutes = ({ store }: Dependencies): readonly Route[] => [
  defineRoute(
    {
      method: 'get',
      tag: 'Entities',
      tier: 'starter',
      cost: 'request',
      status: 200,
      path: '/v1/entities',
      summary: 'Who and what the news of a window of time names, most mentioned first',
      request: {
        query: z.object({
          query: z.string().trim().min(1).max(200).optional().openapi({ description: 'Part of a name, in any case.' }),
          type: z.enum(TYPES).optional(),
          min_mentions: integer({ min: 0, max: 1_000_000 }).default(1),
          time_range: timeRange('24h'),
          ...paging({ limit: 20, max: 100 }),
          as_of: asOf(),
        }),
      },
      answer: Entities,
    },
    async ({ query: given }, { caller: { namespace }, now }) => {
      const { query = null, type = null, min_mentions, limit, cursor } = given
      const moment = { as_of: given.as_of ?? now, as_of_given: given.as_of !== undefined }
      const window = { ...moment, window_ms: given.time_range.ms }
      const types = type === null ? TYPES : [type]
      const found = await listEntities(store, { namespace, ...window, query, types, min_mentions, limit, cursor })
      return { ...found, query: query ?? '', type_filter: type, time_range: given.time_range.name }
    },
  ),
]
