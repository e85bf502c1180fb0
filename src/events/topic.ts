/** Bounds a time by the log time of the record that states it. */
export type TimeBound = (time: number) => number

/** A topic of the log and the type of its events: `schemas/<name>.avsc` and `topics/<name>.yaml` have the same name. */
export interface Topic<Event> {
  readonly name: string
  /** The record's key: events with one key stay in order. */
  key(event: Event): string
  /** Fields of an event with `bound` applied to times that cannot be later than its record, see `log-time.ts`. */
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
