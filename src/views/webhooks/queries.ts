import { z } from 'zod'
import { moment } from '../instant.ts'
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

export type DeliveryRow = z.output<typeof delivery>

/**
 * Deliveries of an endpoint, each once, as its newest event says, the newest first, from before a place in that order.
 * `outcome` and `delivery_id` empty: all. One endpoint's events are in one partition, so that `_offset` orders them; a
 * delivery was last attempted when the first event of its highest attempt came about (a cancellation is no attempt).
 */
export const deliveriesOf = query({
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

/** Everything that became of a delivery, in the order of the log. */
export const deliveryHistory = query({
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

/** What a delivery brings: the last event of one has no body any more, an earlier one has. */
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
