import { z } from '@hono/zod-openapi'
import type { Store } from '../../ports/store.ts'
import { entityDetail, MAX_ALIASES, MAX_ARTICLES, MAX_RELATED, TIMELINE_DAYS } from '../../views/entities/detail.ts'
import { listEntities, type EntityListQuery } from '../../views/entities/list.ts'
import type { Dependencies } from '../http/dependencies.ts'
import {
  anyTimeRange,
  asOf,
  integer,
  nextCursor,
  offset,
  paging,
  pointInTime,
  share,
  timeRange,
  timestamp,
} from '../http/parameters.ts'
import { defineRoute, type CallContext, type Route } from '../http/route.ts'
import {
  ALL_TYPES,
  entityNotFound,
  entityPath,
  MAX_ARTICLE_IDS,
  NAMED_TYPES,
  SentimentDay,
  SentimentSummary,
} from './parts.ts'
import { relationshipRoutes } from './relationships.ts'
import { entityTimelineRoutes, layer1TimelineRoutes } from './timelines.ts'

/** The filters of both lists of entities. */
const listFilters = <Types extends readonly [string, ...string[]]>(types: Types) => ({
  query: z.string().max(200).trim().min(1).optional().describe('Part of a name, case-insensitive.'),
  type: z.enum(types).optional(),
  min_mentions: integer({ min: 0, max: 1_000_000 })
    .default(1)
    .describe('Minimum number of mentions within `time_range`.'),
})

const listEnvelope = <Types extends readonly [string, ...string[]]>(types: Types) => ({
  total: z.int().describe('Total over all pages.'),
  query: z.string().describe('Empty if no query was given.'),
  type_filter: z.enum(types).nullable(),
})

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

const Layer1Entity = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    mention_count: z.int(),
    article_count: z.int(),
  })
  .openapi('Layer1Entity')

const Layer1Entities = z
  .object({
    entities: z.array(Layer1Entity),
    ...listEnvelope(ALL_TYPES),
    time_range: z.string().nullable().describe('`null` for all time.'),
    next_cursor: nextCursor,
  })
  .openapi('Layer1Entities')

const RelatedEntity = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    strength: share.describe('`co_mentions` divided by those of the first related entity.'),
    co_mentions: z.int().describe('Articles that mention both.'),
  })
  .openapi('RelatedEntity')

const EntityLocation = z
  .object({
    country: z.string().nullable().describe('ISO 3166-1 alpha-2 code. `null` for a sea or a continent.'),
    coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
    within: z.array(z.string()).describe('Names of the places that contain it, smallest first.'),
  })
  .openapi('EntityLocation')

const EntityDetail = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    wikidata_id: z.string().nullable().openapi({ example: 'Q30' }),
    aliases: z.array(z.string()).describe(`Spellings found in articles, most frequent first, at most ${MAX_ALIASES}.`),
    names: z.record(z.string(), z.string()).openapi({
      description: 'The most frequent spelling in articles of each language (ISO 639-1).',
      example: { de: 'Vereinigte Staaten', en: 'United States', ru: 'США' },
    }),
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

export const layer1EntityRoutes = (dependencies: Dependencies): readonly Route[] => [
  layer1List(dependencies),
  ...layer1TimelineRoutes(dependencies),
]

export const entityRoutes = (dependencies: Dependencies): readonly Route[] => [
  list(dependencies),
  detail(dependencies),
  ...entityTimelineRoutes(dependencies),
  ...relationshipRoutes(dependencies),
]

const page = { ...paging({ limit: 20, max: 100 }), offset: offset(), as_of: asOf() }

const layer1List = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      tag: 'Layer 1',
      path: '/layer1/v1/entities',
      operationId: 'listLayer1Entities',
      summary: 'List Layer 1 entities',
      description:
        'Like `GET /v1/entities`, but including dates and sums of money, over all time unless `time_range` is ' +
        'given, and with fewer fields. Returns the most mentioned entities first.',
      request: { query: z.object({ ...listFilters(ALL_TYPES), time_range: anyTimeRange(), ...page }) },
      answer: Layer1Entities,
    },
    async ({ query: { time_range = null, ...query } }, context) => {
      const found = await listOf(store, { ...query, time_range, types: ALL_TYPES, max_article_ids: 0 }, context)
      return {
        ...found,
        entities: z.array(Layer1Entity).parse(found.entities),
        time_range: time_range === null ? null : time_range.name,
      }
    },
  )

const list = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/entities',
      operationId: 'listEntities',
      summary: 'List entities',
      description:
        'Returns the people, organisations, places and events mentioned in the `time_range` before `as_of`, most ' +
        'mentioned first.',
      request: { query: z.object({ ...listFilters(NAMED_TYPES), time_range: timeRange('24h'), ...page }) },
      answer: Entities,
    },
    async ({ query }, context) => {
      const params = { ...query, types: NAMED_TYPES, max_article_ids: MAX_ARTICLE_IDS }
      return { ...(await listOf(store, params, context)), time_range: query.time_range.name }
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

interface EntityListRequest<Type extends string> extends Pick<
  EntityListQuery,
  'min_mentions' | 'limit' | 'offset' | 'max_article_ids'
> {
  /** The types that are listed if there is no `type`. */
  readonly types: readonly Type[]
  readonly type?: Type | undefined
  readonly query?: string | undefined
  /** `null` for all time. */
  readonly time_range: { readonly ms: number } | null
  readonly cursor?: string | undefined
  readonly as_of?: number | undefined
}

/** A page of entities with the fields that both lists share. */
async function listOf<Type extends string>(
  store: Store,
  { types, type, query, time_range, cursor, as_of, ...request }: EntityListRequest<Type>,
  { caller: { namespace }, now }: CallContext,
) {
  const found = await listEntities(store, {
    ...request,
    ...pointInTime(as_of, now),
    namespace,
    cursor,
    query: query ?? null,
    types: type === undefined ? types : [type],
    window_ms: time_range === null ? null : time_range.ms,
  })
  return { ...found, query: query ?? '', type_filter: type ?? null }
}
