import { z } from '@hono/zod-openapi'
import { type ChangeData, type ChangeType, CHANGE_TYPES } from '../../events/changes.ts'
import { PLATFORMS } from '../../events/discourse.ts'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import type { Tier } from '../../events/settings.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { sentimentScore, share, timestamp } from '../http/parameters.ts'
import { changeJson } from './frames.ts'

const count = z.int().min(0)
const velocity = z.number().describe('Multiple of the baseline.')
const baseline = z.number().describe('Mean per window, over the time before the window.')
const origins = count.describe('Independent sources.')
const origin_count = count
  .nullable()
  .describe('Independent sources of the story after the change; `null` if not known.')
const window_hours = count.openapi({ example: 6 })
const low_support = z
  .boolean()
  .describe('`true` with fewer than 3 independent sources or fewer than 3 days of history.')

const ArticlePayload = z
  .object({
    article_id: z.string(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    source: z.string().nullable(),
    published_date: timestamp.nullable(),
    language: z.string().openapi({ description: 'ISO 639-1 code, or `und` if undetermined.', example: 'en' }),
    quality_score: share,
    forwarded: z.boolean().describe('Whether the article proceeds to Layer 1.'),
    gate_reason: z
      .string()
      .describe('`passed`; `below_gate`: quality too low; `private_bypass`: private namespaces have no quality gate.'),
    semantic_hash: z.string().describe('16 hexadecimal digits; equal for reprints.'),
  })
  .openapi('ArticlePayload')

const ClusterPayload = z
  .object({
    cluster_id: z.string().describe('Story that the articles joined.'),
    from_cluster_id: z.string().nullable().describe('Story that the articles left.'),
    article_ids: z
      .array(z.string())
      .describe('Articles that joined; for `cluster.settled`, all articles of the story.'),
    correction_id: z.string().nullable().describe('`null` if no correction caused the change.'),
    correction_action: z
      .string()
      .nullable()
      .describe('`move`, `merge`, `split`, `keep_apart` or `undo`; `null` if no correction caused the change.'),
    origin_count,
  })
  .openapi('ClusterPayload')

const TransitionPayload = z
  .object({
    cluster_id: z.string(),
    lifecycle_state: z.enum(LIFECYCLE_STATES),
    previous_state: z.enum(LIFECYCLE_STATES).nullable().describe('`null` for the first state.'),
    rule: z.string(),
    facts: z.record(z.string(), z.number()).describe('Values that the rule evaluated; ages are in hours.'),
    origin_count,
    evaluated_at: timestamp,
  })
  .openapi('TransitionPayload')

const ReceptionPayload = z
  .object({
    cluster_id: z.string(),
    platform: z.enum(PLATFORMS),
    sentiment_score: sentimentScore,
    sentiment_label: z.enum(['positive', 'neutral', 'negative']),
    controversy_score: share.describe('How strongly, and how evenly, replies support and deny the story.'),
    counter_narrative_detected: z.boolean(),
    counter_narrative_confidence: share,
    comment_count_analyzed: count.describe('Posts analyzed; `0` after the last post was deleted.'),
    dominant_themes: z.array(z.string()).describe('At most 5.'),
    novel_entities: z.array(z.string()).describe('Names that posts mention and the articles do not.'),
  })
  .openapi('ReceptionPayload', { description: 'How the posts of one platform received the story.' })

const TrendPayload = z
  .object({
    cluster_id: z.string(),
    title: z.string(),
    category: z.string().nullable(),
    velocity,
    baseline,
    window_hours,
    article_count: count,
    origins,
    low_support,
  })
  .openapi('TrendPayload')

const SpikePayload = z
  .object({
    entity_id: z.string(),
    name: z.string(),
    velocity,
    baseline,
    window_hours,
    mention_count: count,
    origins,
    p_value: z.number().nullable().describe('Probability of at least this many mentions by chance.'),
    low_support,
  })
  .openapi('SpikePayload')

const ShiftPayload = z
  .object({
    entity_id: z.string(),
    name: z.string(),
    sentiment_before: sentimentScore.nullable().describe('Mean of the previous window.'),
    sentiment_after: sentimentScore.nullable().describe('Mean of the last window.'),
    window_hours,
    mention_count: count,
    velocity,
    origins,
    low_support,
  })
  .openapi('ShiftPayload')

export const MatchedStoryPayload = z
  .object({
    cluster_id: z.string(),
    title: z.string().nullable().describe('Of the newest article that meets the conditions.'),
    url: z.string().nullable(),
    source: z.string().nullable(),
    article_ids: z.array(z.string()).describe('Articles that meet the conditions, newest first, at most 10.'),
    article_count: count.describe('Articles of the story.'),
    origin_count: count.describe('Independent sources of the story.'),
    lifecycle_state: z.enum(LIFECYCLE_STATES).nullable(),
    velocity: z.number().describe('Articles of the last 24 hours as a multiple of the usual number.'),
    sentiment_score: sentimentScore.describe('Mean of the articles.'),
    matched_at: timestamp.describe('Event time at which the story matched.'),
  })
  .openapi('MatchedStory')

const monitor = { monitor_id: z.string(), monitor_name: z.string() }

const MatchPayload = z
  .object({
    ...monitor,
    conditions_version: count.describe('Raised whenever the conditions of the monitor change.'),
    held: z
      .boolean()
      .describe("Whether the monitor's channels do not receive it now, but later with others as `monitor.digest`."),
    story: MatchedStoryPayload,
  })
  .openapi('MatchPayload')

const DigestPayload = z.object({ ...monitor, stories: z.array(MatchedStoryPayload) }).openapi('DigestPayload')

/** The data and the description of each type of change. */
export const CHANGES = {
  'article.scored': { data: ArticlePayload, summary: 'An article was accepted' },
  'article.revised': { data: ArticlePayload, summary: 'The text or title of an article changed' },
  'cluster.opened': { data: ClusterPayload, summary: 'A story was opened' },
  'cluster.grown': { data: ClusterPayload, summary: 'Articles joined a story' },
  'cluster.moved': { data: ClusterPayload, summary: 'Articles moved to another story' },
  'cluster.merged': { data: ClusterPayload, summary: 'Two stories were merged' },
  'cluster.split': { data: ClusterPayload, summary: 'A story was split' },
  'cluster.settled': {
    data: ClusterPayload,
    summary: 'The membership of a story settled; lists all its articles',
  },
  'cluster.corrected': { data: ClusterPayload, summary: 'A curator corrected a story' },
  'story.transitioned': { data: TransitionPayload, summary: 'A story changed its lifecycle state' },
  'story.enriched': {
    data: ReceptionPayload,
    summary: 'The reception of a story on a platform changed; requires a professional key',
  },
  'trend.detected': { data: TrendPayload, summary: 'A story is trending' },
  'entity.spike': { data: SpikePayload, summary: 'An entity is mentioned far more than usual' },
  'sentiment.shift': { data: ShiftPayload, summary: 'The sentiment towards an entity changed' },
  'monitor.matched': { data: MatchPayload, summary: 'A story matches a monitor' },
  'monitor.digest': { data: DigestPayload, summary: 'Matches of a monitor that were held back, together' },
} as const satisfies {
  readonly [Type in ChangeType]: { readonly data: z.ZodType<ChangeData[Type]>; readonly summary: string }
}

/** The lowest tier that receives a type of change. */
export const tierOf = (type: string): Tier => (type === 'story.enriched' ? 'professional' : 'starter')

const changed = <Type extends ChangeType>(type: Type) =>
  z
    .object({
      id: z.string().describe('The same each time the change is delivered; use it to deduplicate.'),
      type: z.literal(type),
      occurred_at: timestamp.describe('Event time.'),
      data: CHANGES[type].data,
    })
    .openapi(`${pascalCase(type)}Change`)

/** Converts `trend.detected` to `TrendDetected`. */
export const pascalCase = (type: string): string =>
  type
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** A change of the feed. */
export const Change = z
  .discriminatedUnion('type', [changed(CHANGE_TYPES[0]), ...CHANGE_TYPES.slice(1).map((type) => changed(type))])
  .openapi('Change')

/**
 * The stage writes `data` according to its type, and a test verifies the schemas against it. Here it is passed through.
 */
const passed = z.custom<z.input<typeof Change>>()

export const changeOf = (change: FeedChange): z.input<typeof Change> => passed.parse(JSON.parse(changeJson(change)))
