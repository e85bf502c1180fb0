import type { WebhookDelivered } from '../../events/webhooks.ts'

export interface EffectReason {
  readonly reason: 'gone' | 'failing'
  /** The receiver is not disabled if its owner changed it after this time. */
  readonly since: number
}

/** What is known of the receiver's other deliveries. */
interface LaneHistory {
  /** When the delivery was planned, milliseconds since 1970; `null` if unknown. */
  readonly since: number | null
  readonly laneWentWellAt: number
}

/** A receiver is disabled if it is gone, or accepted nothing for as long as one delivery is retried. */
export function reasonToDisable(
  { outcome, occurred_at }: WebhookDelivered,
  { since, laneWentWellAt }: LaneHistory,
  retryMs: readonly number[],
): EffectReason | null {
  if (outcome === 'gone') return { reason: 'gone', since: Infinity }
  if (since === null || laneWentWellAt >= since) return null // success before `since` is unknown
  const isOver = outcome === 'failed' && occurred_at - since > retryMs.reduce((sum, ms) => sum + ms, 0) * TOLERANCE
  return outcome === 'given_up' || isOver ? { reason: 'failing', since } : null
}

/** Tolerance for jitter: a delivery that does not wait for others is given up before this. */
const TOLERANCE = 1.25
