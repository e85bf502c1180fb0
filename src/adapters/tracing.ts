import type { Clock } from '../ports/clock.ts'
import type { Tracing, TracingOptions } from './telemetry/otlp.ts'

const untraced: Tracing = { log: (log) => log, store: (store) => store, close: () => Promise.resolve() }

/** `null` disables tracing: nothing is imported or wrapped. */
export async function openTracing(options: TracingOptions | null, clock: Clock): Promise<Tracing> {
  if (options === null) return untraced
  const { otlpTracing } = await import('./telemetry/otlp.ts')
  return otlpTracing(options, clock)
}
