import { z } from '@hono/zod-openapi'
import { surviving } from '../../views/clusters/surviving-story.ts'
import {
  type CorrectionOutcome,
  correctionOutcomes,
  type CorrectionRow,
  correctionsOf,
  correctionsUnder,
  undoingRequests,
  correctionStatus,
} from '../../views/corrections/queries.ts'
import { CorrectionBody } from './wish.ts'
import { BY, requestingCorrections } from './request.ts'
import { append } from '../http/append.ts'
import { clusterNotFound } from '../clusters/parts.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import { asOf, orNow, timestamp } from '../http/parameters.ts'
import { isProblem, problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { derivedId } from '../../events/ids.ts'
import { correctionsRequested, type CorrectionRequested } from '../../events/settings.ts'

const status = z.enum(['applied', 'pending', 'refused']).openapi({
  description: '`pending`: not decided yet, poll again. `refused`: not applicable to the stories when it was decided.',
})

const CorrectionReceipt = z
  .object({
    correction_id: z.string(),
    status,
    detail: z.string().optional().describe('Reason for a refusal, a constant.'),
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
          article_ids: z.array(z.string()).describe('Articles that were to change their story.'),
          reason: z.string().nullable(),
          key_id: z.string().describe('API key that requested it.'),
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

/** More corrections than any story has had. */
const MAX_CORRECTIONS = 1_000

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
        'seconds for it to take effect. In the shared namespace this requires the scope `curate`; in a private one, `write` includes it.',
      scope: 'curate',
      problems: ['cluster_not_found', 'idempotency_key_reused'],
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
      const rows = await waitForOutcome({ namespace, correction_id: id }, 'correction', dependencies)
      const { status, refused_because } = correctionStatus(id, rows)
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
      if (story === null) return clusterNotFound(cluster_id)
      const ids = [cluster_id, story.cluster_id]
      const rows = await correctionsOf(store)({ namespace, ids, until: orNow(as_of, now), limit: MAX_CORRECTIONS })
      const correction_ids = rows.map(({ correction_id }) => correction_id)
      const ledger = await correctionOutcomes(store)({ namespace, correction_ids })
      return {
        corrections: rows.map(({ requested_ms, ...row }) => ({
          ...row,
          requested_at: new Date(requested_ms).toISOString(),
          ...correctionStatus(row.correction_id, ledger),
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
      scope: 'curate',
      problems: ['correction_not_found'],
      request: { params: z.object({ correction_id: z.string().min(1) }) },
      answer: z.null(),
    },
    async ({ params: { correction_id } }, { caller: { namespace, key_id }, now }) => {
      const { store } = dependencies
      const [[found], [earlierUndo]] = await Promise.all([
        correctionsUnder(store)({ namespace, prefix: correction_id }),
        undoingRequests(store)({ namespace, correction_ids: [correction_id] }),
      ])
      if (found?.correction_id !== correction_id) {
        return problem('correction_not_found', `Correction not found: ${correction_id}`)
      }
      if (earlierUndo !== undefined) return null

      const [done] = await correctionOutcomes(store)({ namespace, correction_ids: [correction_id] })
      const event = undoRequest(found, done, { namespace, key_id, occurred_at: now })
      await append(correctionsRequested, [event], dependencies)
      await waitForOutcome({ namespace, correction_id }, 'undoing', dependencies)
      return null
    },
  )

const POLL_MS = 200
/** Longer than a request takes to become readable, shorter than a client waits. */
const TIMEOUT_MS = 5_000

/** The correction's entries in the ledger: as soon as they include the latest request, or after a timeout. */
async function waitForOutcome(
  { namespace, correction_id }: { readonly namespace: string; readonly correction_id: string },
  what: 'correction' | 'undoing',
  { store, clock }: Dependencies,
): Promise<readonly CorrectionOutcome[]> {
  const isAwaited = ({ correction_action }: CorrectionOutcome): boolean =>
    (correction_action === 'undo') === (what === 'undoing')
  const until = clock.now() + TIMEOUT_MS
  for (;;) {
    const rows = await correctionOutcomes(store)({ namespace, correction_ids: [correction_id] })
    if (rows.some(isAwaited) || clock.now() >= until) return rows
    await clock.sleep(POLL_MS)
  }
}

/** The event id of an undo is derived from the correction's id, so that a repeated request is the same event. */
const undoRequest = (
  correction: CorrectionRow,
  done: CorrectionOutcome | undefined,
  by: Pick<CorrectionRequested, 'namespace' | 'key_id' | 'occurred_at'>,
): CorrectionRequested => ({
  ...by,
  ...reverseOf(correction, done),
  correction_id: correction.correction_id,
  event_id: derivedId(BY, correction.correction_id, 1),
  action: 'undo',
  reason: null,
})

type ReverseMove = Pick<CorrectionRequested, 'cluster_id' | 'other_cluster_id' | 'article_ids'>

/**
 * The reverse of a correction: out of `cluster_id`, back into `other_cluster_id`, as recorded in the ledger. Only the
 * ledger knows which story a split opened. A refused correction moved nothing.
 */
function reverseOf(correction: CorrectionRow, done: CorrectionOutcome | undefined): ReverseMove {
  if (done === undefined) return reverseOfRequest(correction)
  const { cluster_id, from_cluster_id: from, article_ids, refused } = done
  if (refused !== null) return noMove(correction)
  return from === null ? reverseOfRequest(correction) : { cluster_id, other_cluster_id: from, article_ids }
}

function reverseOfRequest(correction: CorrectionRow): ReverseMove {
  const { action, cluster_id, other_cluster_id, article_ids } = correction
  if (action === 'move')
    return { cluster_id: other_cluster_id ?? cluster_id, other_cluster_id: cluster_id, article_ids }
  if (action === 'merge') return { cluster_id, other_cluster_id, article_ids }
  return noMove(correction)
}

const noMove = ({ cluster_id }: CorrectionRow): ReverseMove => ({ cluster_id, other_cluster_id: null, article_ids: [] })
