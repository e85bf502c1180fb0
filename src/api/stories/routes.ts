import { HOUR_MS } from '../../domain/days.ts'
import { z } from '@hono/zod-openapi'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import { BrokerClock } from '../../state/settings/broker-clock.ts'
import { surviving, survivors } from '../../views/clusters/surviving-story.ts'
import { clusterDetail } from '../../views/clusters/detail.ts'
import { storyList } from '../../views/stories/list.ts'
import type { Dependencies } from '../http/dependencies.ts'
import {
  anyTimeRange,
  asOf,
  clusterIds,
  integer,
  nextCursor,
  orNull,
  pointInTime,
  quotedLanguages,
  share,
  timestamp,
} from '../http/parameters.ts'
import { validationFailed } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { analysed } from './analyze.ts'
import { clusterNotFound, clusterFields, clusterPath } from '../clusters/parts.ts'
import { clusterDetailFields, clusterQuery } from '../clusters/routes.ts'
import { relationships } from '../../views/stories/relationships.ts'

const lifecycleState = z.enum(LIFECYCLE_STATES)

const LifecycleReason = z
  .object({
    rule: z.string().describe('State of the first matching rule; `contested_still` keeps a story contested.'),
    values: z.record(z.string(), z.number()).describe('Values that the rule evaluated; ages are in hours.'),
    text: z.string().describe('The reason as a sentence.'),
  })
  .openapi('LifecycleReason')

const Story = z
  .object({
    ...clusterFields,
    lifecycle_state: lifecycleState.nullable().describe('`null` for a subject page.'),
    lifecycle_reason: orNull(LifecycleReason).describe('`null` for a subject page.'),
    article_velocity: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'Independent sources that began in the last 24 hours, divided by one plus their earlier mean per 24 ' +
          'hours. Below 2 is low, 5 or more is high. `null` for a subject page.',
      ),
    has_echo: z.boolean().describe('Whether posts about the story have been received.'),
  })
  .openapi('Story')

const Stories = z
  .object({ stories: z.array(Story), total: z.int(), page: z.int(), next_cursor: nextCursor })
  .openapi('Stories')

const StoryDetail = z.object({ story_id: z.string(), ...clusterDetailFields }).openapi('StoryDetail')

const StoryAnalysis = z
  .object({
    story_id: z.string(),
    lifecycle_state: lifecycleState,
    previous_state: lifecycleState.nullable().describe('Last persisted state. `null` if there is none.'),
    changed: z.boolean(),
    reason: LifecycleReason,
    evaluated_at: timestamp,
  })
  .openapi('StoryAnalysis')

const StoryRelationships = z
  .object({
    cluster_count: z.int().describe('Distinct stories; the id of a merged story counts as the surviving one.'),
    relationships: z.array(
      z
        .object({
          source: z.string(),
          target: z.string(),
          confidence: share.openapi({
            description: 'Entities shared by both stories, divided by entities mentioned in either.',
          }),
          type: z.literal('shared_entities'),
          shared_count: z.int(),
          shared_entities: z.array(z.string()).describe('Names.'),
        })
        .openapi('StoryRelationship'),
    ),
    computed_from: z.string(),
  })
  .openapi('StoryRelationships')

const keyed = { method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 } as const

export const storyRoutes = (dependencies: Dependencies): readonly Route[] => [
  list(dependencies),
  compare(dependencies),
  detail(dependencies),
  analyze(dependencies),
]

