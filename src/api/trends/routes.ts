import { z } from '@hono/zod-openapi'
import { CATEGORY_NAMES } from '../../language/categories/categories.ts'
import { SCALES, MOMENTA } from '../../domain/trends/velocity.ts'
import { storyTrends } from '../../views/trends/story-trends.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, flag, integer, timestamp, WINDOWS, float } from '../http/parameters.ts'
import { defineRoute, type Route, type CallContext } from '../http/route.ts'
import { certaintyQuery } from '../clusters/parts.ts'
import { articlesAnalyzed } from '../../events/articles.ts'
import { viewGroup } from '../../ports/log.ts'
import { entityTrends } from '../../views/trends/entity-trends.ts'
import { entities as entityView } from '../../views/entities/project.ts'
import { graphAsOf } from '../http/caught-up.ts'
import { NAMED_TYPES } from '../entities/parts.ts'

const SPEEDS = {
  low: { at_least: 0, below: 2 },
  medium: { at_least: 2, below: 5 },
  high: { at_least: 5, below: Infinity },
  any: { at_least: 0, below: Infinity },
} as const

const StoryTrends = z
  .object({
    trends: z.array(
      z
        .object({
          id: z.string().describe('Id of the story.'),
          topic: z.string().describe('Title of the story.'),
          velocity: z.number().min(0).openapi({
            description: 'Articles in the window divided by `baseline`. Below 2 is low, 5 or more is high.',
          }),
          article_count: z.int().describe('Articles in the window.'),
          growth_rate: z
            .number()
            .describe('Change of `article_count` relative to the previous window (relative to 1 if that had none).'),
          first_detected: timestamp.describe(
            'Time when the velocity first exceeded 5 with three independent sources; otherwise the time of the ' +
              'first article.',
          ),
          related_entities: z
            .array(z.string())
            .describe('Ids of the ten entities mentioned in most of its articles. Dates and sums are excluded.'),
          sentiment_shift: z.number().min(-2).max(2).openapi({
            description:
              'Mean sentiment of the articles in the window minus that of earlier articles; `0` if there are none.',
          }),
          geographic_spread: z.array(z.string()).describe('ISO 3166-1 alpha-2 codes.'),
          categories: z.array(z.string()),
          total_articles: z.int(),
          baseline: z
            .number()
            .describe('Articles per earlier window, plus one; `1` for a story that begins in the window.'),
          origins: z.int().describe('Independent sources of the articles in the window.'),
          days_of_history: z.int().openapi({
            description:
              'Number of UTC days before the window with an article. `0` for a new story, which has no baseline of its ' +
              'own.',
          }),
          low_support: z.boolean().describe('`true` with fewer than 3 origins or fewer than 3 days of history.'),
          scale: z.enum(SCALES),
          updated_at: timestamp,
        })
        .openapi('StoryTrend'),
    ),
    count: z.int(),
  })
  .openapi('StoryTrends')

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
        mentions: z.int().describe('Mentions on the latest ingestion day.'),
        baseline: z.number().openapi({
          description:
            'Mean mentions of the previous 7 ingestion days (or as many as there are): of whole days, or up to ' +
            'the same time of day while `day_complete` is `false`. `0` if there are none.',
        }),
        days_of_history: z
          .int()
          .describe('Number of the previous ingestion days on which it was mentioned. `0` for a new entity.'),
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
    graph_as_of: timestamp.describe('Time up to which the figures are complete.'),
  })
  .openapi('Layer3EntityTrends')

export const trendRoutes = (dependencies: Dependencies): readonly Route[] => [
  stories(dependencies),
  entities(dependencies),
  graphEntities(dependencies),
]

const stories = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Trends', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/trends',
      operationId: 'listStoryTrends',
      summary: 'List story trends',
      description:
        'Returns the stories that grow faster than their baseline, fastest first. The window starts after ' +
        '`as_of` - `time_range` and includes `as_of`. Velocity never exceeds `article_count`, so a story ' +
        'that resumes after a long silence does not rank above a new one.',
      request: {
        query: z.object({
          category: z.enum(CATEGORY_NAMES).optional(),
          velocity: z.enum(['low', 'medium', 'high']).optional().openapi({
            description: '`low` below 2, `medium` below 5, `high` 5 and above. Default: all.',
          }),
          time_range: z.enum(['1h', '6h', '24h', '7d']).default('24h'),
          min_articles: integer({ min: 1, max: 10_000 })
            .default(3)
            .describe('Minimum number of articles in the window.'),
          ...certaintyQuery,
          supported: flag().default(false).describe('`true` excludes stories with `low_support`.'),
          limit: integer({ min: 1, max: 50 }).default(20),
          as_of: asOf(),
        }),
      },
      answer: StoryTrends,
    },
    async ({ query: { category, velocity, time_range, as_of, ...query } }, { caller, now }) => {
      const trends = await storyTrends(store, {
        ...query,
        namespace: caller.namespace,
        as_of: as_of ?? now,
        window_ms: WINDOWS[time_range],
        category: category ?? null,
        velocity: SPEEDS[velocity ?? 'any'],
      })
      return { trends, count: trends.length }
    },
  )

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

const entities = (dependencies: Dependencies): Route =>
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

function graphEntities(dependencies: Dependencies): Route {
  const upTo = graphAsOf([{ group: viewGroup(entityView.name), topic: articlesAnalyzed.name }], dependencies)
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
