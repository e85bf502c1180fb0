import { z } from '@hono/zod-openapi'

const reason = z
  .string()
  .trim()
  .max(500)
  .nullish()
  .openapi({ description: 'Why, in your own words; it stands in the history for good.' })

const clusterId = (description: string) => z.string().min(1).max(100).openapi({ description })
const articleId = z.string().min(1).max(100)

/** What a curator asks, by its `action`. */
export const CorrectionBody = z
  .discriminatedUnion('action', [
    z
      .object({
        action: z.literal('move'),
        article_id: articleId.openapi({ description: 'A member of the story.' }),
        to_cluster_id: clusterId('Where the article goes.'),
        reason,
      })
      .openapi('MoveArticle'),
    z
      .object({
        action: z.literal('merge'),
        other_cluster_id: clusterId('The story that goes into this one.'),
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
          .openapi({ description: 'Members that become a story of their own; some must stay.' }),
        reason,
      })
      .openapi('SplitCluster'),
    z
      .object({
        action: z.literal('keep_apart'),
        other_cluster_id: clusterId('The story that is never to be one with this.'),
        reason,
      })
      .openapi('KeepClustersApart'),
  ])
  .openapi('CorrectionRequest')

export type CorrectionBody = z.output<typeof CorrectionBody>
