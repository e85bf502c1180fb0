import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

const untraced: Tracing = { log: (log) => log, store: (store) => store, close: () => Promise.resolve() }

/** Null: nothing is imported, nothing wrapped. */
export async function openTracing(options: TracingOptions | null, clock: Clock): Promise<Tracing> {
  if (options === null) return untraced
  const { otlpTracing } = await import('./telemetry/otlp.ts')
  return otlpTracing(options, clock)
}

export interface TracingOptions {
  /** Where a collector takes OTLP over HTTP: `http://host:4318`. */
  readonly endpoint: string
  /** The name under which a trace shows this process. */
  readonly service: string
  readonly version: string
  /** Of all traces that begin here, which part is recorded: 0 to 1. */
  readonly share: number
}

/** Around the ports: what passes through them becomes spans of one trace, from a request to the rows that come of it. */
export interface Tracing {
  log(log: Log): Log
  store(store: Store): Store
  /** Sends what is not sent yet. */
  close(): Promise<void>
}
