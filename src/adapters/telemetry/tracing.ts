import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'

export interface TracingOptions {
  /** Where a collector takes OTLP over HTTP: `http://host:4318`. */
  readonly endpoint: string
  /** The name under which a trace shows this process. */
  readonly service: string
  readonly version: string
  /** Of all traces that begin here, which part is recorded: 0 to 1. */
  readonly share: number
}

/** Wraps the ports so that calls become spans of one trace, from a request to the resulting rows. */
export interface Tracing {
  log(log: Log): Log
  store(store: Store): Store
  /** Sends what is not sent yet. */
  close(): Promise<void>
}
