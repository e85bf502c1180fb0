import { z } from '@hono/zod-openapi'
import { received } from '../../views/echo/story.ts'
import type { Dependencies } from '../http/dependencies.ts'
import {
  asOf,
  clusterIds,
  flag,
  float,
  nextCursor,
  offset,
  paging,
  pointInTime,
  sentimentScore,
  share,
  timestamp,
} from '../http/parameters.ts'
import { problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterPath } from '../clusters/parts.ts'
import { PLATFORMS } from '../../events/discourse.ts'
import { echoList } from '../../views/echo/list.ts'
import { ENTITY_SCOPES, RECEPTION } from '../../views/echo/queries.ts'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import { SOURCE_STATUSES } from '../../domain/platforms/status.ts'

const names = z.array(z.string())

const platform = z.enum(PLATFORMS)

export const SOURCE_STATUS_TEXT =
  '`live`: the platform was polled recently; `degraded`: the newest poll failed, or two rounds were missed; `stale`: ' +
  'eight rounds without a successful poll.'

const sourceStatus = z.enum(SOURCE_STATUSES).describe(SOURCE_STATUS_TEXT)

/** The fields that a record and a search result share. */
const reception = {
  comment_count_analyzed: z.int().min(1),
  ...RECEPTION,
  sentiment_score: sentimentScore,
  controversy_score: share,
  novel_entities: names.describe('Entities that posts mention and the articles do not.'),
  counter_narrative_summary: z
    .string()
    .nullable()
    .describe('Quoted post. `null` if no counter-narrative was detected.'),
  counter_narrative_confidence: share,
}

const Enrichment = z
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

const EchoResult = z
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

const keyed = { method: 'get', tag: 'Echo', tier: 'professional', cost: 'request', status: 200 } as const

const StoryEnrichments = z
  .object({
    story_id: z.string(),
    enrichments: z.array(Enrichment),
    count: z.int(),
    merged_into: z.string().nullable().openapi({
      description: "This story's id if it was requested by the id of a story merged into it, otherwise `null`.",
    }),
    merged_at: timestamp.nullable(),
  })
  .openapi('StoryEnrichments')

const StoriesEnrichments = z
  .record(z.string(), z.union([z.array(Enrichment), z.array(z.string())]))
  .openapi('StoriesEnrichments', {
    type: 'object',
    description: 'Records by requested id, for the story that the id refers to.',
    properties: {
      missing: { type: 'array', items: { type: 'string' }, description: 'Requested ids without a record.' },
    },
    required: ['missing'],
    additionalProperties: { type: 'array', items: { $ref: '#/components/schemas/Enrichment' } },
  })

export const echoRoutes = (dependencies: Dependencies): readonly Route[] => [
  story(dependencies),
  stories(dependencies),
  trending(dependencies),
  search(dependencies),
]

const story = ({ store, lifecycle }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/echo/v1/echo/story/{story_id}',
      operationId: 'getStoryReception',
      summary: 'Retrieve the reception of a story',
      description:
        'Returns one record per platform. If a platform cannot be polled, its last record is returned with ' +
        'its age and a different `source_status`.',
      problems: ['no_enrichment'],
      request: { params: z.object({ story_id: clusterPath }), query: z.object({ as_of: asOf() }) },
      answer: StoryEnrichments,
    },
    async ({ params: { story_id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const params = { namespace, ids: [story_id], as_of: as_of ?? now, aheadMs: lifecycle.contested.aheadMs }
      const found = (await received(store, params)).get(story_id)
      if (found === undefined || found.enrichments.length === 0) {
        return problem('no_enrichment', `No public discourse on story ${story_id}`)
      }
      const { cluster_id, merged_at } = found.story
      return {
        story_id: cluster_id,
        enrichments: found.enrichments,
        count: found.enrichments.length,
        merged_into: merged_at === null ? null : cluster_id,
        merged_at,
      }
    },
  )

const stories = ({ store, lifecycle }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/echo/v1/echo/stories',
      operationId: 'getStoryReceptions',
      summary: 'Retrieve the reception of several stories',
      description:
        'Returns the records of each requested story, one per platform. `missing` lists ids without a record.',
      request: {
        query: z.object({ ids: clusterIds({ min: 1, max: 50 }), platform: platform.optional(), as_of: asOf() }),
      },
      answer: StoriesEnrichments,
    },
    async ({ query }, { caller: { namespace }, now }) => {
      const params = { namespace, ids: query.ids, as_of: query.as_of ?? now, aheadMs: lifecycle.contested.aheadMs }
      const found = await received(store, params)
      const entries = query.ids.map((id) => {
        const records = found.get(id)?.enrichments ?? []
        return [id, records.filter((one) => query.platform === undefined || one.platform === query.platform)] as const
      })
      const missing = entries.flatMap(([id, records]) => (records.length === 0 ? [id] : []))
      return { ...Object.fromEntries(entries.filter(([, records]) => records.length > 0)), missing }
    },
  )

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

