import { expect, it } from 'vitest'
import type { StoryChange } from '../../../src/events/ledger.ts'
import { correctionsRequested, type CorrectionRequested } from '../../../src/events/settings.ts'
import {
  correctionOutcomes,
  correctionsOf,
  correctionsUnder,
  membersNow,
  undoingRequests,
  correctionStatus,
} from '../../../src/views/corrections/queries.ts'
import { NOW_AND_LATER } from '../../../src/views/instant.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()

const HOUR_MS = 3_600_000

const aRequest = (over: Partial<CorrectionRequested>): CorrectionRequested => ({
  event_id: `evt_${over.namespace ?? ''}_${over.correction_id ?? ''}_${over.action ?? ''}`,
  namespace: 'shared',
  occurred_at: A_DAY,
  correction_id: 'cor_a',
  action: 'split',
  cluster_id: 'sto_a',
  other_cluster_id: null,
  article_ids: ['art_2'],
  reason: null,
  key_id: 'key_a',
  ...over,
})

/** Two articles in `sto_a`, one in `sto_b`; a curator splits one off into `sto_new`. */
async function aSplitStory() {
  const namespace = aNamespace()
  const placed = (article_id: string, cluster_id: string) => ({ namespace, article_id, cluster_id, occurred_at: A_DAY })
  await writer.clustered(placed('art_1', 'sto_a'), placed('art_2', 'sto_a'), placed('art_3', 'sto_b'))
  await writer.write(correctionsRequested, [
    aRequest({ namespace, reason: 'two floods', occurred_at: A_DAY + HOUR_MS }),
  ])
  const corrected = async (action: string, over: Partial<StoryChange>, to: string) => {
    await writer.clustered({
      namespace,
      action: 'corrected',
      cluster_id: to,
      article_id: '',
      content_hash: '',
      event_id: `evt_${namespace}_${action}_done`,
      occurred_at: A_DAY + HOUR_MS,
      change: {
        ...{ from_cluster_id: null, article_ids: ['art_2'], rebuild_day: null, rebuilt_from: null },
        subjects: [],
        correction: { correction_id: 'cor_a', action, refused: null, reason: null, key_id: 'key_a' },
        ...over,
      },
    })
  }
  await corrected('split', { from_cluster_id: 'sto_a' }, 'sto_new')
  return { namespace, corrected }
}

it('lists a correction under the story it was requested for and under the one it opened, per namespace', async () => {
  const { namespace } = await aSplitStory()
  const of = (id: string, home = namespace, until = NOW_AND_LATER) =>
    correctionsOf(store)({ namespace: home, ids: [id], until, limit: 9 })

  expect(await of('sto_a')).toEqual([
    {
      correction_id: 'cor_a',
      action: 'split',
      cluster_id: 'sto_a',
      other_cluster_id: null,
      article_ids: ['art_2'],
      reason: 'two floods',
      key_id: 'key_a',
      requested_ms: A_DAY + HOUR_MS,
    },
  ])
  expect(await of('sto_new')).toHaveLength(1)
  expect(await of('sto_b')).toEqual([])
  expect(await of('sto_a', aNamespace())).toEqual([])
  expect(await of('sto_a', namespace, A_DAY + HOUR_MS)).toHaveLength(1)
  expect(await of('sto_a', namespace, A_DAY + HOUR_MS - 1)).toEqual([])
  expect(await correctionsUnder(store)({ namespace, prefix: 'cor_' })).toHaveLength(1)
  expect(await correctionsUnder(store)({ namespace, prefix: 'cor_b' })).toEqual([])
})

it('returns the members of a story after a correction', async () => {
  const { namespace } = await aSplitStory()

  expect(await membersNow(store)({ namespace, ids: ['sto_a', 'sto_new'] })).toEqual([
    { article_id: 'art_1', belongs_to: 'sto_a' },
    { article_id: 'art_2', belongs_to: 'sto_new' },
  ])
})

it('returns the status of a correction and of its undoing', async () => {
  const { namespace, corrected } = await aSplitStory()
  const ids = { namespace, correction_ids: ['cor_a'] }
  const ledger = await correctionOutcomes(store)(ids)
  expect(ledger).toMatchObject([{ correction_action: 'split', cluster_id: 'sto_new', from_cluster_id: 'sto_a' }])
  expect(correctionStatus('cor_a', ledger)).toEqual({ status: 'applied', refused_because: null })
  expect(await undoingRequests(store)(ids)).toEqual([])

  await writer.write(correctionsRequested, [aRequest({ namespace, action: 'undo' })])
  await corrected('undo', { from_cluster_id: 'sto_new' }, 'sto_a')

  expect(await undoingRequests(store)(ids)).toEqual([{ correction_id: 'cor_a' }])
  expect(correctionStatus('cor_a', await correctionOutcomes(store)(ids)).status).toBe('undone')
  expect(await correctionsOf(store)({ namespace, ids: ['sto_a'], until: NOW_AND_LATER, limit: 9 })).toHaveLength(1)
})

it('finds the newest correction of a key that was used on many days', async () => {
  const namespace = aNamespace()
  const ids = Array.from({ length: 12 }, (_, day) => `cor_key_${String.fromCharCode(97 + day)}`)
  for (const [day, correction_id] of ids.entries()) {
    const request = aRequest({ namespace, correction_id, occurred_at: A_DAY + day * 25 * HOUR_MS })
    await writer.write(correctionsRequested, [request])
  }

  const found = await correctionsUnder(store)({ namespace, prefix: 'cor_key' })

  expect(found.map(({ correction_id }) => correction_id)).toEqual(ids.toReversed().slice(0, 10))
})
