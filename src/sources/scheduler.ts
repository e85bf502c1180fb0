import { clockTicked, type ClockTicked } from '../events/settings.ts'
import { derivedId } from '../events/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'
import { BrokerClock } from '../state/settings/broker-clock.ts'

export const TICK_MS = 60_000

/** Ticks per request. With many namespaces, a minute takes several requests. */
const TICKS_AT_ONCE = 500

export interface SchedulerPorts {
  readonly log: Pick<Log, 'produce'>
  readonly codec: Codec
  readonly clock: Clock
  /** The namespaces to tick. */
  readonly namespaces: () => Promise<readonly string[]>
}

/** The start of the minute. Two schedulers write the same event for it, and consumers ignore the duplicate. */
export const tickOf = (now: number): number => Math.floor(now / TICK_MS) * TICK_MS

export const tick = (namespace: string, at: number): ClockTicked => ({
  event_id: derivedId({ stage: 'scheduler', version: '1' }, `${namespace}:${at}`),
  namespace,
  tick_at: at,
  flush: false,
})

/**
 * Writes one tick per minute and namespace. Ticks are the only clock of stateful stages. Throws `ClockApart` instead of
 * writing a tick if the local clock is wrong.
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
