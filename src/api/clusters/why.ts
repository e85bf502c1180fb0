import { z } from '@hono/zod-openapi'
import { memberWhy } from '../../views/clusters/decisions.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, orNull, timestamp } from '../http/parameters.ts'
import { problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterPath } from './parts.ts'

const Candidate = z
  .object({ cluster_id: z.string(), score: z.number(), features: z.record(z.string(), z.number()) })
  .openapi('Candidate')

const MembershipReason = z
  .object({
    cluster_id: z.string(),
    article_id: z.string(),
    event_id: z.string(),
    decided_at: timestamp,
    action: z.string().openapi({
      description:
        '`opened`, `joined` or `revised` when the article came; `merged`, `split`, `moved` or `corrected` when stories changed.',
    }),
    rule: z.string().openapi({
      description:
        'How it is decided again: `link`, the highest score above the threshold; `copy`, the story of the article it re-prints; `linkage`, the mean link of two groups of articles is above the threshold; `curator`, somebody with the right to said so; `reprocessed`, a new version of the clusterer put it there.',
    }),
    chosen: orNull(Candidate).openapi({ description: '`null` if no story scored; the article opened its own.' }),
    runner_up: orNull(Candidate).openapi({ description: 'The next best story; `null` if there was none.' }),
    threshold: z.number().openapi({ description: 'A score above it joins.' }),
    versions: z.record(z.string(), z.string()),
    articles: z.int().openapi({ description: 'How many articles the decision was on.' }),
    correction_id: z.string().nullable().openapi({ description: 'Of `corrected`: the request.' }),
    rebuild_day: z.string().nullable().openapi({
      description:
        'The day, `2018-12-31`, whose stories were rebuilt; `null` if an article that came, or a curator, decided.',
    }),
  })
  .openapi('MembershipReason')

export const clusterWhyRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/clusters/{cluster_id}/members/{article_id}/why',
      operationId: 'explainMembership',
      summary: 'Why an article is in a story',
      description: 'The recorded decision; making it again from these features gives the same choice.',
      problems: ['cluster_not_found', 'article_not_found'],
      request: {
        params: z.object({ cluster_id: clusterPath, article_id: z.string() }),
        query: z.object({ as_of: asOf() }),
      },
      answer: MembershipReason,
    },
    async ({ params, query: { as_of } }, { caller: { namespace }, now }) => {
      const found = await memberWhy(store, { ...params, namespace, as_of: as_of ?? now })
      if (found === 'no story') return problem('cluster_not_found', `Cluster not found: ${params.cluster_id}`)
      if (found !== 'no member') return found
      return problem('article_not_found', `Article not found in ${params.cluster_id}: ${params.article_id}`)
    },
  )
