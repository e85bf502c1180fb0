import { z } from 'zod'
import { asOf, entityType, limit } from './fields.ts'
import { clipTitle, counted, minute, rounded, section } from './text.ts'
import { defineTool, target } from './tool.ts'

const StoryTrendRows = z.object({
  trends: z.array(
    z.object({
      id: z.string(),
      topic: z.string(),
      velocity: z.number(),
      baseline: z.number(),
      article_count: z.int(),
      origins: z.int(),
      days_of_history: z.int(),
      low_support: z.boolean(),
      categories: z.array(z.string()),
      updated_at: z.string(),
    }),
  ),
})
const EntityTrendRows = z.object({
  trends: z.array(
    z.object({
      entity_id: z.string(),
      entity: z.string(),
      type: z.string(),
      velocity: z.number(),
      baseline: z.number(),
      mentions: z.int(),
      origins: z.int(),
      days_of_history: z.int(),
      low_support: z.boolean(),
      momentum: z.string(),
      latest_day: z.string(),
    }),
  ),
})

const support = {
  independent_sources: z.int(),
  days_of_history: z.int(),
  low_support: z.boolean().describe('true: fewer than 3 independent sources or 3 days of history; say so.'),
}

const Trends = z.object({
  stories: z.array(
    z.object({
      story_id: z.string(),
      title: z.string(),
      velocity: z.number().describe('Articles in the window divided by the baseline.'),
      baseline: z.number(),
      articles: z.int(),
      ...support,
      categories: z.array(z.string()),
      last_article: z.string(),
    }),
  ),
  entities: z.array(
    z.object({
      entity_id: z.string(),
      name: z.string(),
      type: z.string(),
      velocity: z.number().describe('Mentions on the latest day divided by the baseline.'),
      baseline: z.number(),
      mentions: z.int(),
      ...support,
      momentum: z.string(),
      day: z.string(),
    }),
  ),
})

export const listTrends = defineTool({
  name: 'list_trends',
  title: 'List trends',
  description:
    'Lists the stories that grow faster than usual and the entities mentioned more than usual, fastest first, each ' +
    'with its baseline and support. Use it for questions about what is trending, rising or new. State low support ' +
    'where it is true.',
  tier: 'starter',
  input: z.object({
    of: z.enum(['both', 'stories', 'entities']).default('both'),
    time_range: z.enum(['1h', '6h', '24h', '7d']).default('24h').describe('Window of the stories. Default: 24h.'),
    category: z.enum(['technology', 'politics', 'finance', 'geopolitics', 'health']).optional().describe('Of stories.'),
    type: entityType,
    supported_only: z.boolean().default(false).describe('true leaves out trends with low support.'),
    limit: limit(8, 20).describe('Of stories, and of entities.'),
    as_of: asOf,
  }),
  output: Trends,
  requests: ({ of, time_range, category, type, supported_only: supported, limit: count, as_of }) => [
    ...(of === 'entities' ? [] : [target('/v1/trends', { time_range, category, supported, limit: count, as_of })]),
    ...(of === 'stories'
      ? []
      : [target('/v1/trends/entities', { min_velocity: 1.2, type, supported, limit: count, as_of })]),
  ],
  shape: ({ first }, { of }) => ({
    stories: of === 'entities' ? [] : storyTrends(first[0]),
    entities: of === 'stories' ? [] : entityTrends(first.at(-1)),
  }),
  text: ({ stories, entities }) => [
    ...(stories.length + entities.length === 0 ? ['No trends in this window. Use a longer time_range.'] : []),
    ...section(
      'Stories that grow faster than usual:',
      stories.map(
        (trend) =>
          `- [${trend.story_id}] ${trend.title}: velocity ${rounded(trend.velocity)}, ` +
          `${counted(trend.articles, 'article')}, ${supportText(trend)}, last article ${minute(trend.last_article)}`,
      ),
    ),
    ...section(
      'Entities mentioned more than usual:',
      entities.map(
        (trend) =>
          `- [${trend.entity_id}] ${trend.name} (${trend.type}): velocity ${rounded(trend.velocity)}, ` +
          `${counted(trend.mentions, 'mention')} on ${trend.day}, ${supportText(trend)}`,
      ),
    ),
  ],
})

const storyTrends = (body: unknown): z.output<typeof Trends>['stories'] =>
  StoryTrendRows.parse(body).trends.map(({ id, topic, article_count, origins, updated_at, ...trend }) => ({
    ...trend,
    story_id: id,
    title: clipTitle(topic),
    articles: article_count,
    independent_sources: origins,
    last_article: updated_at,
  }))

const entityTrends = (body: unknown): z.output<typeof Trends>['entities'] =>
  EntityTrendRows.parse(body).trends.map(({ entity, origins, latest_day, ...trend }) => ({
    ...trend,
    name: entity,
    independent_sources: origins,
    day: latest_day,
  }))

const supportText = (trend: {
  readonly independent_sources: number
  readonly days_of_history: number
  readonly low_support: boolean
}): string =>
  `${counted(trend.independent_sources, 'independent source')}, ${counted(trend.days_of_history, 'day')} of history` +
  (trend.low_support ? ', low support' : '')
