import { z } from '@hono/zod-openapi'
import { LINK_TYPES } from '../../events/graph.ts'
import { graph_as_of } from './up-to-date.ts'
import { nextCursor, timestamp } from '../http/parameters.ts'

const share = z.number().min(0).max(1)

export const THREAD_STATUS = ['active', 'dormant', 'concluded'] as const

export const GraphStats = z
  .object({
    entity_relationships: z.int().openapi({
      description: 'Pairs of entities that at least one article names both of, weak ones included; no dates, no sums.',
    }),
    cluster_relationships: z.int().openapi({
      description: 'Pairs of stories with a relationship of 0.5 or more, however many the two have.',
    }),
    narrative_threads: z.int().openapi({ description: 'Threads of three stories or more.' }),
    trending_entities: z.int().openapi({ description: 'Entities with a daily velocity above 1.5.' }),
    graph_as_of,
  })
  .openapi('GraphStats')

const ClusterRelationship = z
  .object({
    source: z.string(),
    target: z.string(),
    type: z.enum(LINK_TYPES).openapi({
      description:
        '`shared_entities`: both are about the same; `evolved_into`: the source is an earlier chapter of the target; ' +
        '`merged_with`: the two ran side by side and converged, or the source went into the target; `split_from`: the ' +
        'source was split from the target.',
    }),
    confidence: z
      .number()
      .min(0.5)
      .max(1)
      .openapi({
        description:
          '`shared_entities`, `merged_with`: weight of the significant entities both have over that of those either has; ' +
          'persons, organisations and events weigh twice what places do, and the time between the two changes nothing. ' +
          '`evolved_into`: estimated chance that both belong to one affair, by the similarity of their articles and of ' +
          'the words of their titles, and by the days of silence between them, averaged over the chapters that the ' +
          'relationship joins; 0.5 is just enough to join them. 1 where it is known.',
      }),
    directed: z.boolean().openapi({ description: 'False: source and target may be exchanged.' }),
    shared_entities: z.array(z.string()).openapi({ description: 'Ids.' }),
    since: timestamp.openapi({ description: 'From when on it holds as it is (event time).' }),
  })
  .openapi('ClusterRelationship')

export const ClusterRelationships = z
  .object({
    cluster_id: z.string().openapi({ description: 'The story that is shown: of a merged id the one it stands for.' }),
    relationships: z.array(ClusterRelationship),
    merged_into: z
      .string()
      .nullable()
      .openapi({ description: '`cluster_id` where the id that was asked for was merged into it; null: it was not.' }),
    merged_at: timestamp.nullable(),
    graph_as_of,
  })
  .openapi('ClusterRelationships')

const threadFields = {
  id: z.string().openapi({ description: 'It stays while the thread grows, and while its stories merge.' }),
  title: z.string().openapi({ description: 'Of its story with most independent accounts.' }),
  cluster_ids: z.array(z.string()).openapi({ description: 'The one with the earliest article first.' }),
  cluster_count: z.int(),
  importance_score: share.openapi({
    description: '1 - exp(-(stories / 20 + publishers / 40 + countries / 20)).',
  }),
  confidence_score: share.openapi({ description: 'Mean confidence of the relationships that hold it together.' }),
  status: z.enum(THREAD_STATUS).openapi({
    description: '`active`: an article came within 48 hours; `concluded`: none for over 7 days; else `dormant`.',
  }),
  first_seen: timestamp.openapi({ description: 'Event time of its first article.' }),
  last_updated: timestamp.openapi({ description: 'Event time of its newest article.' }),
  top_entities: z
    .array(
      z.object({ id: z.string(), name: z.string(), type: z.string(), cluster_count: z.int() }).openapi('ThreadEntity'),
    )
    .openapi({ description: 'Those that most of its stories name, at most 10.' }),
  origin_count: z.int().openapi({ description: 'Independent accounts of all its stories.' }),
  publisher_count: z.int().openapi({ description: 'Different publishers.' }),
  country_count: z.int().openapi({ description: 'Countries that its stories speak of.' }),
}

const Thread = z.object(threadFields).openapi('Thread')

const ThreadChapter = z
  .object({
    cluster_id: z.string(),
    title: z.string(),
    first_seen: timestamp.openapi({ description: 'Event time of its first article.' }),
    article_count: z.int(),
    turning_point: z.boolean().openapi({
      description:
        'True where the headlines report an outcome (a death, an arrest, a ruling, a resignation, an appointment, a ' +
        'vote, an agreement, a sanction); or where it has at least 4 articles, twice the median of the chapters before ' +
        'it (the first chapter: after it), half of the largest, and is the most covered within 3 days. Of these, the ' +
        'strongest: 1 in 5 chapters, 5 at most. It can change as the thread grows.',
    }),
    why: z.string().nullable().openapi({
      description: 'Why it is a turning point, in words, with the headline that reports the outcome; null: it is none.',
    }),
  })
  .openapi('ThreadChapter')

export const ThreadDetail = z
  .object({
    ...threadFields,
    chapters: z.array(ThreadChapter).openapi({ description: 'Its stories as a timeline, the earliest first.' }),
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
      relationships_created: z.int().openapi({ description: 'Relationships between stories, of all types.' }),
      entity_pairs_processed: z.int(),
      narrative_threads_built: z.int().openapi({ description: 'Threads of three stories or more.' }),
      duration_seconds: z.number(),
      differences: z.int().openapi({
        description:
          'Relationships and places in threads that the graph had otherwise: 0 but for a defect, or where it was never kept.',
      }),
      beyond_memory: z.int().openapi({
        description: 'The same about stories older than the stage that keeps the graph remembers: mended, too.',
      }),
      kept: z.boolean().openapi({
        description: 'False: the stage that keeps the graph has not begun, and will emit the differences itself.',
      }),
    }),
    build_id: z.string(),
    graph_as_of,
  })
  .openapi('GraphBuild')
