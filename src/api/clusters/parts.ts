import { z } from '@hono/zod-openapi'
import { float, timestamp } from '../http/parameters.ts'

const share = z.number().min(0).max(1)

/** What every list of stories can be narrowed by: how sure it is that their articles stay. */
export const certaintyQuery = {
  min_assignment_confidence: float({ min: 0, max: 1 }).default(0).openapi({
    description: 'Only stories each of whose members has at least this `assignment_confidence`.',
  }),
  membership: z.enum(['settled']).optional().openapi({
    description: 'Only stories whose membership has settled. Default: all.',
  }),
}

/** A cluster as every list shows it. */
export const clusterFields = {
  id: z.string(),
  kind: z.enum(['event', 'subject']).optional().openapi({
    description:
      '`event`: a story. `subject`: a page of articles that share what they are about, beside their stories.',
  }),
  title: z.string().openapi({ description: 'Of the article nearest to the centre of the story.' }),
  article_count: z.int(),
  story_count: z.int().optional().openapi({ description: 'Of a subject page: stories that its articles belong to.' }),
  source_count: z.int().openapi({ description: 'Different outlets.' }),
  origin_count: z.int().openapi({
    description:
      'Independent accounts: re-prints of one text, what quotes another member, and outlets of one house count once.',
  }),
  publisher_count: z.int().openapi({ description: 'Different publishers: outlets of one family count once.' }),
  confidence: share.openapi({ description: 'Mean similarity to the centre, each independent account counted once.' }),
  membership: z.enum(['provisional', 'settled']).openapi({
    description: 'Settled: each member has been looked at again together with all others of its days.',
  }),
  created_at: timestamp.openapi({ description: 'Event time of the first member.' }),
  updated_at: timestamp.openapi({ description: 'Event time of the last member.' }),
  primary_entities: z.array(z.string()).openapi({ description: 'Entity ids, best first.' }),
  sentiment_distribution: z
    .object({ positive: share, neutral: share, negative: share })
    .openapi({ description: 'Shares of the members; they sum to 1.' }),
  categories: z.array(z.string()).openapi({
    description:
      'Of `technology`, `politics`, `finance`, `geopolitics`, `health`: those of a third of the members, most first.',
  }),
  geographic_spread: z.array(z.string()).openapi({
    description: 'ISO 3166-1 alpha-2 codes of countries that members speak of, most articles first.',
  }),
  articles: z.array(z.string()).openapi({ description: 'Article ids, oldest first.' }),
}

/** What happened to a story beside its growing, wherever it is shown. */
export const happened = {
  type: z.string().openapi({ description: '`opened`, `merged`, `split`, `moved` or `corrected`.' }),
  other_cluster_id: z.string().nullable().openapi({ description: 'Where articles came from or went to.' }),
  direction: z
    .string()
    .nullable()
    .openapi({ description: '`in`: articles came into this story; `out`: they left it; null: none did either.' }),
  articles: z.int().openapi({ description: 'How many articles.' }),
}

export const clusterPath = z.string().openapi({
  description: 'An id never dies: that of a story which went into another stands for the other.',
})
