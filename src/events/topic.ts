/** Limits a time to the log time of its record. */
export type TimeBound = (time: number) => number

/** A topic and the type of its events. `schemas/<name>.avsc` and `topics/<name>.yaml` have the same name. */
export interface Topic<Event> {
  readonly name: string
  /** The record key. Events with the same key stay in order. */
  key(event: Event): string
  /** Applies `bound` to the times of an event that cannot be later than its record, see `withBoundTimes`. */
  boundTimes?(event: Event, bound: TimeBound): object
}

export const topic = <Event>(
  name: string,
  key: (event: Event) => string,
  boundTimes?: (event: Event, bound: TimeBound) => Partial<Event>,
): Topic<Event> => ({ name, key, ...(boundTimes === undefined ? {} : { boundTimes }) })

/** A `boundTimes` for the named fields. */
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

/** Maximum accepted difference of a producer's clock ahead of the broker's. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000

/**
 * Limits a time in the past: if it is later than the log time plus the tolerance, returns the log time. A record
 * without a log time (-1 in Kafka) sets no limit.
 */
export const boundByLog = (time: number, loggedAt: number): number =>
  loggedAt > 0 && time > loggedAt + CLOCK_TOLERANCE_MS ? loggedAt : time

/**
 * Limits the times of an event to its record's log time. The result depends only on the record, so that a live run, a
 * restart, a replay and a restored archive (which keeps log times) agree.
 */
export const withBoundTimes = <Event>(topic: Topic<Event>, event: Event, loggedAt: number): Event =>
  topic.boundTimes === undefined
    ? event
    : { ...event, ...topic.boundTimes(event, (time) => boundByLog(time, loggedAt)) }

/** Whether a topic is compacted and holds the state of a stage: a changelog or a table. */
export const isStateTopic = (name: string): boolean => /\.(memory|assignments)$/.test(name)
