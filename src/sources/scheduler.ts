import { clockTicked, type ClockTicked } from '../events/settings.ts'
import { derivedId } from '../events/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'
import { BrokerClock } from '../state/settings/broker-clock.ts'

export const TICK_MS = 60_000

/** Ticks per request; a minute of many namespaces takes several. */
const TICKS_AT_ONCE = 500

export interface SchedulerPorts {
  readonly log: Pick<Log, 'produce'>
  readonly codec: Codec
  readonly clock: Clock
  /** The namespaces to tick. */
  readonly namespaces: () => Promise<readonly string[]>
}

/** The full minute of a time: two schedulers write the same event, and consumers ignore the second. */
export const tickOf = (now: number): number => Math.floor(now / TICK_MS) * TICK_MS

export const tick = (namespace: string, at: number): ClockTicked => ({
  event_id: derivedId({ stage: 'scheduler', version: '1' }, `${namespace}:${at}`),
  namespace,
  tick_at: at,
  flush: false,
})

/**
 * Writes a tick per minute and namespace: the only time that stages with memory know. Throws `ClockApart` instead of
 * writing the time of a wrong clock.
 */
export async function runScheduler(
  { log, codec, clock, namespaces }: SchedulerPorts,
  signal: AbortSignal,
): Promise<void> {
  const broker = new BrokerClock({ log, clock })
  for (;;) {
    await clock.sleep(TICK_MS - (clock.now() % TICK_MS), signal)
    if (signal.aborted) return
    const ticked = await namespaces()
    const [first] = ticked
    if (first === undefined) continue
    await broker.check({ topic: clockTicked.name, key: first })
    const at = tickOf(clock.now())
    for (let from = 0; from < ticked.length; from += TICKS_AT_ONCE) {
      const events = ticked.slice(from, from + TICKS_AT_ONCE).map((namespace) => tick(namespace, at))
      await broker.produce(await Promise.all(events.map((event) => recordOf(event, codec))))
    }
  }
}

const recordOf = async (event: ClockTicked, codec: Codec) => ({
  topic: clockTicked.name,
  key: clockTicked.key(event),
  value: await codec.encode(clockTicked, event),
})
