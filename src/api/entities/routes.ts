import { z } from '@hono/zod-openapi'
import { entityDetail, MAX_ALIASES, MAX_ARTICLES, MAX_RELATED, TIMELINE_DAYS } from '../../views/entities/detail.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, nextCursor, offset, paging, timeRange, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { askList } from './list.ts'
import {
  entityNotFound,
  entityPath,
  listEnvelope,
  listFilters,
  MAX_ARTICLE_IDS,
  NAMED_TYPES,
  SentimentDay,
  SentimentSummary,
} from './parts.ts'

const Entity = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    mention_count: z.int(),
    article_count: z.int(),
    first_seen: timestamp.describe('Within the window, like all figures here.'),
    last_seen: timestamp,
    article_ids: z.array(z.string()).describe(`Newest first, at most ${MAX_ARTICLE_IDS}.`),
  })
  .openapi('Entity')

const Entities = z
  .object({
    entities: z.array(Entity),
    ...listEnvelope(NAMED_TYPES),
    time_range: z.string(),
    next_cursor: nextCursor,
  })
  .openapi('Entities')

const RelatedEntity = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    strength: z.number().min(0).max(1).describe('`co_mentions` divided by those of the strongest pair.'),
    co_mentions: z.int().describe('Articles that mention both.'),
  })
  .openapi('RelatedEntity')

const EntityLocation = z
  .object({
    country: z.string().nullable().describe('ISO 3166-1 alpha-2 code. `null` for a sea or a continent.'),
    coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
    within: z.array(z.string()).describe('Names of what it lies in, the nearest first.'),
  })
  .openapi('EntityLocation')

const EntityDetail = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    wikidata_id: z.string().nullable().openapi({ example: 'Q30' }),
    aliases: z.array(z.string()).describe(`Spellings found in articles, most frequent first, at most ${MAX_ALIASES}.`),
    mention_count: z.int(),
    article_count: z.int(),
    first_seen: timestamp,
    last_seen: timestamp,
    sentiment: SentimentSummary,
    sentiment_timeline: z
      .array(SentimentDay)
      .describe(`Every UTC day from the first mention to the last; at most the last ${TIMELINE_DAYS}.`),
    related_entities: z
      .array(RelatedEntity)
      .describe(`Entities in the same articles, strongest first, at most ${MAX_RELATED}. Dates and sums are excluded.`),
    articles: z
      .array(
        z.object({
          article_id: z.string(),
          title: z.string().nullable(),
          source: z.string().nullable(),
          published_date: timestamp.nullable(),
        }),
      )
      .describe(`Newest first, at most ${MAX_ARTICLES}.`),
    locations: z.array(EntityLocation).describe('For a place in the gazetteer; otherwise empty.'),
    time: z
      .object({ start: z.string(), end: z.string() })
      .nullable()
      .describe('For a date: UTC days, both inclusive. `null` if articles refer to different days.'),
    money: z
      .object({ amount: z.number(), currency: z.string() })
      .nullable()
      .describe('For a sum; the currency is an ISO 4217 code.'),
  })
  .openapi('EntityDetail')

const keyed = { method: 'get', tag: 'Entities', tier: 'starter', cost: 'request', status: 200 } as const

export const entityRoutes = (dependencies: Dependencies): readonly Route[] => [list(dependencies), detail(dependencies)]

const list = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/entities',
      operationId: 'listEntities',
      summary: 'List entities',
      request: {
        query: z.object({
          ...listFilters(NAMED_TYPES),
          time_range: timeRange('24h'),
          ...paging({ limit: 20, max: 100 }),
          offset: offset(),
          as_of: asOf(),
        }),
      },
      answer: Entities,
    },
    async ({ query }, context) => {
      const params = { ...query, types: NAMED_TYPES, max_article_ids: MAX_ARTICLE_IDS }
      return { ...(await askList(store, params, context)), time_range: query.time_range.name }
    },
  )

const detail = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/entities/{entity_id}',
      operationId: 'getEntity',
      summary: 'Retrieve an entity',
      description:
        'Accepts an id or a name (case-insensitive); a name selects the most mentioned entity of that name. ' +
        'All figures cover everything published up to `as_of`.',
      problems: ['entity_not_found'],
      request: {
        params: z.object({ entity_id: entityPath }),
        query: z.object({
          type: z.enum(NAMED_TYPES).optional().describe('Selects one of several entities of that name.'),
          as_of: asOf(),
        }),
      },
      answer: EntityDetail,
    },
    async ({ params: { entity_id: entity }, query: { type, as_of } }, { caller: { namespace }, now }) => {
      const params = { namespace, entity, type: type ?? null, types: NAMED_TYPES, as_of: as_of ?? now }
      const found = await entityDetail(store, params)
      return found ?? entityNotFound(entity)
    },
  )
