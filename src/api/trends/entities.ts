import { z } from '@hono/zod-openapi'
import { articlesAnalyzed } from '../../events/articles.ts'
import { viewGroup } from '../../ports/log.ts'
import { MOMENTA, SCALES } from '../../domain/trends/momentum.ts'
import { entityTrends } from '../../views/trends/entity-trends.ts'
import { entities } from '../../views/entities/project.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { graphAsOf } from '../http/caught-up.ts'
import { asOf, flag, float, integer, timestamp } from '../http/parameters.ts'
import { defineRoute, type CallContext, type Route } from '../http/route.ts'
import { NAMED_TYPES } from '../entities/parts.ts'

const envelope = {
  trends: z.array(
    z
      .object({
        entity: z.string().describe('Canonical name.'),
        entity_id: z.string(),
        type: z.string(),
        velocity: z
          .number()
          .min(0)
          .describe(
            '`mentions` divided by `baseline`. Shrunk towards 1 with fewer than 10 mentions, 3 origins or 3 days ' +
              'of history. `1` for a new entity (`days_of_history` is 0), which has no baseline.',
          ),
        mentions: z.int().describe('On the latest ingestion day.'),
        baseline: z.number().openapi({
          description:
            'Mean mentions of the previous 7 ingestion days (or as many as there are): of whole days, or up to ' +
            'the same time of day while `day_complete` is `false`. `0` if there are none.',
        }),
        days_of_history: z.int().describe('Number of these days on which it was mentioned. `0` for a new entity.'),
        momentum: z.enum(MOMENTA),
        scale: z.enum(SCALES),
        origins: z
          .int()
          .describe('Independent sources on the latest day; reprints and outlets of one publisher count once.'),
        low_support: z.boolean().describe('`true` with fewer than 3 origins or fewer than 3 days of history.'),
        latest_day: z.string().openapi({ format: 'date', example: '2018-12-31', description: 'UTC day.' }),
        day_complete: z
          .boolean()
          .describe('`false` while the latest day is incomplete and is compared with the same part of earlier days.'),
      })
      .openapi('EntityTrend'),
  ),
  count: z.int(),
}

const EntityTrends = z.object(envelope).openapi('EntityTrends')

const Layer3EntityTrends = z
  .object({
    ...envelope,
    graph_as_of: timestamp.describe('The figures include everything appended to the log by this time.'),
  })
  .openapi('Layer3EntityTrends')

const queryWith = (limit: number) =>
  z.object({
    min_velocity: float({ min: 0, max: 1e9 }).default(2),
    limit: integer({ min: 1, max: 100 }).default(limit),
    type: z.enum(NAMED_TYPES).optional(),
    supported: flag().default(false).describe('`true` excludes entities with `low_support`.'),
    as_of: asOf(),
  })
type TrendsEntitiesQuery = z.output<ReturnType<typeof queryWith>>

const shown = { method: 'get', cost: 'request', status: 200 } as const
const TEXT = {
  summary: 'List entity trends',
  description:
    'Returns the entities mentioned more than usual, fastest first. Velocity is the number of mentions ' +
    'on the latest ingestion day divided by the mean of the 7 ingestion days before it. An ingestion day ' +
    'is a UTC day (event time) for which the namespace has articles. While the latest day is incomplete, ' +
    'earlier days count up to the same time of day. With low support the velocity is shrunk towards 1, ' +
    'as if a sample of 10 mentions, 3 origins and 3 days of history were completed at the usual rate; 5 ' +
    'mentions never reach a velocity of 2. A decline is supported by the number of expected mentions. ' +
    'Dates and sums are excluded.',
}

export const entityTrendRoutes = (dependencies: Dependencies): readonly Route[] => [
  atTheBase(dependencies),
  onTheGraph(dependencies),
]

const atTheBase = (dependencies: Dependencies): Route =>
  defineRoute(
    {
      ...{ ...shown, ...TEXT, tag: 'Trends', tier: 'starter' },
      path: '/v1/trends/entities',
      operationId: 'listEntityTrends',
      request: { query: queryWith(15) },
      answer: EntityTrends,
    },
    ({ query }, context) => answer(dependencies, query, context),
  )

function onTheGraph(dependencies: Dependencies): Route {
  const upTo = graphAsOf([{ group: viewGroup(entities.name), topic: articlesAnalyzed.name }], dependencies)
  return defineRoute(
    {
      ...{ ...shown, ...TEXT, tag: 'Layer 3', tier: 'professional' },
      path: '/layer3/v1/trends/entities',
      operationId: 'listGraphEntityTrends',
      problems: ['graph_build_in_progress'],
      request: { query: queryWith(20) },
      answer: Layer3EntityTrends,
    },
    async ({ query }, context) => {
      const graph_as_of = new Date(await upTo()).toISOString()
      return { ...(await answer(dependencies, query, context)), graph_as_of }
    },
  )
}

async function answer(
  { store }: Dependencies,
  { type, as_of, ...query }: TrendsEntitiesQuery,
  { caller, now }: CallContext,
) {
  const types = type === undefined ? NAMED_TYPES : [type]
  const trends = await entityTrends(store, { ...query, types, namespace: caller.namespace, as_of: as_of ?? now })
  return { trends, count: trends.length }
}
