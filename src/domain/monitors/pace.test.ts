import { describe, expect, it } from 'vitest'
import { afterMessage, isHeldBack, isReleased, localTime, type MonitorPace, type MonitorTimes } from './pace.ts'

const AT_ONCE: MonitorTimes = { quiet_hours: null, digest_at: null, time_zone: 'Europe/Berlin', max_per_day: 2 }
const FRESH: MonitorPace = { day: 0, sent: 0, held_since: null }
/** Berlin is an hour ahead of UTC in winter. */
const berlin = (time: string): number => Date.parse(`2026-01-15T${time}:00+01:00`)
const held = (since: string): MonitorPace => ({ ...FRESH, held_since: berlin(since) })

it('times are local, in winter and summer', () => {
  expect(localTime(Date.UTC(2026, 0, 15, 23, 30), 'Europe/Berlin')).toBe('2026-01-16 00:30')
  expect(localTime(Date.UTC(2026, 6, 15, 23, 30), 'Europe/Berlin')).toBe('2026-07-16 01:30')
})

describe('quiet hours that span midnight', () => {
  const times = { ...AT_ONCE, quiet_hours: { start: '22:00', end: '07:00' } }

  it.each([
    ['21:59', false],
    ['22:00', true],
    ['03:00', true],
    ['06:59', true],
    ['07:00', false],
  ])('at %s a match is held back: %s', (time, expected) => {
    expect(isHeldBack(times, FRESH, berlin(time))).toBe(expected)
    expect(isReleased(times, held('02:00'), berlin(time))).toBe(!expected)
  })
})

it('quiet hours within a day', () => {
  const times = { ...AT_ONCE, quiet_hours: { start: '12:00', end: '13:00' } }
  expect(['11:59', '12:30', '13:00'].map((time) => isHeldBack(times, FRESH, berlin(time)))).toEqual([
    false,
    true,
    false,
  ])
})

it('a digest holds every match back until its time has come since', () => {
  const times = { ...AT_ONCE, digest_at: '08:00' }
  expect(isHeldBack(times, FRESH, berlin('12:00'))).toBe(true)
  expect(isReleased(times, held('07:00'), berlin('07:59'))).toBe(false)
  expect(isReleased(times, held('07:00'), berlin('08:00'))).toBe(true)
  expect(isReleased(times, held('09:00'), berlin('23:00'))).toBe(false)
  expect(isReleased(times, held('09:00'), berlin('08:00') + 86_400_000)).toBe(true)
})

it('more messages than allowed wait for the next day', () => {
  const now = berlin('12:00')
  const full = afterMessage(afterMessage(FRESH, now), now)

  expect(isHeldBack(AT_ONCE, full, now)).toBe(true)
  expect(isReleased(AT_ONCE, { ...full, held_since: now }, now)).toBe(false)
  expect(isReleased(AT_ONCE, { ...full, held_since: now }, now + 86_400_000)).toBe(true)
})

it('a match waits behind others that are held back, so that they arrive in order', () => {
  expect(isHeldBack(AT_ONCE, held('11:00'), berlin('12:00'))).toBe(true)
})

it('nothing is released if nothing is held back', () => {
  expect(isReleased({ ...AT_ONCE, digest_at: '08:00' }, FRESH, berlin('09:00'))).toBe(false)
})
