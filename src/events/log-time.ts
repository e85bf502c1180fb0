import type { Topic } from './topic.ts'

/** How far a producer's clock may be ahead of the broker's. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000

/**
 * A time that a record states about the past: one further ahead of the log than the tolerance is the log time. A record
 * without a log time (Kafka says -1) bounds nothing.
 */
export const boundByLog = (time: number, loggedAt: number): number =>
  loggedAt > 0 && time > loggedAt + CLOCK_TOLERANCE_MS ? loggedAt : time

/**
 * An event with its times bound by the time the log took its record. The result depends on the record alone, so that a
 * live run, a restart, a replay and a restored archive (which keeps log times) agree.
 */
export const withBoundTimes = <Event>(topic: Topic<Event>, event: Event, loggedAt: number): Event =>
  topic.boundTimes === undefined
    ? event
    : { ...event, ...topic.boundTimes(event, (time) => boundByLog(time, loggedAt)) }
