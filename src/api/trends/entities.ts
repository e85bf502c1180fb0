import { z } from '@hono/zod-openapi'
import { articlesAnalyzed } from '../../events/articles.ts'
import { viewGroup } from '../../ports/log.ts'
import { MOMENTA, SCALES } from '../../domain/trends/momentum.ts'
import { entityTrends } from '../../views/trends/entity-trends.ts'
import { entities } from '../../views/entities/project.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { graphAsOf } from '../http/complete-up-to.ts'
import { asOf, flag, float, integer, timestamp } from '../http/parameters.ts'
import { defineRoute, type CallContext, type Route } from '../http/route.ts'
import { NAMED_TYPES } from '../entities/parts.ts'

const envelope = {
  trends: z.array(
    z
      .object({
        entity: z.string().openapi({ description: 'Canonical name.' }),
        entity_id: z.string(),
        type: z.string(),
        velocity: z
          .number()
          .min(0)
          .openapi({
            description:
              '`mentions` over `baseline`. With fewer than 10 mentions, 3 origins or 3 days of history it is shrunk towards 1. ' +
              'With a `days_of_history` of 0 the entity is new: there is no baseline, and the velocity is 1 by definition.',
          }),
        mentions: z.int().openapi({ description: 'On the latest ingestion day.' }),
        baseline: z.number().openapi({
          description:
            'Mean mentions of the prior 7 ingestion days, fewer where there are fewer: of whole days, or up to the same time ' +
            'of day while `day_complete` is false. 0: none.',
        }),
        days_of_history: z.int().openapi({ description: 'On how many of these days it was named; 0: it is new.' }),
        momentum: z.enum(MOMENTA),
        scale: z.enum(SCALES),
        origins: z.int().openapi({
          description: 'Independent accounts on the latest day: re-prints and outlets of one house count once.',
        }),
        low_support: z.boolean().openapi({ description: 'Under 3 origins or 3 days of history.' }),
        latest_day: z.string().openapi({ format: 'date', example: '2018-12-31', description: 'UTC.' }),
        day_complete: z.boolean().openapi({
          description: 'False: the latest day still runs, and is compared with the same part of earlier days.',
        }),
      })
      .openapi('EntityTrend'),
  ),
  count: z.int(),
}

const EntityTrends = z.object(envelope).openapi('EntityTrends')

const Layer3EntityTrends = z
  .object({
    ...envelope,
    graph_as_of: timestamp.openapi({ description: 'What the log took up to then has come into these figures.' }),
  })
  .openapi('Layer3EntityTrends')

const queryWith = (limit: number) =>
  z.object({
    min_velocity: float({ min: 0, max: 1e9 }).default(2),
    limit: integer({ min: 1, max: 100 }).default(limit),
    type: z.enum(NAMED_TYPES).optional(),
    supported: flag().default(false).openapi({ description: 'True: leaves out entities with `low_support`.' }),
    as_of: asOf(),
  })
type TrendsEntitiesQuery = z.output<ReturnType<typeof queryWith>>

const shown = { method: 'get', cost: 'request', status: 200 } as const
const TEXT = {
  summary: 'Entities that are named above their usual measure, the fastest first',
  description:
    'Mentions on the latest ingestion day over their mean on the prior 7. An ingestion day is a UTC day of event time of ' +
    'which the namespace has articles, so days without any do not count. While the latest day runs, earlier days count up ' +
    'to the same time of day. Where support is small the velocity is shrunk towards 1: the mentions are taken as part of a ' +
    'sample of 10 mentions, 3 origins and 3 days of history whose rest comes at the usual rate. So 5 mentions never reach ' +
    '2. A fall has the support of the mentions that were to be expected. Dates and sums are left out.',
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
