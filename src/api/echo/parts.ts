import { z } from '@hono/zod-openapi'
import { PLATFORMS } from '../../events/discourse.ts'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import { SOURCE_STATUSES } from '../../domain/platforms/status.ts'
import { timestamp } from '../http/parameters.ts'

const names = z.array(z.string())

export const platform = z.enum(PLATFORMS)

export const SOURCE_STATUS_TEXT =
  '`live`: the platform was polled recently; `degraded`: the newest poll failed, or two rounds were missed; `stale`: ' +
  'eight rounds without a successful poll.'

export const sourceStatus = z.enum(SOURCE_STATUSES).describe(SOURCE_STATUS_TEXT)

/** What a record and a search row say alike. */
const reception = {
  comment_count_analyzed: z.int().min(1),
  sentiment_score: z.number().min(-1).max(1),
  sentiment_label: z.enum(['positive', 'neutral', 'negative']),
  controversy_score: z.number().min(0).max(1),
  dominant_themes: names,
  editorial_entities: names,
  public_entities: names,
  novel_entities: names.describe('Public entities that are not editorial entities.'),
  counter_narrative_detected: z.boolean(),
  counter_narrative_summary: z
    .string()
    .nullable()
    .describe('Quoted post. `null` if no counter-narrative was detected.'),
  counter_narrative_confidence: z.number().min(0).max(1),
}

export const Enrichment = z
  .object({
    platform,
    thread_urls: names,
    fetched_at: timestamp,
    updated_at: timestamp,
    ...reception,
    evidence: z
      .object({ novel_entities: z.record(z.string(), names), counter_narrative: names })
      .describe('URLs of the posts that support each finding.'),
    sample: z
      .object({ posts: z.int(), authors: z.int(), window: z.object({ start: timestamp, end: timestamp }) })
      .describe('The posts analysed; copies of one text count as one post.'),
    source_status: sourceStatus,
    age_seconds: z.int().min(0).describe('Seconds since `updated_at`; with an earlier `as_of`, since the newest post.'),
  })
  .openapi('Enrichment')

export const EchoResult = z
  .object({
    story_id: z.string(),
    story_title: z.string(),
    platform,
    ...reception,
    article_velocity: z.number().min(0),
    lifecycle_state: z.enum(LIFECYCLE_STATES),
    updated_at: timestamp,
  })
  .openapi('EchoResult')

export const keyed = { method: 'get', tag: 'Echo', tier: 'professional', cost: 'request', status: 200 } as const