/** Part of a name, matched literally, without wildcards. An empty value counts as not set. */
const part = (description: string) =>
  z
    .string()
    .max(200)
    .transform((text) => (text.trim() === '' ? undefined : text.trim().normalize('NFC')))
    .optional()
    .describe(description)

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
          min_controversy: score().default(0.6),
          counter_narrative_only: flag().default(false),
          platform: platform.optional(),
          ...paging({ limit: 20, max: 50 }),
          as_of: asOf(),
        }),
      },
      answer: EchoTrending,
    },
    async ({ query }, { caller: { namespace }, now }) => {
      const { min_controversy, counter_narrative_only, platform = null, limit, cursor, as_of } = query
      const { results, next_cursor } = await echoList(store, {
        ...pointInTime(as_of, now),
        ...{ namespace, numbers, cursor, limit, offset: 0, sort: 'controversy' },
        ...{ entity: null, entity_scope: 'any', topic: null, min_controversy },
        counter_narrative: counter_narrative_only ? true : null,
        platforms: platform === null ? null : [platform],
      })
      const filters = { min_controversy, counter_narrative_only, platform, limit }
      return { results, count: results.length, filters, next_cursor }
    },
  )

const search = ({ store, lifecycle: numbers }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/echo/v1/echo/search',
      operationId: 'searchReceptions',
      summary: 'Search receptions',
      description: 'Returns one row per story and platform that meets all conditions, last updated first, then by id.',
      request: {
        query: z.object({
          entity: part("Part of an entity's name, case-insensitive."),
          entity_scope: z
            .enum(ENTITY_SCOPES)
            .default('any')
            .describe(
              'Which entities `entity` is matched against: those of the articles, of the posts, or of the posts only.',
            ),
          topic: part('Part of one of `dominant_themes`, case-insensitive.'),
          counter_narrative: flag().optional(),
          min_controversy: score().optional(),
          platform: z
            .string()
            .max(200)
            .optional()
            .openapi({
              description: `One or more of ${PLATFORMS.map((name) => `\`${name}\``).join(', ')}, comma-separated. Other values match no record.`,
            }),
          ...paging({ limit: 20, max: 100 }),
          offset: offset(),
          as_of: asOf(),
        }),
      },
      answer: EchoSearch,
    },
    async ({ query: { cursor, as_of, ...query } }, { caller: { namespace }, now }) => {
      const { entity = null, topic = null, counter_narrative = null, min_controversy = null, ...rest } = query
      const filters = { entity, topic, counter_narrative, min_controversy, ...rest, platform: rest.platform ?? null }
      const { results, next_cursor } = await echoList(store, {
        ...filters,
        ...pointInTime(as_of, now),
        ...{ namespace, numbers, cursor, sort: 'updated' },
        min_controversy: min_controversy ?? 0,
        platforms: platformsIn(rest.platform),
      })
      return { results, count: results.length, filters, next_cursor }
    },
  )

/** The known platforms in a list of names, in the order that cursors use. `null` for all platforms. */
function platformsIn(text: string | undefined): string[] | null {
  if (text === undefined || text.trim() === '') return null
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  return PLATFORMS.filter((name) => names.includes(name)).toSorted()
}
