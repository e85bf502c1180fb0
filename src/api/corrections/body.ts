import { z } from '@hono/zod-openapi'

const reason = z.string().trim().max(500).nullish().describe('Free text; kept permanently in the history.')

const clusterId = (description: string) => z.string().min(1).max(100).describe(description)
const articleId = z.string().min(1).max(100)

/** What a curator asks, by its `action`. */
export const CorrectionBody = z
  .discriminatedUnion('action', [
    z
      .object({
        action: z.literal('move'),
        article_id: articleId.describe('Member of the story.'),
        to_cluster_id: clusterId('Story that the article is moved to.'),
        reason,
      })
      .openapi('MoveArticle'),
    z
      .object({
        action: z.literal('merge'),
        other_cluster_id: clusterId('Story that is merged into this one.'),
        reason,
      })
      .openapi('MergeClusters'),
    z
      .object({
        action: z.literal('split'),
        article_ids: z
          .array(articleId)
          .min(1)
          .max(1_000)
          .describe('Members that become a new story; at least one member must remain.'),
        reason,
      })
      .openapi('SplitCluster'),
    z
      .object({
        action: z.literal('keep_apart'),
        other_cluster_id: clusterId('Story that must never be merged with this one.'),
        reason,
      })
      .openapi('KeepClustersApart'),
  ])
  .openapi('CorrectionRequest')

export type CorrectionBody = z.output<typeof CorrectionBody>
