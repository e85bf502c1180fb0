import { z } from '@hono/zod-openapi'
import { PLATFORMS } from '../../events/discourse.ts'
import { echoList } from '../../views/echo/list.ts'
import { ENTITY_SCOPES } from '../../views/echo/queries.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { EchoResult, keyed, platform } from './parts.ts'
import { asOf, flag, float, nextCursor, offset, paging } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const CONTROVERSIAL = 0.6

const score = () => float({ min: 0, max: 1 })

const listed = { results: z.array(EchoResult), count: z.int().describe('Results on this page.') }

const EchoTrending = z
  .object({
    ...listed,
    filters: z.object({
      min_controversy: z.number(),
      counter_narrative_only: z.boolean(),
      platform: platform.nullable(),
      limit: z.int(),
    }),
    next_cursor: nextCursor,
  })
  .openapi('EchoTrending')

const EchoSearch = z
  .object({
    ...listed,
    filters: z
      .object({
        entity: z.string().nullable(),
        entity_scope: z.enum(ENTITY_SCOPES),
        topic: z.string().nullable(),
        counter_narrative: z.boolean().nullable(),
        min_controversy: z.number().nullable(),
        platform: z.string().nullable(),
        limit: z.int(),
        offset: z.int(),
      })
      .describe('Filters of the request; `null` if not set.'),
    next_cursor: nextCursor,
  })
  .openapi('EchoSearch')

/** Part of a name: as it is, without wildcards; empty is not set. */
const part = (description: string) =>
  z
    .string()
    .max(200)
    .transform((text) => (text.trim() === '' ? undefined : text.trim().normalize('NFC')))
    .optional()
    .describe(description)

export const echoSearchRoutes = (dependencies: Dependencies): readonly Route[] => [
  trending(dependencies),
  search(dependencies),
]

const trending = ({ store, lifecycle: numbers }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/echo/v1/echo/trending',
      operationId: 'listDisputedStories',
      summary: 'List disputed stories',
      description:
        'Returns one row per story and platform, highest `controversy_score` first; ties are sorted newest ' +
        'first, then by id.',
      request: {
        query: z.object({
          min_controversy: score().default(CONTROVERSIAL),
          counter_narrative_only: flag().default(false),
          platform: platform.optional(),
          ...paging({ limit: 20, max: 50 }),
          as_of: asOf(),
        }),
      },
      answer: EchoTrending,
    },
    async ({ query: { cursor, as_of, ...query } }, { caller: { namespace }, now }) => {
      const { results, next_cursor } = await echoList(store, {
        ...{ namespace, numbers, cursor, as_of: as_of ?? now, as_of_given: as_of !== undefined },
        ...{ sort: 'controversy', entity: null, entity_scope: 'any', topic: null, offset: 0 },
        counter_narrative: query.counter_narrative_only ? true : null,
        min_controversy: query.min_controversy,
        platforms: query.platform === undefined ? null : [query.platform],
        limit: query.limit,
      })
      return { results, count: results.length, filters: { ...query, platform: query.platform ?? null }, next_cursor }
    },
  )

const searchQuery = z.object({
  entity: part("Part of an entity's name, case-insensitive."),
  entity_scope: z
    .enum(ENTITY_SCOPES)
    .default('any')
    .describe(
      'Which entities `entity` is matched against: those of the articles, of the posts, or of the posts ' + 'only.',
    ),
  topic: part('Part of one of `dominant_themes`, case-insensitive.'),
  counter_narrative: flag().optional(),
  min_controversy: score().optional(),
  platform: z.string().max(200).optional().openapi({
    description: 'One or more of `reddit`, `bluesky`, `twitter`, comma-separated. Other values match no record.',
  }),
  ...paging({ limit: 20, max: 100 }),
  offset: offset(),
  as_of: asOf(),
})
type SearchQuery = z.output<typeof searchQuery>

const search = ({ store, lifecycle: numbers }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/echo/v1/echo/search',
      operationId: 'searchReceptions',
      summary: 'Search receptions',
      description: 'Returns one row per story and platform that meets all conditions, last updated first, then by id.',
      request: { query: searchQuery },
      answer: EchoSearch,
    },
    async ({ query }, { caller: { namespace }, now }) => {
      const filters = filtersOf(query)
      const { results, next_cursor } = await echoList(store, {
        ...filters,
        ...{ namespace, numbers, cursor: query.cursor, sort: 'updated' },
        ...{ as_of: query.as_of ?? now, as_of_given: query.as_of !== undefined },
        min_controversy: query.min_controversy ?? 0,
        platforms: platformsIn(query.platform),
      })
      return { results, count: results.length, filters, next_cursor }
    },
  )

const filtersOf = (query: SearchQuery) => ({
  entity: orNull(query.entity),
  entity_scope: query.entity_scope,
  topic: orNull(query.topic),
  counter_narrative: orNull(query.counter_narrative),
  min_controversy: orNull(query.min_controversy),
  platform: orNull(query.platform),
  limit: query.limit,
  offset: query.offset,
})

const orNull = <T,>(value: T | undefined): T | null => value ?? null

/** Null: all. None where no name among them is known. */
function platformsIn(text: string | undefined): string[] | null {
  if (text === undefined || text.trim() === '') return null
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  return PLATFORMS.filter((name) => names.includes(name)).toSorted() // a cursor holds them in this order
}
