import { z } from '@hono/zod-openapi'
import { enrichmentsOf } from '../../views/echo/story.ts'
import type { Dependencies } from '../dependencies.ts'
import { asOf, timestamp } from '../parameters.ts'
import { problem } from '../problem.ts'
import { defineRoute, type Route } from '../route.ts'

const names = z.array(z.string())

const Enrichment = z
  .object({
    platform: z.enum(['reddit', 'bluesky', 'twitter']),
    thread_urls: z.array(z.string()),
    fetched_at: timestamp,
    updated_at: timestamp,
    comment_count_analyzed: z.int(),
    sentiment_score: z.number().min(-1).max(1),
    sentiment_label: z.enum(['positive', 'neutral', 'negative']),
    controversy_score: z.number().min(0).max(1),
    dominant_themes: names,
    editorial_entities: names,
    public_entities: names,
    novel_entities: names.openapi({ description: 'Public minus editorial.' }),
    counter_narrative_detected: z.boolean(),
    counter_narrative_summary: z.string().nullable(),
    counter_narrative_confidence: z.number().min(0).max(1),
    evidence: z
      .object({ novel_entities: z.record(z.string(), z.array(z.string())), counter_narrative: z.array(z.string()) })
      .openapi({ description: 'Addresses of the posts that each finding rests on.' }),
    sample: z.object({
      posts: z.int(),
      authors: z.int(),
      window: z.object({ start: timestamp, end: timestamp }),
    }),
    source_status: z.string().openapi({ description: '`live`, `degraded` or `stale`.' }),
  })
  .openapi('Enrichment')

const StoryEnrichments = z
  .object({ story_id: z.string(), enrichments: z.array(Enrichment), count: z.int() })
  .openapi('StoryEnrichments')

export const echoRoutes = ({ store }: Dependencies): readonly Route[] => [
  defineRoute(
    {
      method: 'get',
      tag: 'Echo',
      tier: 'professional',
      cost: 'request',
      status: 200,
      path: '/echo/v1/echo/story/{story_id}',
      summary: 'How the public received a story, one record a platform',
      problems: ['no_enrichment'],
      request: { params: z.object({ story_id: z.string() }), query: z.object({ as_of: asOf() }) },
      answer: StoryEnrichments,
    },
    async ({ params: { story_id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const enrichments = await enrichmentsOf(store, { namespace, cluster_id: story_id, as_of: as_of ?? now })
      if (enrichments.length === 0) return problem('no_enrichment', `No public discourse on story ${story_id}`)
      return { story_id, enrichments, count: enrichments.length }
    },
  ),
]
