import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { cursorFields, cursors } from '../cursor.ts'
import { NOW_AND_LATER } from '../instant.ts'
import { deliveriesOf, deliveryHistory, type DeliveryRow } from './queries.ts'

/** As the API shows it: what is planned is pending. */
export type DeliveryStatus = 'pending' | Exclude<DeliveryRow['outcome'], 'planned'>

export type DeliveryItem = Omit<DeliveryRow, 'outcome'> & { readonly status: DeliveryStatus }

export interface DeliveryListQuery {
  readonly namespace: string
  readonly webhook_id: string
  /** Undefined: all. */
  readonly status: DeliveryStatus | undefined
  readonly cursor: string | undefined
  readonly limit: number
}

/** Where a page ended: milliseconds since 1970, and the delivery. */
const positions = cursors('webhook deliveries', z.object({ at: cursorFields.moment, id: z.string() }))
const BEFORE_ALL = { at: NOW_AND_LATER, id: '' }

/** A page of what became of deliveries, the newest first. Throws `InvalidCursor`. */
export async function deliveryList(
  store: Store,
  { namespace, webhook_id, status, cursor, limit }: DeliveryListQuery,
): Promise<{ readonly deliveries: DeliveryItem[]; readonly next_cursor: string | null }> {
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

interface OneDelivery {
  readonly namespace: string
  readonly webhook_id: string
  readonly delivery_id: string
}

/** One delivery with everything that became of it; null: the endpoint has none of this id. */
export async function deliveryDetail(store: Store, params: OneDelivery) {
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

const itemOf = ({ outcome, ...row }: DeliveryRow): DeliveryItem => ({ ...row, status: statusOf(outcome) })

const statusOf = (outcome: DeliveryRow['outcome']): DeliveryStatus => (outcome === 'planned' ? 'pending' : outcome)

const outcomeOf = (status: DeliveryStatus): DeliveryRow['outcome'] => (status === 'pending' ? 'planned' : status)
