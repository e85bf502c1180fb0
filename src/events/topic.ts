/** Bounds a time by the log time of the record that states it. */
export type TimeBound = (time: number) => number

/** A topic of the log and the type of its events: `schemas/<name>.avsc` and `topics/<name>.yaml` have the same name. */
export interface Topic<Event> {
  readonly name: string
  /** The record's key: events with one key stay in order. */
  key(event: Event): string
  /** Fields of an event with `bound` applied to times that cannot be later than its record, see `withBoundTimes`. */
  boundTimes?(event: Event, bound: TimeBound): object
}

export const topic = <Event>(
  name: string,
  key: (event: Event) => string,
  boundTimes?: (event: Event, bound: TimeBound) => Partial<Event>,
): Topic<Event> => ({ name, key, ...(boundTimes === undefined ? {} : { boundTimes }) })

/** `boundTimes` for the named fields. */
export const timesIn =
  <Name extends string>(...names: readonly Name[]) =>
  <Fields extends Readonly<Record<Name, number | null>>>(fields: Fields, bound: TimeBound): Pick<Fields, Name> => {
    const bounded = { ...fields }
    for (const name of names) {
      const time: number | null = fields[name]
      if (time !== null) Object.assign(bounded, { [name]: bound(time) })
    }
    return bounded
  }

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
