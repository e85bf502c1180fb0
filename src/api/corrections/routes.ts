import { z } from '@hono/zod-openapi'
import { surviving } from '../../views/clusters/alias.ts'
import {
  correctionOutcomes,
  correctionsOf,
  correctionsUnder,
  undoingRequests,
} from '../../views/corrections/queries.ts'
import { standing } from '../../views/corrections/standing.ts'
import { CorrectionBody } from './body.ts'
import { outcomeSoon } from './outcome.ts'
import { append, requestingCorrections } from './request.ts'
import { undoing } from './undoing.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import { asOf, orNow, timestamp } from '../http/parameters.ts'
import { isProblem, problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'

const status = z.enum(['applied', 'pending', 'refused']).openapi({
  description:
    '`pending`: not decided yet, poll again. `refused`: not applicable to the stories when it was ' + 'decided.',
})

const CorrectionReceipt = z
  .object({
    correction_id: z.string(),
    status,
    detail: z.string().optional().openapi({ description: 'Reason for a refusal, a constant.' }),
  })
  .openapi('CorrectionReceipt')

const Corrections = z
  .object({
    corrections: z.array(
      z
        .object({
          correction_id: z.string(),
          action: z.enum(['move', 'merge', 'split', 'keep_apart']),
          cluster_id: z.string(),
          other_cluster_id: z.string().nullable(),
          article_ids: z.array(z.string()).openapi({ description: 'Articles that were to change their story.' }),
          reason: z.string().nullable(),
          key_id: z.string().openapi({ description: 'API key that requested it.' }),
          requested_at: timestamp,
          status: z.enum([...status.options, 'undone']),
          refused_because: z.string().nullable(),
        })
        .openapi('Correction'),
    ),
  })
  .openapi('Corrections')

const clusterParams = z.object({ cluster_id: z.string() })
const keyed = { tag: 'Layer 2', tier: 'starter', cost: 'request' } as const

/** More than anybody ever corrected one story. */
const MOST = 1_000

export const correctionRoutes = (dependencies: Dependencies): readonly Route[] => [
  create(dependencies),
  list(dependencies),
  undo(dependencies),
]

function create(dependencies: Dependencies): Route {
  const request = requestingCorrections(dependencies)
  const path = '/v1/clusters/{cluster_id}/corrections'
  return defineRoute(
    {
      ...keyed,
      method: 'post',
      shownAtOnce: true,
      path,
      status: 201,
      operationId: 'correctCluster',
      summary: 'Create a correction',
      description:
        'Moves an article, merges two stories, splits a story, or keeps two stories apart permanently. The ' +
        "correction is recorded in the story's history and binds later decisions. The response waits a few " +
        'seconds for it to take effect. In the shared namespace this requires a key created with `--curator`.',
      curatorsOnly: true,
      problems: ['curator_required', 'cluster_not_found', 'idempotency_key_reused'],
      request: {
        params: clusterParams,
        headers: idempotencyKey('creates one correction and returns the same response'),
        body: CorrectionBody,
      },
      answer: CorrectionReceipt,
    },
    async ({ params: { cluster_id }, headers, body }, context) => {
      const id = await request({ path, cluster_id, body, key: headers['Idempotency-Key'] }, context)
      if (isProblem(id)) return id
      const { namespace } = context.caller
      const rows = await outcomeSoon({ namespace, correction_id: id, what: 'correction' }, dependencies)
      const { status, refused_because } = standing(id, rows)
      const given = { correction_id: id, status: status === 'undone' ? ('applied' as const) : status }
      return refused_because === null ? given : { ...given, detail: refused_because }
    },
  )
}

const list = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/clusters/{cluster_id}/corrections',
      status: 200,
      operationId: 'listCorrections',
      summary: 'List corrections',
      description:
        'Returns the corrections of a story that were requested up to `as_of`, newest first, each with its ' +
        'current status.',
      problems: ['cluster_not_found'],
      request: { params: clusterParams, query: z.object({ as_of: asOf() }) },
      answer: Corrections,
    },
    async ({ params: { cluster_id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const story = await surviving(store, { namespace, cluster_id, as_of: as_of ?? now })
      if (story === null) return problem('cluster_not_found', `Cluster not found: ${cluster_id}`)
      const ids = [cluster_id, story.cluster_id]
      const rows = await correctionsOf(store)({ namespace, ids, until: orNow(as_of, now), limit: MOST })
      const correction_ids = rows.map(({ correction_id }) => correction_id)
      const ledger = await correctionOutcomes(store)({ namespace, correction_ids })
      return {
        corrections: rows.map(({ requested_ms, ...row }) => ({
          ...row,
          requested_at: new Date(requested_ms).toISOString(),
          ...standing(row.correction_id, ledger),
        })),
      }
    },
  )

const undo = (dependencies: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'delete',
      shownAtOnce: true,
      path: '/v1/clusters/corrections/{correction_id}',
      status: 204,
      operationId: 'undoCorrection',
      summary: 'Undo a correction',
      description:
        'Moves the articles back and stops the correction from binding later decisions. Undoing it a second ' +
        'time has no effect.',
      curatorsOnly: true,
      problems: ['curator_required', 'correction_not_found'],
      request: { params: z.object({ correction_id: z.string().min(1) }) },
      answer: z.null(),
    },
    async ({ params: { correction_id } }, { caller: { namespace, key_id }, now }) => {
      const { store } = dependencies
      const [[found], [context]] = await Promise.all([
        correctionsUnder(store)({ namespace, prefix: correction_id }),
        undoingRequests(store)({ namespace, correction_ids: [correction_id] }),
      ])
      if (found?.correction_id !== correction_id) {
        return problem('correction_not_found', `Correction not found: ${correction_id}`)
      }
      if (context !== undefined) return null

      const [done] = await correctionOutcomes(store)({ namespace, correction_ids: [correction_id] })
      await append(undoing({ correction: found, done }, { namespace, key_id, occurred_at: now }), dependencies)
      await outcomeSoon({ namespace, correction_id, what: 'undoing' }, dependencies)
      return null
    },
  )
