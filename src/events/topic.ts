/** A topic of the log and the type of its events: `schemas/<name>.avsc` and `topics/<name>.yaml` have the same name. */
export interface Topic<Event> {
  readonly name: string
  /** The record's key: events with one key stay in order. */
  key(event: Event): string
}

export const topic = <Event>(name: string, key: (event: Event) => string): Topic<Event> => ({ name, key })
