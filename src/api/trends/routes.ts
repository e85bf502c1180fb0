import { z } from '@hono/zod-openapi'
import { CATEGORY_NAMES } from '../../language/categories/categories.ts'
import { SCALES } from '../../domain/trends/momentum.ts'
import { storyTrends } from '../../views/trends/story-trends.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, flag, integer, timestamp, WINDOWS } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { certaintyQuery } from '../clusters/parts.ts'
import { entityTrendRoutes } from './entities.ts'

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
          article_count: z.int().describe('In the window.'),
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
              'UTC days with an article before the window. `0` for a new story, whose `velocity` has no history to ' +
              'compare with.',
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

export const trendRoutes = (dependencies: Dependencies): readonly Route[] => [
  stories(dependencies),
  ...entityTrendRoutes(dependencies),
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
          min_articles: integer({ min: 1, max: 10_000 }).default(3).describe('In the window.'),
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
