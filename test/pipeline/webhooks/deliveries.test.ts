import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { webhooksDelivered, type WebhookDelivered } from '../../../src/events/webhooks.ts'
import { systemClock } from '../../../src/adapters/clock.ts'
import type { Input } from '../../../src/runtime/shapes.ts'
import { webhooks } from '../../../src/views/row-per-event.ts'
import { deliveryDetail, deliveryList, deliveredMessage } from '../../../src/views/webhooks/deliveries.ts'
import { anApi, type TestApi } from '../../builders/api.ts'
import { A_DAY } from '../../builders/articles.ts'
import { A_WISH, aDelivery, asker, logged } from '../../builders/webhooks.ts'
import { sized } from '../../builders/sizes.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store } = viewsDatabase()

const SECOND_MS = 1_000

/** Logged today, since older rows than 30 days are dropped. */
const loggedAt = systemClock.now()
let offset = 0

/** Written as by the view's process. */
const written = async (...events: readonly Partial<WebhookDelivered>[]): Promise<void> => {
  const inputs = events.map((event) => {
    const place = { topic: webhooksDelivered.name, partition: 0, offset: offset++ }
    return { event: aDelivery(event), topic: webhooksDelivered.name, place, loggedAt }
  })
  const rows = webhooks.projections.flatMap((projection) =>
    inputs.flatMap((input) => projection.project(input as Input<never>)),
  )
  await store.insert(
    'deliveries',
    rows.map(({ row }) => row),
  )
}
const all = { webhook_id: 'whk_a', status: undefined, cursor: undefined, limit: 50 } as const
const listOf = async (namespace: string, over: Partial<Parameters<typeof deliveryList>[1]> = {}) =>
  (await deliveryList(store, { ...all, namespace, ...over })).deliveries

it('a delivery is listed once, with its newest status, by the time it was planned', async () => {
  const namespace = aNamespace()
  const failed = { attempt: 1, outcome: 'failed', status_code: 503, error: 'http_status', duration_ms: 40 } as const
  await written(
    { namespace },
    { namespace, ...failed, occurred_at: A_DAY + SECOND_MS, next_attempt_at: A_DAY + 6 * SECOND_MS },
    {
      ...{ namespace, attempt: 2, outcome: 'delivered', status_code: 204, duration_ms: 80 },
      ...{ occurred_at: A_DAY + 6 * SECOND_MS, next_attempt_at: null, payload: '' },
    },
  )

  expect(await listOf(namespace)).toEqual([
    {
      id: 'dlv_a',
      webhook_id: 'whk_a',
      event_id: 'evt_change',
      type: 'trend.detected',
      status: 'delivered',
      attempts: 2,
      last_status_code: 204,
      last_error: null,
      last_duration_ms: 80,
      created_at: new Date(A_DAY).toISOString(),
      last_attempt_at: new Date(A_DAY + 6 * SECOND_MS).toISOString(),
      next_attempt_at: null,
    },
  ])
  const detail = await deliveryDetail(store, { namespace, webhook_id: 'whk_a', delivery_id: 'dlv_a' })
  expect(detail?.history).toMatchObject([
    { attempt: 0, status: 'pending', duration_ms: null, status_code: null },
    { attempt: 1, status: 'failed', duration_ms: 40, status_code: 503, error: 'http_status' },
    { attempt: 2, status: 'delivered', duration_ms: 80, status_code: 204, next_attempt_at: null },
  ])
})

it('a planned delivery has no attempt; a cancelled one keeps its last attempt', async () => {
  const namespace = aNamespace()
  await written(
    { namespace, delivery_id: 'dlv_a' },
    { namespace, delivery_id: 'dlv_b' },
    { namespace, delivery_id: 'dlv_b', attempt: 1, outcome: 'failed', occurred_at: A_DAY + SECOND_MS },
    { namespace, delivery_id: 'dlv_b', attempt: 1, outcome: 'cancelled', occurred_at: A_DAY + 9 * SECOND_MS },
  )

  expect(await listOf(namespace)).toMatchObject([
    { id: 'dlv_b', status: 'cancelled', attempts: 1, last_attempt_at: new Date(A_DAY + SECOND_MS).toISOString() },
    { id: 'dlv_a', status: 'pending', attempts: 0, last_attempt_at: null, last_duration_ms: null },
  ])
})

