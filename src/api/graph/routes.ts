import { z } from '@hono/zod-openapi'
import { entityPairCount, graphStats } from '../../views/graph/stats.ts'
import { clusterRelationships } from '../../views/graph/relationships.ts'
import { threadDetail, threadList } from '../../views/graph/threads.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { cachedCount } from './cached-count.ts'
import {
  completeUpTo,
  ClusterRelationships,
  GraphBuild,
  GraphStats,
  ThreadDetail,
  Threads,
  THREAD_STATUS,
} from './parts.ts'
import { asOf, offset, paging, pointInTime } from '../http/parameters.ts'
import { problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterNotFound, clusterPath } from '../clusters/parts.ts'

const keyed = { tag: 'Layer 3', tier: 'professional', status: 200 } as const
const read = { ...keyed, method: 'get', cost: 'request' } as const

type GraphUpTo = (as_of: number) => Promise<string>

export function graphRoutes(dependencies: Dependencies): readonly Route[] {
  const upTo = completeUpTo(dependencies)
  return [
    stats(dependencies, upTo, pairsUpTo(dependencies, upTo)),
    relationships(dependencies, upTo),
    threads(dependencies, upTo),
    thread(dependencies, upTo),
    build(dependencies, upTo),
  ]
}

/**
 * Number of pairs of named entities that occur together in at least one article, and the time up to which the count is
 * complete.
 */
const pairsUpTo = ({ store, clock }: Dependencies, upTo: GraphUpTo) =>
  cachedCount(clock, async ({ namespace, as_of }) => {
    const graph_as_of = await upTo(as_of)
    const [all] = await entityPairCount(store)({ namespace, as_of })
    return { entity_relationships: all?.pairs ?? 0, graph_as_of }
  })

const stats = ({ store }: Dependencies, upTo: GraphUpTo, pairs: ReturnType<typeof pairsUpTo>): Route =>
  defineRoute(
    {
      ...read,
      path: '/layer3/v1/graph/stats',
      operationId: 'getGraphStats',
      summary: 'Retrieve graph statistics',
      description: 'Returns the size of the story graph, and the number of trending entities, as of a point in time.',
      problems: ['graph_build_in_progress'],
      request: { query: z.object({ as_of: asOf() }) },
      answer: GraphStats,
    },
    async ({ query: { as_of } }, { caller: { namespace }, now }) => {
      const params = { namespace, ...pointInTime(as_of, now) }
      const graph_as_of = await upTo(params.as_of)
      const [entities, others] = await Promise.all([pairs(params), graphStats(store, params)])
      const earlier = entities.graph_as_of < graph_as_of ? entities.graph_as_of : graph_as_of
      return { ...others, ...entities, graph_as_of: earlier }
    },
  )

const relationships = ({ store }: Dependencies, upTo: GraphUpTo): Route =>
  defineRoute(
    {
      ...read,
      path: '/layer3/v1/graph/cluster/{cluster_id}/relationships',
      operationId: 'listGraphRelationships',
      summary: 'List the relationships of a story',
      description: 'Returns incoming and outgoing relationships, highest confidence first. The list may be empty.',
      problems: ['cluster_not_found', 'graph_build_in_progress'],
      request: { params: z.object({ cluster_id: clusterPath }), query: z.object({ as_of: asOf() }) },
      answer: ClusterRelationships,
    },
    async ({ params: { cluster_id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const graph_as_of = await upTo(as_of ?? now)
      const found = await clusterRelationships(store, { namespace, cluster_id, as_of: as_of ?? now })
      return found === null ? clusterNotFound(cluster_id) : { ...found, graph_as_of }
    },
  )

const threads = ({ store }: Dependencies, upTo: GraphUpTo): Route =>
  defineRoute(
    {
      ...read,
      path: '/layer3/v1/graph/threads',
      operationId: 'listThreads',
      summary: 'List narrative threads',
      description:
        'Returns threads of related stories, most important first. Threads with fewer than three stories or ' +
        'a confidence below 0.3 are excluded.',
      problems: ['graph_build_in_progress'],
      request: {
        query: z.object({
          ...paging({ limit: 20, max: 100 }),
          offset: offset(),
          status: z.enum(THREAD_STATUS).optional(),
          as_of: asOf(),
        }),
      },
      answer: Threads,
    },
    async ({ query: { as_of, status, cursor, ...page } }, { caller: { namespace }, now }) => {
      const graph_as_of = await upTo(as_of ?? now)
      const params = { ...page, ...pointInTime(as_of, now), namespace, status: status ?? null, cursor }
      const found = await threadList(store, params)
      return { ...found, graph_as_of }
    },
  )

const thread = ({ store }: Dependencies, upTo: GraphUpTo): Route =>
  defineRoute(
    {
      ...read,
      path: '/layer3/v1/graph/threads/{thread_id}',
      operationId: 'getThread',
      summary: 'Retrieve a narrative thread',
      description:
        'Returns a thread with its stories in chronological order. A thread that the list excludes (fewer than ' +
        'three stories, or a confidence below 0.3) returns 404.',
      problems: ['thread_not_found', 'graph_build_in_progress'],
      request: { params: z.object({ thread_id: z.string() }), query: z.object({ as_of: asOf() }) },
      answer: ThreadDetail,
    },
    async ({ params: { thread_id: id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const graph_as_of = await upTo(as_of ?? now)
      const found = await threadDetail(store, { namespace, id, as_of: as_of ?? now })
      return found === null ? problem('thread_not_found', `Thread not found: ${id}`) : { ...found, graph_as_of }
    },
  )

const build = ({ graph }: Dependencies, upTo: GraphUpTo): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      shownAtOnce: true,
      cost: 'nothing',
      path: '/layer3/v1/graph/build',
      operationId: 'buildGraph',
      summary: 'Rebuild the graph',
      description:
        'The graph is kept up to date without this operation: a rebuild verifies it and repairs any ' +
        'difference. Reads continue during a rebuild. Concurrent requests share one rebuild and its result.',
      request: {},
      answer: GraphBuild,
    },
    async (_, { caller: { namespace }, now }) => {
      const { build_id, ...stats } = await graph.build(namespace)
      return { status: 'complete' as const, stats, build_id, graph_as_of: await upTo(now) }
    },
  )

const BUILD_IN_PROGRESS = problem(
  'graph_build_in_progress',
  'The graph is being rebuilt; try again when the build has finished',
  { retryAfterSeconds: 2 }, // about the duration of a build
)

/** With `graphReads: 'refuse'`, reads of Layer 3 are refused while this process builds the graph of the namespace. */
export const refusing =
  ({ graph, graphReads }: Pick<Dependencies, 'graph' | 'graphReads'>) =>
  (route: Route): Route => {
    if (graphReads === 'answer' || route.method !== 'get' || !route.path.startsWith('/layer3/')) return route
    return {
      ...route,
      freshMs: undefined, // a response from before the build must not be served during it
      handle: async (raw, caller) =>
        caller !== null && graph.isBuilding(caller.namespace) ? BUILD_IN_PROGRESS : route.handle(raw, caller),
    }
  }
