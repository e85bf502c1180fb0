import { z } from '@hono/zod-openapi'
import type { SeriesBucket, Series } from '../../views/entities/series.ts'
import { integer } from '../http/parameters.ts'
import { problem, type Problem } from '../http/problem.ts'

/** Who, where and what; the base address speaks of these. */
export const NAMED_TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT'] as const
/** Layer 1 knows dates and sums too. */
export const ALL_TYPES = [...NAMED_TYPES, 'DATE', 'MONEY'] as const

/** Items name at most so many articles; counts are always whole. */
export const MAX_ARTICLE_IDS = 1_000

/** What both lists of entities are narrowed by. */
export const listFilters = <Types extends readonly [string, ...string[]]>(types: Types) => ({
  query: z.string().max(200).trim().min(1).optional().describe('Part of a name, case-insensitive.'),
  type: z.enum(types).optional(),
  min_mentions: integer({ min: 0, max: 1_000_000 }).default(1).describe('Within the window.'),
})

export const listEnvelope = <Types extends readonly [string, ...string[]]>(types: Types) => ({
  total: z.int().describe('Total over all pages.'),
  query: z.string().describe('Empty if no query was given.'),
  type_filter: z.enum(types).nullable(),
})

export const entityPath = z.string().max(1_000).trim().min(1)

const day = z.string().openapi({ format: 'date', example: '2018-12-31', description: 'UTC day.' })
const sentiment = z.number().min(-1).max(1)

const distribution = z
  .object({ positive: z.int(), neutral: z.int(), negative: z.int() })
  .describe('Articles by sentiment: positive from +0.15 up, negative from -0.15 down.')

export const SentimentSummary = z.object({ avg: sentiment, distribution })

export const SentimentDay = z
  .object({
    date: day,
    avg_sentiment: sentiment.describe('Mean over the articles; `0` if `article_count` is 0.'),
    article_count: z.int(),
    distribution,
  })
  .openapi('SentimentDay')

const seriesEnvelope = {
  entity: z.string().describe('Canonical name of the most mentioned matching entity.'),
  entity_ids: z.array(z.string()).describe('Entities counted, one per type, most mentioned first.'),
  type_filter: z.enum(ALL_TYPES).nullable().describe('`null` if all types of the name are counted together.'),
  time_range: z.string(),
}

const mentions = {
  mention_count: z.int(),
  article_count: z.int().describe('Distinct articles.'),
}

const total_mentions = z.int().describe('Sum over the timeline.')

export const Layer1Timeline = z
  .object({ ...seriesEnvelope, total_mentions, timeline: z.array(z.object({ date: day, ...mentions })) })
  .openapi('Layer1EntityTimeline')

export const EntityTimeline = z
  .object({
    ...seriesEnvelope,
    total_mentions,
    timeline: z.array(
      z.object({
        date: z.string().openapi({
          example: '2018-12-31',
          description: 'UTC day; for shorter buckets, the start of the bucket.',
        }),
        ...mentions,
        type: z.string().describe('Type of the entity; if several share the name, of the most mentioned.'),
        article_ids: z.array(z.string()).describe(`Newest first, at most ${MAX_ARTICLE_IDS}.`),
      }),
    ),
  })
  .openapi('EntityTimeline')

export const EntitySentiment = z
  .object({
    ...seriesEnvelope,
    avg_sentiment: sentiment.describe(
      'Mean sentiment of the articles towards the entity; `0` if `total_articles` is 0.',
    ),
    total_articles: z.int(),
    timeline: z.array(SentimentDay),
  })
  .openapi('EntitySentiment')

/** What every timeline says of its window. */
export const WINDOW_TEXT =
  'The window starts after `as_of` - `time_range` and includes `as_of`. Every UTC bucket that overlaps ' +
  'the window is returned, buckets without mentions as zero; the first and last bucket may be partial. ' +
  'A name stands for its entities of all types unless `type` is given.'

export const sentimentDay = ({ date, avg_sentiment, article_count, distribution: articles }: SeriesBucket) => ({
  ...{ date, avg_sentiment, article_count },
  distribution: { ...articles },
})

export const sentimentAnswer = ({ buckets, avg_sentiment, article_count }: Series) => ({
  avg_sentiment,
  total_articles: article_count,
  timeline: buckets.map(sentimentDay),
})

export const entityNotFound = (entity: string): Problem => problem('entity_not_found', `Entity not found: ${entity}`)
