import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { cursorFields, cursors } from '../cursor.ts'
import { NOW_AND_LATER, moment } from '../instant.ts'
import { query } from '../query.ts'

const OUTCOME = z.enum(['planned', 'failed', 'delivered', 'gone', 'given_up', 'cancelled'])

const delivery = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  type: z.string(),
  outcome: OUTCOME,
  attempts: z.number(),
  last_status_code: z.number().nullable(),
  last_error: z.string().nullable(),
  last_duration_ms: z.number().nullable(),
  created_at: z.string(),
  last_attempt_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
})

type DeliveryRow = z.output<typeof delivery>

/**
 * Deliveries of an endpoint before a position, one row each with its newest state, newest first. An empty `outcome` or
 * `delivery_id` matches all. All events of an endpoint are in one partition, so `_offset` orders them. The last attempt
 * is dated by the first event of the highest attempt number, because a cancellation is not an attempt.
 */
const deliveriesOf = query({
  name: 'webhooks.deliveries',
  sql: `
    SELECT
      delivery_id AS id, webhook_id, change AS event_id, kind AS type, state.1 AS outcome, state.2 AS attempts,
      state.3 AS last_status_code, state.4 AS last_error, if(state.2 = 0, NULL, state.5) AS last_duration_ms,
      began AS created_at, if(state.2 = 0, NULL, tried) AS last_attempt_at,
      state.6 AS next_attempt_at
    FROM
    (
      SELECT
        webhook_id, delivery_id, any(change_id) AS change, any(type) AS kind, min(occurred_at) AS began,
        argMax(tuple(outcome, attempt, status_code, error, duration_ms, next_attempt_at), _offset) AS state,
        argMax(occurred_at, tuple(attempt, _first)) AS tried
      FROM deliveries
      WHERE namespace = {namespace: String} AND webhook_id = {webhook_id: String}
        AND ({delivery_id: String} = '' OR delivery_id = {delivery_id: String})
      GROUP BY webhook_id, delivery_id
    )
    WHERE (began, delivery_id) < ({before: DateTime64(3, 'UTC')}, {before_id: String})
      AND ({outcome: String} = '' OR state.1 = {outcome: String})
    ORDER BY began DESC, delivery_id DESC
    LIMIT {limit: UInt32}
    SETTINGS optimize_aggregation_in_order = 1`,
  params: z.object({
    webhook_id: z.string(),
    delivery_id: z.string(),
    outcome: z.union([OUTCOME, z.literal('')]),
    before: moment,
    before_id: z.string(),
    limit: z.int(),
  }),
  row: delivery,
})

/** All events of a delivery, in log order. */
const deliveryHistory = query({
  name: 'webhooks.history',
  sql: `
    SELECT attempt, occurred_at AS at, outcome, status_code, error, duration_ms, next_attempt_at
    FROM deliveries FINAL
    WHERE namespace = {namespace: String} AND webhook_id = {webhook_id: String}
      AND delivery_id = {delivery_id: String}
    ORDER BY _offset`,
  params: z.object({ webhook_id: z.string(), delivery_id: z.string() }),
  row: z.object({
    attempt: z.number(),
    at: z.string(),
    outcome: OUTCOME,
    status_code: z.number().nullable(),
    error: z.string().nullable(),
    duration_ms: z.number(),
    next_attempt_at: z.string().nullable(),
  }),
})

/** The message of a delivery. Its last event has no payload, so the first one with a payload is read. */
export const deliveredMessage = query({
  name: 'webhooks.message',
  sql: `
    SELECT change_id, type, payload
    FROM deliveries FINAL
    WHERE namespace = {namespace: String} AND webhook_id = {webhook_id: String}
      AND delivery_id = {delivery_id: String} AND payload != ''
    ORDER BY _offset
    LIMIT 1`,
  params: z.object({ webhook_id: z.string(), delivery_id: z.string() }),
  row: z.object({ change_id: z.string(), type: z.string(), payload: z.string() }),
})

/** The status in the API: a planned delivery is `pending`. */
type DeliveryStatus = 'pending' | Exclude<DeliveryRow['outcome'], 'planned'>

interface DeliveryListQuery {
  readonly namespace: string
  readonly webhook_id: string
  /** `undefined` for all. */
  readonly status: DeliveryStatus | undefined
  readonly cursor: string | undefined
  readonly limit: number
}

/** The end of a page: creation time in milliseconds since 1970, and the delivery id. */
const positions = cursors('webhook deliveries', z.object({ at: cursorFields.moment, id: z.string() }))
const BEFORE_ALL = { at: NOW_AND_LATER, id: '' }

/** A page of deliveries, newest first. Throws `InvalidCursor`. */
export async function deliveryList(store: Store, { namespace, webhook_id, status, cursor, limit }: DeliveryListQuery) {
  const filters = [namespace, webhook_id, status ?? null]
  const { at: before, id: before_id } = positions.begin(cursor, filters, BEFORE_ALL)
  const outcome = status === undefined ? '' : outcomeOf(status)
  const params = { namespace, webhook_id, delivery_id: '', outcome, before, before_id, limit: limit + 1 } as const
  const found = await deliveriesOf(store)(params)
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return {
    deliveries: rows.map(itemOf),
    next_cursor: last === undefined ? null : positions.write({ at: Date.parse(last.created_at), id: last.id }, filters),
  }
}

/** One delivery with its history; `null` if the endpoint has no delivery with this id. */
export async function deliveryDetail(store: Store, params: Parameters<ReturnType<typeof deliveryHistory>>[0]) {
  const first = { outcome: '', before: BEFORE_ALL.at, before_id: BEFORE_ALL.id, limit: 1 } as const
  const [[found], events] = await Promise.all([
    deliveriesOf(store)({ ...params, ...first }),
    deliveryHistory(store)(params),
  ])
  if (found === undefined) return null
  const history = events.map(({ outcome, duration_ms, ...event }) => ({
    ...event,
    status: statusOf(outcome),
    duration_ms: event.attempt === 0 ? null : duration_ms,
  }))
  return { ...itemOf(found), history }
}

const itemOf = ({ outcome, ...row }: DeliveryRow) => ({ ...row, status: statusOf(outcome) })
const statusOf = (outcome: DeliveryRow['outcome']): DeliveryStatus => (outcome === 'planned' ? 'pending' : outcome)
const outcomeOf = (status: DeliveryStatus): DeliveryRow['outcome'] => (status === 'pending' ? 'planned' : status)
