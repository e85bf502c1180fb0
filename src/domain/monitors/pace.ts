import type { MonitorChanged } from '../../events/monitors.ts'
import { DAY_MS } from '../days.ts'

/** When the messages of a monitor are sent. */
export type MonitorTimes = Pick<MonitorChanged, 'quiet_hours' | 'digest_at' | 'time_zone' | 'max_per_day'>

/** How many messages were sent on a day, and since when a match is held back. */
export interface MonitorPace {
  /** UTC day, as a number of days since 1970. */
  readonly day: number
  readonly sent: number
  /** Milliseconds since 1970; `null` if nothing is held back. */
  readonly held_since: number | null
}

/** Whether a match at a point in time is held back: for the daily digest, the end of the quiet hours or the next day. */
export const isHeldBack = (times: MonitorTimes, pace: MonitorPace, at: number): boolean =>
  times.digest_at !== null || pace.held_since !== null || isQuiet(times, at) || !mayStillSend(times, pace, at)

/** Whether the matches that are held back are to be sent. */
export function isReleased(times: MonitorTimes, pace: MonitorPace, at: number): boolean {
  if (pace.held_since === null || isQuiet(times, at) || !mayStillSend(times, pace, at)) return false
  return (
    times.digest_at === null || lastDigest(times, times.digest_at, at) > localTime(pace.held_since, times.time_zone)
  )
}

/** The pace after one more message. */
export const afterMessage = (pace: MonitorPace, at: number): MonitorPace => ({
  day: utcDay(at),
  sent: sentOn(pace, at) + 1,
  held_since: null,
})

const mayStillSend = ({ max_per_day }: MonitorTimes, pace: MonitorPace, at: number): boolean =>
  sentOn(pace, at) < max_per_day

const sentOn = ({ day, sent }: MonitorPace, at: number): number => (day === utcDay(at) ? sent : 0)
const utcDay = (at: number): number => Math.floor(at / DAY_MS)

function isQuiet({ quiet_hours, time_zone }: MonitorTimes, at: number): boolean {
  if (quiet_hours === null) return false
  const { start, end } = quiet_hours
  const time = localTime(at, time_zone).slice(-5)
  return start <= end ? time >= start && time < end : time >= start || time < end
}

/** Local time of the last digest at or before a point in time. */
function lastDigest({ time_zone }: MonitorTimes, digestAt: string, at: number): string {
  const now = localTime(at, time_zone)
  const today = `${now.slice(0, 10)} ${digestAt}`
  return today <= now ? today : `${localTime(at - DAY_MS, time_zone).slice(0, 10)} ${digestAt}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2018-12-31 07:30`, which sorts by time. */
export function localTime(at: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  formats.set(timeZone, format)
  return format.format(at)
}
