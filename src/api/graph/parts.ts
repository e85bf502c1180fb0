import { z } from '@hono/zod-openapi'
import { LINK_TYPES, storiesLinked } from '../../events/graph.ts'
import { nextCursor, share, timestamp } from '../http/parameters.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { viewGroup } from '../../ports/log.ts'
import { graph } from '../../views/graph/project.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { graphAsOf } from '../http/caught-up.ts'

const graph_as_of = timestamp.describe('Time up to which the response is complete; never later than `as_of`.')

export const THREAD_STATUS = ['active', 'dormant', 'concluded'] as const

export const GraphStats = z
  .object({
    entity_relationships: z.int().openapi({
      description:
        'Pairs of entities that occur together in at least one article, including weak pairs. Dates and sums ' +
        'are excluded.',
    }),
    cluster_relationships: z
      .int()
      .describe('Pairs of stories with at least one relationship of confidence 0.5 or more.'),
    narrative_threads: z.int().describe('Threads of three or more stories.'),
    trending_entities: z.int().describe('Entities with a velocity above 1.5, as defined by `GET /v1/trends/entities`.'),
    graph_as_of,
  })
  .openapi('GraphStats')

const ClusterRelationship = z
  .object({
    source: z.string(),
    target: z.string(),
    type: z.enum(LINK_TYPES).openapi({
      description:
        '`shared_entities`: both are about the same entities; `evolved_into`: the source is an earlier ' +
        'chapter of the target; `merged_with`: the two ran in parallel and converged, or the source was ' +
        'merged into the target; `split_from`: the source was split from the target.',
    }),
    confidence: z
      .number()
      .min(0.5)
      .max(1)
      .describe(
        'For `shared_entities` and `merged_with`: weight of the significant entities in both stories, ' +
          'divided by the weight of those in either; people, organisations and events weigh twice as much as ' +
          'places, and the time between the stories has no effect. For `evolved_into`: estimated probability ' +
          'that both belong to one thread, from the similarity of their articles and titles and the days ' +
          'without articles between them, averaged over the chapters joined; 0.5 is the minimum. `1` if it is ' +
          'certain.',
      ),
    directed: z.boolean().describe('`false` if source and target are interchangeable.'),
    shared_entities: z.array(z.string()).describe('Entity ids.'),
    since: timestamp.describe('Time from which the relationship holds in its current form (event time).'),
  })
  .openapi('ClusterRelationship')

export const ClusterRelationships = z
  .object({
    cluster_id: z.string().describe('The story; if the requested one was merged, the story it was merged into.'),
    relationships: z.array(ClusterRelationship),
    merged_into: z
      .string()
      .nullable()
      .describe('`cluster_id` if the requested story was merged into it, otherwise `null`.'),
    merged_at: timestamp.nullable(),
    graph_as_of,
  })
  .openapi('ClusterRelationships')

const threadFields = {
  id: z.string().describe('Stable while the thread grows and its stories merge.'),
  title: z.string().describe('Title of the story with the most independent sources.'),
  cluster_ids: z.array(z.string()).describe('Ordered by their earliest article.'),
  cluster_count: z.int(),
  importance_score: share.describe('1 - exp(-(stories / 20 + publishers / 40 + countries / 20)).'),
  confidence_score: share.describe('Mean confidence of the relationships that connect the thread.'),
  status: z
    .enum(THREAD_STATUS)
    .describe('`active`: an article within 48 hours; `concluded`: none for more than 7 days; otherwise `dormant`.'),
  first_seen: timestamp.describe('Event time of the first article.'),
  last_updated: timestamp.describe('Event time of the newest article.'),
  top_entities: z
    .array(
      z.object({ id: z.string(), name: z.string(), type: z.string(), cluster_count: z.int() }).openapi('ThreadEntity'),
    )
    .describe('Entities mentioned in most of its stories, at most 10.'),
  origin_count: z.int().describe('Independent sources of all its stories.'),
  publisher_count: z.int().describe('Distinct publishers.'),
  country_count: z.int().describe('Countries mentioned in its stories.'),
}

const Thread = z.object(threadFields).openapi('Thread')

const ThreadChapter = z
  .object({
    cluster_id: z.string(),
    title: z.string(),
    first_seen: timestamp.describe('Event time of the first article.'),
    article_count: z.int(),
    turning_point: z.boolean().openapi({
      description:
        '`true` if the headlines report an outcome (a death, arrest, ruling, resignation, appointment, vote, ' +
        'agreement or sanction), or if the chapter has at least 4 articles, twice the median of earlier ' +
        'chapters (for the first chapter: later ones) and half of the largest, and is the most covered ' +
        'within 3 days. Only the strongest are marked: 1 in 5 chapters, at most 5. Can change as the thread ' +
        'grows.',
    }),
    why: z.string().nullable().openapi({
      description: 'Why it is a turning point, with the headline that reports the outcome. `null` if it is not one.',
    }),
  })
  .openapi('ThreadChapter')

export const ThreadDetail = z
  .object({
    ...threadFields,
    chapters: z.array(ThreadChapter).describe('Its stories as a timeline, earliest first.'),
    graph_as_of,
  })
  .openapi('ThreadDetail')

export const Threads = z
  .object({ threads: z.array(Thread), total: z.int(), next_cursor: nextCursor, graph_as_of })
  .openapi('Threads')

export const GraphBuild = z
  .object({
    status: z.literal('complete'),
    stats: z.object({
      clusters_processed: z.int(),
      relationships_created: z.int().describe('Relationships between stories, of all types.'),
      entity_pairs_processed: z.int(),
      narrative_threads_built: z.int().describe('Threads of three or more stories.'),
      duration_seconds: z.number(),
      differences: z.int().openapi({
        description:
          'Relationships and thread memberships that differed from the maintained graph. `0` unless there is a ' +
          'defect or the graph was never maintained.',
      }),
      beyond_memory: z.int().openapi({
        description:
          'Differences of stories older than the retention of the stage that maintains the graph; also repaired.',
      }),
      kept: z.boolean().openapi({
        description:
          '`false` if the stage that maintains the graph has not started; it will emit the differences itself.',
      }),
    }),
    build_id: z.string(),
    graph_as_of,
  })
  .openapi('GraphBuild')

const READERS = [
  { group: 'linked', topic: articlesClustered.name },
  { group: viewGroup(graph.name), topic: storiesLinked.name },
]

/** The time up to which a response about stories as of a given time is complete: `2018-12-31T00:00:00.000Z`. */
export function completeUpTo(dependencies: Dependencies): (as_of: number) => Promise<string> {
  const shown = graphAsOf(READERS, dependencies)
  return async (as_of) => new Date(Math.min(as_of, await shown())).toISOString()
}
