import { expect, it } from 'vitest'
import { anEnrichedStory } from '../../test/builders/views.ts'
import { storiesEnriched } from './discourse.ts'
import { boundByLog, CLOCK_TOLERANCE_MS, withBoundTimes } from './topic.ts'
import { clockTicked, keysChanged } from './settings.ts'
import { webhooksDelivered } from './webhooks.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const YEAR_MS = 365 * 86_400_000

it.each([
  ['a time of the past stays', NOON - YEAR_MS, NOON - YEAR_MS],
  ['one within the tolerance stays', NOON + CLOCK_TOLERANCE_MS, NOON + CLOCK_TOLERANCE_MS],
  ['one beyond it is the log time', NOON + CLOCK_TOLERANCE_MS + 1, NOON],
  ['one a year ahead is the log time', NOON + YEAR_MS, NOON],
])('%s', (_, time, bound) => {
  expect(boundByLog(time, NOON)).toBe(bound)
})

it('a record without a log time bounds nothing', () => {
  expect(boundByLog(NOON, -1)).toBe(NOON)
})

it('binds the times of an event that lie in the past, and leaves the others', () => {
  const tick = { event_id: 'evt', namespace: 'lab', tick_at: NOON + YEAR_MS, flush: false }
  const key = { expires_at: NOON + YEAR_MS, created_at: NOON + YEAR_MS, revoked_at: null }
  const { occurred_at, sample } = withBoundTimes(
    storiesEnriched,
    anEnrichedStory({
      occurred_at: NOON + YEAR_MS,
      sample: { posts: 2, authors: 2, window_start: NOON - 1, window_end: NOON + YEAR_MS },
    }),
    NOON,
  )

  expect(withBoundTimes(clockTicked, tick, NOON)).toEqual({ ...tick, tick_at: NOON })
  expect(keysChanged.boundTimes?.(key as never, (time) => boundByLog(time, NOON))).toEqual({ ...key, created_at: NOON })
  expect({ occurred_at, sample }).toMatchObject({
    occurred_at: NOON,
    sample: { window_start: NOON - 1, window_end: NOON },
  })
})

it('binds the next attempt of a delivery by its record and the longest wait', () => {
  const bound = (time: number) => boundByLog(time, NOON)
  const next = (at: number | null) =>
    webhooksDelivered.boundTimes?.({ occurred_at: NOON, next_attempt_at: at } as never, bound)

  expect(next(NOON + 86_400_000)).toEqual({ occurred_at: NOON, next_attempt_at: NOON + 86_400_000 })
  expect(next(NOON + YEAR_MS)).toEqual({ occurred_at: NOON, next_attempt_at: NOON + 1.2 * 7 * 86_400_000 })
  expect(next(null)).toEqual({ occurred_at: NOON, next_attempt_at: null })
})