it('repeated events change nothing', async () => {
  const namespace = aNamespace()
  const events = [{ namespace }, { namespace, attempt: 1, outcome: 'delivered', payload: '' }] as const
  await written(...events)
  const before = [await listOf(namespace), await historyOf(namespace)]
  await written(events[0], events[1])

  expect([await listOf(namespace), await historyOf(namespace)]).toEqual(before)
})

const historyOf = async (namespace: string) =>
  (await deliveryDetail(store, { namespace, webhook_id: 'whk_a', delivery_id: 'dlv_a' }))?.history

it('pages contain every delivery once, newest first, for any page size and filter', async () => {
  const namespace = aNamespace()
  const planned = Array.from({ length: 23 }, (_, i) => ({
    namespace,
    delivery_id: `dlv_${String(i).padStart(2, '0')}`,
    occurred_at: A_DAY + (i >> 2) * SECOND_MS, // four with equal times
  }))
  const done = planned.filter((_, i) => i % 3 === 0)
  await written(...planned, ...done.map((one) => ({ ...one, attempt: 1, outcome: 'delivered' as const, payload: '' })))
  const ids = (deliveries: readonly { readonly delivery_id: string }[]) =>
    deliveries.map(({ delivery_id }) => delivery_id).toReversed()

  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom('delivered', undefined),
      async (limit, status) => {
        const found: string[] = []
        let cursor: string | undefined
        do {
          const page = await deliveryList(store, { ...all, namespace, limit, status, cursor })
          found.push(...page.deliveries.map(({ id }) => id))
          cursor = page.next_cursor ?? undefined
        } while (cursor !== undefined)

        expect(found).toEqual(ids(status === undefined ? planned : done))
      },
    ),
    { numRuns: sized(6, 12) },
  )
})

it('returns nothing of another endpoint or namespace', async () => {
  const [namespace, other] = [aNamespace(), aNamespace()]
  await written({ namespace }, { namespace, webhook_id: 'whk_b', delivery_id: 'dlv_b' })
  const message = async (home: string, webhook_id: string, delivery_id: string) =>
    (await deliveredMessage(store)({ namespace: home, webhook_id, delivery_id })).length

  expect(await listOf(other)).toEqual([])
  expect((await listOf(namespace)).map(({ id }) => id)).toEqual(['dlv_a'])
  expect(await deliveryDetail(store, { namespace, webhook_id: 'whk_a', delivery_id: 'dlv_b' })).toBeNull()
  expect(await deliveryDetail(store, { namespace: other, webhook_id: 'whk_a', delivery_id: 'dlv_a' })).toBeNull()
  expect([await message(namespace, 'whk_a', 'dlv_a'), await message(namespace, 'whk_a', 'dlv_b')]).toEqual([1, 0])
  expect(await message(other, 'whk_a', 'dlv_a')).toBe(0)
})

let api: TestApi
beforeAll(async () => {
  api = await anApi({ store })
})
afterAll(() => api.stop())

it('a finished delivery is redelivered byte for byte from the view', async () => {
  const namespace = aNamespace()
  const key = await api.key({ namespace })
  const ask = asker(api)
  const made = await ask('POST', '', key, { body: A_WISH })
  const webhook_id = String(made.body['id'])
  const payload =
    '{"type":"trend.detected","timestamp":"2016-05-03T12:00:00.000Z","data":{"title":"Ü \\"x\\" \\u2028"}}'
  await written(
    { namespace, webhook_id, payload },
    { namespace, webhook_id, attempt: 1, outcome: 'delivered', payload: '', next_attempt_at: null },
  )

  const again = await ask('POST', `/${webhook_id}/deliveries/dlv_a/redeliver`, key)
  const planned = (await logged(api, webhooksDelivered)).flatMap((event) => event ?? [])
  await written(...planned)
  const listed = await ask('GET', `/${webhook_id}/deliveries?status=pending`, key)
  const one = await ask('GET', `/${webhook_id}/deliveries/${String(again.body['delivery_id'])}`, key)

  expect(again.status).toBe(202)
  expect(planned).toMatchObject([{ payload, change_id: 'evt_change', type: 'trend.detected', webhook_id, namespace }])
  expect(listed.body).toMatchObject({
    deliveries: [{ id: again.body['delivery_id'], event_id: 'evt_change', status: 'pending', attempts: 0 }],
    next_cursor: null,
  })
  expect(one.body).toMatchObject({ id: again.body['delivery_id'], history: [{ attempt: 0, status: 'pending' }] })
})