const list = ({ store, summaryModel, lifecycle: numbers }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/stories',
      operationId: 'listStories',
      summary: 'List stories',
      description:
        'Like `GET /v1/clusters`, with the lifecycle state of each story. The state is computed for `as_of` ' +
        'from the last persisted state and the articles known by then. `total` counts the stories in the ' +
        'requested state. Subject pages have no state.',
      request: {
        query: z.object({
          ...clusterQuery,
          time_range: anyTimeRange().describe(
            'Default: `24h`; with `lifecycle_state`, `30d`, since inactive stories have no recent articles.',
          ),
          lifecycle_state: lifecycleState.optional(),
        }),
      },
      answer: Stories,
    },
    async ({ query: { time_range, topic, as_of, cursor, lifecycle_state, ...query } }, { caller, now }) => {
      if (query.kind === 'subject' && lifecycle_state !== undefined) {
        return validationFailed([{ path: 'lifecycle_state', message: 'subject pages have none' }])
      }
      const byDefault = (lifecycle_state === undefined ? 24 : 720) * HOUR_MS
      const params = {
        ...query,
        numbers,
        ...pointInTime(as_of, now),
        namespace: caller.namespace,
        window_ms: time_range?.ms ?? byDefault,
        topic: topic ?? null,
        lifecycle_state: lifecycle_state ?? null,
        cursor,
      }
      return storyList(store, params, summaryModel)
    },
  )

const onStory = z.object({ story_id: clusterPath })

const detail = ({ store, summaryModel }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/story/{story_id}',
      operationId: 'getStory',
      summary: 'Retrieve a story',
      description:
        'Returns the same fields as `GET /v1/clusters/{cluster_id}`, and `story_id`; subject pages are included. ' +
        'The lifecycle state is returned by `GET /v1/stories`.',
      problems: ['cluster_not_found'],
      request: { params: onStory, query: z.object({ as_of: asOf(), languages: quotedLanguages() }) },
      answer: StoryDetail,
    },
    async ({ params: { story_id }, query: { as_of, languages } }, { caller: { namespace }, now }) => {
      const params = { namespace, cluster_id: story_id, as_of: as_of ?? now, languages }
      const found = await clusterDetail(store, params, summaryModel)
      return found === null ? clusterNotFound(story_id) : { story_id: found.id, ...found }
    },
  )

function analyze(dependencies: Dependencies): Route {
  const ports = { ...dependencies, brokerClock: new BrokerClock(dependencies) }
  return defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/story/{story_id}/analyze',
      operationId: 'analyzeStory',
      summary: 'Update the lifecycle state of a story',
      description: 'Computes the lifecycle state of a story and persists it if it has changed.',
      problems: ['cluster_not_found'],
      request: { params: onStory, query: z.object({ as_of: asOf() }) },
      answer: StoryAnalysis,
    },
    async ({ params: { story_id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const at = as_of ?? now
      if (at > now) return validationFailed([{ path: 'as_of', message: 'must not be in the future' }])
      const story = await surviving(dependencies.store, { namespace, cluster_id: story_id, as_of: at })
      if (story === null) return clusterNotFound(story_id)
      const { cluster_id } = story
      const found = await analysed({ namespace, cluster_id, at }, ports)
      if (found === null) return clusterNotFound(story_id)
      return {
        story_id: cluster_id,
        lifecycle_state: found.state,
        previous_state: found.previous,
        changed: found.state !== found.previous,
        reason: found.reason,
        evaluated_at: new Date(at).toISOString(),
      }
    },
  )
}

const compare = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/stories/relationships',
      operationId: 'relateStories',
      summary: 'Compare stories',
      description:
        'Compares every pair of the given stories by the entities they share, at the time of the request. ' +
        'Returns the closest pairs first.',
      problems: ['cluster_not_found'],
      request: {
        query: z.object({
          ids: clusterIds({ min: 2, max: 20 }),
          min_shared: integer({ min: 0, max: 10_000 })
            .default(3)
            .describe('Minimum number of shared entities. `0` returns every pair.'),
          as_of: asOf(),
        }),
      },
      answer: StoryRelationships,
    },
    async ({ query }, { caller: { namespace }, now }) => {
      const params = { namespace, as_of: query.as_of ?? now }
      const found = await survivors(store, { ...params, ids: query.ids })
      const unknown = query.ids.find((id) => !found.has(id))
      if (unknown !== undefined) return clusterNotFound(unknown)

      const stories = [...new Set(query.ids.flatMap((id) => found.get(id)?.cluster_id ?? []))]
      return {
        cluster_count: stories.length,
        relationships: await relationships(store, { ...params, ids: stories }, query.min_shared),
        computed_from: 'Layer 1 entities of the articles: PERSON, ORG, GPE, LOC, EVENT',
      }
    },
  )
