import { z } from '@hono/zod-openapi'
import { survivors } from '../../views/clusters/surviving-story.ts'
import { relationships } from '../../views/stories/relationships.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, integer } from '../http/parameters.ts'
import { problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'

const MIN_IDS = 2
const MAX_IDS = 20

const COMPUTED_FROM = 'Layer 1 entities of the articles: PERSON, ORG, GPE, LOC, EVENT'

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
  .refine(({ length }) => length >= MIN_IDS && length <= MAX_IDS, {
    message: `expected ${MIN_IDS} to ${MAX_IDS} different ids, separated by commas`,
  })
  .openapi({ type: 'string', description: `${MIN_IDS} to ${MAX_IDS} cluster ids, separated by commas.` })

const StoryRelationships = z
  .object({
    cluster_count: z.int().describe('Distinct stories; the id of a merged story counts as the surviving one.'),
    relationships: z.array(
      z
        .object({
          source: z.string(),
          target: z.string(),
          confidence: z.number().min(0).max(1).openapi({
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

export const storyRelationshipsRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      method: 'get',
      tag: 'Layer 2',
      tier: 'starter',
      cost: 'request',
      status: 200,
      path: '/v1/stories/relationships',
      operationId: 'relateStories',
      summary: 'Compare stories',
      description:
        'Compares every pair of the given stories by the entities they share, at the time of the request. ' +
        'Returns the closest pairs first.',
      problems: ['cluster_not_found'],
      request: {
        query: z.object({
          ids,
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
      if (unknown !== undefined) return problem('cluster_not_found', `Cluster not found: ${unknown}`)

      const stories = [...new Set(query.ids.flatMap((id) => found.get(id)?.cluster_id ?? []))]
      return {
        cluster_count: stories.length,
        relationships: await relationships(store, { ...params, ids: stories }, query.min_shared),
        computed_from: COMPUTED_FROM,
      }
    },
  )
