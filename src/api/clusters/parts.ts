import { z } from '@hono/zod-openapi'
import { problem, type Problem } from '../http/problem.ts'
import { float, share, timestamp } from '../http/parameters.ts'

/** Filters of every list of stories by the certainty that articles stay in their story. */
export const certaintyQuery = {
  min_assignment_confidence: float({ min: 0, max: 1 })
    .default(0)
    .describe('Only stories in which every member has at least this `assignment_confidence`.'),
  membership: z
    .enum(['settled'])
    .optional()
    .describe('`settled`: only stories that the recluster has confirmed. Default: all stories.'),
}

/** The fields of a cluster in every list. */
export const clusterFields = {
  id: z.string(),
  kind: z.enum(['event', 'subject']).optional().openapi({
    description: '`event` is a story. `subject` is a page of articles about one subject, in addition to their stories.',
  }),
  title: z.string().describe('Title of the representative article.'),
  article_count: z.int(),
  story_count: z.int().optional().describe('For a subject page: number of stories that its articles belong to.'),
  source_count: z.int().describe('Distinct outlets.'),
  origin_count: z.int().openapi({
    description:
      'Independent sources. Reprints of one text, articles derived from another article of the story, and ' +
      'outlets of one publisher count once.',
  }),
  publisher_count: z.int().describe('Distinct publishers; outlets of one family count once.'),
  confidence: share.describe('Mean similarity to the centroid, each independent source counted once.'),
  membership: z
    .enum(['provisional', 'settled'])
    .describe('`settled` once the recluster has evaluated every member; `provisional` before.'),
  created_at: timestamp.describe('Event time of the first member.'),
  updated_at: timestamp.describe('Event time of the last member.'),
  primary_entities: z.array(z.string()).describe('Entity ids, most relevant first.'),
  sentiment_distribution: z
    .object({ positive: share, neutral: share, negative: share })
    .describe('Shares of the members; they sum to 1.'),
  categories: z.array(z.string()).openapi({
    description:
      '`technology`, `politics`, `finance`, `geopolitics` or `health`: categories of at least a third of ' +
      'the members, most frequent first.',
  }),
  geographic_spread: z
    .array(z.string())
    .describe('ISO 3166-1 alpha-2 codes of the countries mentioned, most articles first.'),
  languages: z
    .array(z.string())
    .optional()
    .openapi({ description: 'Languages of the members: ISO 639-1 codes or `und`, in alphabetical order.' }),
  articles: z.array(z.string()).describe('Article ids, oldest first.'),
}

/** The fields of a change in a story's history. */
export const changeFields = {
  type: z.string().describe('`opened`, `merged`, `split`, `moved` or `corrected`.'),
  other_cluster_id: z.string().nullable().describe('Story that the articles came from or moved to.'),
  direction: z
    .string()
    .nullable()
    .describe('`in` if articles joined this story, `out` if they left it, `null` if neither.'),
  articles: z.int().describe('Number of articles.'),
}

export const clusterPath = z
  .string()
  .describe('Ids remain valid: the id of a merged story refers to the story it was merged into.')

export const clusterNotFound = (id: string): Problem => problem('cluster_not_found', `Cluster not found: ${id}`)
