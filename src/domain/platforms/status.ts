import { PLATFORM_CADENCE_MS, type Platform } from '../../events/discourse.ts'

/** Polling intervals without a success after which a platform counts as degraded, and as stale. */
const DEGRADED_AFTER = 2
const STALE_AFTER = 8
export const SOURCE_STATUSES = ['live', 'degraded', 'stale'] as const
export type SourceStatus = (typeof SOURCE_STATUSES)[number]

/** The polling state of a platform; times in milliseconds since 1970. */
export interface PollStatus {
  /** When a poll last succeeded or posts were last accepted; `null` if never. */
  readonly lastSuccessAt: number | null
  /** Whether the newest attempt failed. */
  readonly failing: boolean
}

/**
 * `live`: polled recently; `degraded`: the newest attempt failed, or there was no success for more than two intervals;
 * `stale`: no success for more than eight intervals.
 */
export function sourceStatus(platform: Platform, { lastSuccessAt, failing }: PollStatus, at: number): SourceStatus {
  const intervals = lastSuccessAt === null ? Infinity : (at - lastSuccessAt) / PLATFORM_CADENCE_MS[platform]
  if (intervals > STALE_AFTER) return 'stale'
  return failing || intervals > DEGRADED_AFTER ? 'degraded' : 'live'
}
