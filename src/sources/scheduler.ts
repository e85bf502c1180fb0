import { clockTicked, type ClockTicked } from '../events/settings.ts'
import { derivedId } from '../events/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'

export const TICK_MS = 60_000

export interface SchedulerPorts {
  readonly log: Pick<Log, 'produce'>
  readonly codec: Codec
  readonly clock: Clock
  /** Namespaces that have keys, and `shared`. */
  readonly namespaces: () => Promise<readonly string[]>
}

/** The full minute a moment belongs to: two schedulers write the same event, and the folds ignore the second. */
export const tickOf = (now: number): number => Math.floor(now / TICK_MS) * TICK_MS

export const tick = (namespace: string, at: number): ClockTicked => ({
  event_id: derivedId({ stage: 'scheduler', version: '1' }, `${namespace}:${at}`),
  namespace,
  tick_at: at,
  flush: false,
})

/** Time passes for the stages with memory because this says so, once a minute in every namespace. */
export async function runScheduler(
  { log, codec, clock, namespaces }: SchedulerPorts,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(TICK_MS - (clock.now() % TICK_MS), signal)
    if (signal.aborted) return
    const ticks = (await namespaces()).map((namespace) => tick(namespace, tickOf(clock.now())))
    const records = await Promise.all(
      ticks.map(async (event) => ({
        topic: clockTicked.name,
        key: clockTicked.key(event),
        value: await codec.encode(clockTicked, event),
      })),
    )
    await log.produce(records)
  }
}
