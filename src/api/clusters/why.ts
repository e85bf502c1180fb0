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
        '`opened`, `joined` or `revised` on arrival of the article; `merged`, `split`, `moved` or ' +
        '`corrected` when stories changed.',
    }),
    rule: z.string().openapi({
      description:
        'Rule of the decision: `link`, highest score above the threshold; `copy`, story of the article it ' +
        'reprints; `linkage`, mean score between two groups of articles above the threshold; `curator`, ' +
        'correction by a curator; `reprocessed`, assigned by a new version of the clusterer.',
    }),
    chosen: orNull(Candidate).describe('`null` if no story scored; the article opened its own.'),
    runner_up: orNull(Candidate).describe('Second-best story. `null` if there was none.'),
    threshold: z.number().describe('A score above the threshold joins.'),
    versions: z.record(z.string(), z.string()),
    articles: z.int().describe('Number of articles decided together.'),
    correction_id: z.string().nullable().describe('For `corrected`: id of the correction.'),
    rebuild_day: z
      .string()
      .nullable()
      .describe(
        'Day that was reclustered, such as `2018-12-31`. `null` if the decision was made on arrival or by a ' +
          'curator.',
      ),
  })
  .openapi('MembershipReason')

export const clusterWhyRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/clusters/{cluster_id}/members/{article_id}/why',
      operationId: 'explainMembership',
      summary: 'Explain a membership',
      description:
        'Returns the recorded decision that placed the article in the story. Evaluating it again with these ' +
        'features gives the same choice.',
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
