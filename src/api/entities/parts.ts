import { z } from '@hono/zod-openapi'
import { sentimentScore } from '../http/parameters.ts'
import { problem, type Problem } from '../http/problem.ts'

/** People, organizations, places and events: the entity types of all routes outside Layer 1. */
export const NAMED_TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT'] as const
/** Layer 1 also extracts dates and amounts of money. */
export const ALL_TYPES = [...NAMED_TYPES, 'DATE', 'MONEY'] as const

/** Items list at most this many article ids; counts are always complete. */
export const MAX_ARTICLE_IDS = 1_000

export const entityPath = z.string().max(1_000).trim().min(1)

export const day = z.string().openapi({ format: 'date', example: '2018-12-31', description: 'UTC day.' })

const distribution = z
  .object({ positive: z.int(), neutral: z.int(), negative: z.int() })
  .describe('Articles by sentiment: positive from +0.15 up, negative from -0.15 down.')

export const SentimentSummary = z.object({ avg: sentimentScore, distribution })

export const SentimentDay = z
  .object({
    date: day,
    avg_sentiment: sentimentScore.describe('Mean over the articles; `0` if `article_count` is 0.'),
    article_count: z.int(),
    distribution,
  })
  .openapi('SentimentDay')

export const entityNotFound = (entity: string): Problem => problem('entity_not_found', `Entity not found: ${entity}`)
