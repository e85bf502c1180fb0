import { z } from '@hono/zod-openapi'
import { articlesAnalyzed } from '../../events/articles.ts'
import { entityNetwork } from '../../views/entities/entity-network.ts'
import { entityRelationships, MOST_RELATIONSHIPS } from '../../views/entities/entity-relationships.ts'
import { MOST_CONTEXTS, RELATION_TYPES } from '../../views/entities/entity-relations.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { graphAsOf } from '../http/caught-up.ts'
import { asOf, float, integer, sentimentScore, share, timeRange, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { entityNotFound, entityPath, NAMED_TYPES } from './parts.ts'

const MAX_DEPTH = 3
/** A response includes every edge between its nodes: about 20,000 edges for this many nodes. */
const MAX_NODES = 200

const entity = entityPath.openapi({
  description: 'Id or name (case-insensitive); a name selects the most mentioned entity of that name.',
  example: 'Angela Merkel',
})
const strength = share.openapi({ description: '`co_mentions` divided by `max_co_mentions`.', example: 0.42 })
const coMentions = z.int().openapi({ description: 'Distinct articles in the window that mention both.', example: 17 })
const relationType = z.enum(RELATION_TYPES).openapi({
  description:
    'The relationship that most articles state in a sentence mentioning both, recognised by its verb or noun. ' +
    '`co_mention` if no sentence states one.',
})

const envelope = {
  max_co_mentions: z.int().openapi({
    description: 'Co-mentions of the most frequent pair in the window, which has strength 1.',
    example: 41,
  }),
  time_range: z.string().openapi({ example: '30d' }),
  truncated: z.boolean().describe('`true` if some results are omitted.'),
  graph_as_of: timestamp.describe('Time up to which the response is complete.'),
}

const named = { id: z.string(), name: z.string(), type: z.string() }

const Root = z.object(named).openapi('RelatedRoot')

const Relationship = z
  .object({
    target_entity: z.object(named),
    strength,
    type: relationType,
    co_mentions: coMentions,
    contexts: z.array(z.string()).openapi({
      description:
        `Quoted sentences that state the relationship, newest first, at most ${MOST_CONTEXTS}; reprints ` +
        'count once.',
      example: ['Angela Merkel met Emmanuel Macron in Berlin.'],
    }),
    sentiment: sentimentScore.openapi({
      description: 'Mean over the sentences of that type; otherwise the mean over the articles that mention both.',
    }),
    direction: z
      .enum(['outbound', 'inbound'])
      .nullable()
      .describe(
        'Who acts in more than half of these sentences: `outbound` the requested entity (or `via`), `inbound` the ' +
          'other. `null` on a tie, and for `co_mention`.',
      ),
    origins: z.int().describe('Like `co_mentions`, with reprints of one text counted once.'),
    context_article_ids: z.array(z.string()).describe('The article of each entry of `contexts`.'),
    depth: z.int().optional().describe('Steps from the entity. Present if a `depth` above 1 was requested.'),
    via: z
      .string()
      .optional()
      .describe('Id of the entity that the last step starts from. Present together with `depth`.'),
  })
  .openapi('EntityRelationship')

const Relationships = z
  .object({ entity: Root, relationships: z.array(Relationship), ...envelope })
  .openapi('EntityRelationships')

const Network = z
  .object({
    entity: Root,
    nodes: z.array(
      z.object({
        ...named,
        mentions: z.int().describe('Number of mentions in the window.'),
        sentiment_avg: sentimentScore.describe('Mean sentiment of these articles towards the entity.'),
      }),
    ),
    edges: z.array(
      z.object({
        source: z.string().describe('Entity id: the acting entity if `directed`, otherwise the smaller id.'),
        target: z.string(),
        strength,
        type: relationType,
        directed: z.boolean(),
        co_mentions: coMentions,
      }),
    ),
    ...envelope,
  })
  .openapi('EntityNetwork')

const keyed = { method: 'get', tag: 'Entities', tier: 'professional', cost: 'request', status: 200 } as const

const filters = {
  entity,
  time_range: timeRange('30d'),
  as_of: asOf(),
}

type GraphAsOf = () => Promise<string>

export function relationshipRoutes(dependencies: Dependencies): readonly Route[] {
  const readers = ['view:entities', 'view:graph'].map((group) => ({ group, topic: articlesAnalyzed.name }))
  const shownUpTo = graphAsOf(readers, dependencies)
  const graph_as_of = async (): Promise<string> => new Date(await shownUpTo()).toISOString()
  return [relationships(dependencies, graph_as_of), network(dependencies, graph_as_of)]
}

const relationships = ({ store }: Dependencies, graph_as_of: GraphAsOf): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/relationships',
      operationId: 'listEntityRelationships',
      summary: 'List the relationships of an entity',
      description:
        'Returns the entities co-mentioned with an entity in articles published in the window (after `as_of` ' +
        '- `time_range`, up to and including `as_of`), and how they are related. Dates and sums are ' +
        'excluded. A `depth` above 1 adds the entities co-mentioned with these: each entity appears once, at its ' +
        'lowest depth, through its strongest pair there. Sorted by depth, then strength; at most ' +
        `${MOST_RELATIONSHIPS}.`,
      problems: ['entity_not_found'],
      request: {
        query: z.object({
          ...filters,
          depth: integer({ min: 1, max: MAX_DEPTH }).default(1),
          min_strength: float({ min: 0, max: 1 }).default(0.5),
          type: z.enum(RELATION_TYPES).optional().openapi({
            description:
              'Only pairs with a sentence that states this type; `co_mention` for pairs without any stated type.',
          }),
        }),
      },
      answer: Relationships,
    },
    async ({ query }, { caller: { namespace }, now }) => {
      const { time_range, type: relation = null, depth, as_of = now, ...request } = query
      const upTo = await graph_as_of()
      const params = { ...request, namespace, type: null, types: NAMED_TYPES, as_of, window_ms: time_range.ms, depth }
      const found = await entityRelationships(store, { ...params, relation })
      if (found === null) return entityNotFound(query.entity)
      const shown = found.relationships.map(({ depth: steps, via, ...relationship }) =>
        depth > 1 ? { ...relationship, depth: steps, via } : relationship,
      )
      return { ...found, relationships: shown, time_range: time_range.name, graph_as_of: upTo }
    },
  )

const network = ({ store }: Dependencies, graph_as_of: GraphAsOf): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/relationships/network',
      operationId: 'getEntityNetwork',
      summary: 'Retrieve the network of an entity',
      description:
        'Returns the entities most strongly connected to the root within `depth` steps, over pairs of at ' +
        'least `min_strength`. A path is as strong as its weakest pair; ties go to the shorter path. Every ' +
        'node is connected to the root. Edges are all pairs of at least `min_strength` among the nodes.',
      problems: ['entity_not_found'],
      request: {
        query: z.object({
          ...filters,
          depth: integer({ min: 1, max: MAX_DEPTH }).default(2),
          max_nodes: integer({ min: 1, max: MAX_NODES })
            .default(50)
            .describe('Maximum number of nodes, including the root.'),
          min_strength: float({ min: 0, max: 1 }).default(0.4),
        }),
      },
      answer: Network,
    },
    async ({ query }, { caller: { namespace }, now }) => {
      const { time_range, as_of = now, ...request } = query
      const upTo = await graph_as_of()
      const params = { ...request, namespace, type: null, types: NAMED_TYPES, as_of, window_ms: time_range.ms }
      const found = await entityNetwork(store, params)
      if (found === null) return entityNotFound(query.entity)
      return { ...found, time_range: time_range.name, graph_as_of: upTo }
    },
  )
