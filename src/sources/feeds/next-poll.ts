import { sha256 } from '../../events/ids.ts'
import type { FeedPollOutcome } from './poll-outcome.ts'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]

/** Intervals in milliseconds. */
export interface PollLimits {
  readonly minMs: number
  /** The interval of a feed whose rhythm is not known yet. */
  readonly startMs: number
  readonly maxMs: number
  /** Instead of `maxMs`, for a feed without a new item for 30 days. */
  readonly idleMaxMs: number
}

export const POLL_LIMITS: PollLimits = {
  minMs: 2 * MINUTE_MS,
  startMs: 15 * MINUTE_MS,
  maxMs: 6 * HOUR_MS,
  idleMaxMs: DAY_MS,
}

/** What is remembered of a feed's polls. Times are milliseconds since 1970. */
export interface PollState {
  /** All polls so far. */
  readonly polls: number
  /** Smoothed time between two new items, in milliseconds. */
  readonly gap_ms: number
  /** The last poll that found a new item, or the first successful one; `null` before it. */
  readonly last_new_at: number | null
  /** Consecutive polls without success. */
  readonly failures: number
  /** The first 404 since the last success; `null` if there is none. */
  readonly not_found_since: number | null
}

/** A poll that ended. */
export interface FinishedPoll {
  readonly feedId: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly outcome: FeedPollOutcome
  /** The number of new items. */
  readonly added: number
  /** The feed's `ttl_seconds`, also if the document is unchanged. */
  readonly ttlSeconds: number | null
  /** How long the response stays fresh (`freshSeconds`). */
  readonly freshSeconds: number | null
}

export interface NextPoll {
  /** Milliseconds since 1970; `null` if the feed is gone. */
  readonly nextAt: number | null
  readonly state: PollState
}

/** The weight of one new item in the smoothed gap: five items outweigh all earlier ones. */
const SMOOTHING = 0.2
/** The longest gap that is counted, as a multiple of the smoothed one: a night does not change the rhythm of the day. */
const MAX_GAP_RATIO = 4
/** A silence of four gaps is unlikely (e⁻⁴ = 2 % if items are independent): from then on the interval grows. */
const SILENCE_SHARE = 1 / 8
const IDLE_MS = 30 * DAY_MS
const LONGEST_HINT_MS = HOUR_MS
const LONGEST_WAIT_MS = DAY_MS
/** Enough to reach the longest wait from any interval. */
const MAX_DOUBLINGS = 20

/**
 * When to poll a feed next, and what to remember. `state` is `null` after the first poll.
 *
 * The interval is half the smoothed time between new items, so that an item is found soon after it is expected, within
 * `limits`; it grows while a feed is silent. Aggregators derive it from counts over a week or month (Miniflux,
 * internal/model/feed.go, `ScheduleNextCheck`; NewsBlur, `get_next_scheduled_update`), which adapts later. As in
 * Miniflux, it is at least the ttl and the freshness of the response, here up to 1 hour, because many feeds name a day.
 * Without success the wait doubles at each poll, up to 24 hours, and is at least `Retry-After`, up to 24 hours. The
 * jitter of ±10 % is derived from feed and poll, so a repeat plans the same time.
 */
export function nextPoll(poll: FinishedPoll, state: PollState | null, limits: PollLimits): NextPoll {
  const before = state ?? firstState(limits)
  const after = isSuccess(poll.outcome) ? afterSuccess(poll, before, limits) : afterFailure(poll, before)
  if (poll.outcome.kind === 'gone') return { nextAt: null, state: after }

  const backedOff = intervalMs(after, poll.at, limits) * 2 ** Math.min(after.failures, MAX_DOUBLINGS)
  const factor = jitter(poll.feedId, after.polls)
  const wait = Math.min(backedOff * factor, LONGEST_WAIT_MS)
  return {
    nextAt: Math.round(poll.at + Math.max(wait, hintMs(poll, limits) * (factor + 0.1), leastMs(poll, limits))),
    state: after,
  }
}

const firstState = ({ startMs }: PollLimits): PollState => ({
  polls: 0,
  gap_ms: 2 * startMs,
  last_new_at: null,
  failures: 0,
  not_found_since: null,
})

const isSuccess = ({ kind }: FeedPollOutcome): boolean => kind === 'ok' || kind === 'unchanged' || kind === 'moved'

/** The items of the first success are the past of the feed: they do not show its rhythm. */
function afterSuccess({ at, added }: FinishedPoll, before: PollState, { minMs }: PollLimits): PollState {
  const found = { ...before, polls: before.polls + 1, failures: 0, not_found_since: null }
  if (before.last_new_at === null) return { ...found, last_new_at: at }
  if (added === 0) return found
  const gap = Math.min(Math.max(0, at - before.last_new_at) / added, MAX_GAP_RATIO * before.gap_ms)
  const smoothed = gap + (before.gap_ms - gap) * (1 - SMOOTHING) ** added
  return { ...found, last_new_at: at, gap_ms: Math.round(clamp(smoothed, minMs, IDLE_MS)) }
}

function afterFailure({ at, outcome }: FinishedPoll, before: PollState): PollState {
  const isNotFound = outcome.kind === 'failed' && outcome.reason === 'not_found'
  return {
    ...before,
    polls: before.polls + 1,
    failures: before.failures + 1,
    not_found_since: before.not_found_since ?? (isNotFound ? at : null),
  }
}

/** The interval of a feed that can be reached, without jitter. */
function intervalMs({ gap_ms, last_new_at }: PollState, at: number, { minMs, maxMs, idleMaxMs }: PollLimits): number {
  const silence = last_new_at === null ? 0 : Math.max(0, at - last_new_at)
  return clamp(Math.max(gap_ms / 2, silence * SILENCE_SHARE), minMs, silence >= IDLE_MS ? idleMaxMs : maxMs)
}

/** The publisher's hints; the jitter only lengthens them. */
const hintMs = ({ ttlSeconds, freshSeconds }: FinishedPoll, { maxMs }: PollLimits): number =>
  Math.min(Math.max(ttlSeconds ?? 0, freshSeconds ?? 0) * 1000, LONGEST_HINT_MS, maxMs)

/** The shortest wait, whatever the jitter. */
function leastMs({ outcome }: FinishedPoll, { minMs }: PollLimits): number {
  const seconds = outcome.kind === 'limited' ? (outcome.retryAfterSeconds ?? 0) : 0
  return Math.max(minMs, Math.min(seconds * 1000, LONGEST_WAIT_MS))
}

/** A factor from 0.9 to 1.1. */
const jitter = (feedId: string, poll: number): number =>
  0.9 + 0.2 * (sha256(`${feedId}\n${poll}`).readUInt32BE(0) / 2 ** 32)

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)
