import { z } from '@hono/zod-openapi'
import { received } from '../../views/echo/story.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { Enrichment, keyed, platform } from './parts.ts'
import { asOf, timestamp } from '../http/parameters.ts'
import { problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterPath } from '../clusters/parts.ts'
import { echoSearchRoutes } from './search.ts'

const MAX_IDS = 50

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

/** `a,b,c`, each once. */
const ids = z
  .string()
  .transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== ''),
    ),
  ])
  .refine(({ length }) => length >= 1 && length <= MAX_IDS, {
    message: `expected 1 to ${MAX_IDS} different ids, separated by commas`,
  })
  .openapi({ type: 'string', description: `1 to ${MAX_IDS} cluster ids, separated by commas.` })

export const echoRoutes = (dependencies: Dependencies): readonly Route[] => [
  story(dependencies),
  stories(dependencies),
  ...echoSearchRoutes(dependencies),
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
        enrichments: [...found.enrichments],
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
      request: { query: z.object({ ids, platform: platform.optional(), as_of: asOf() }) },
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
