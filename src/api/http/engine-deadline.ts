import type { Clock } from '../../ports/clock.ts'
import { StoreAway } from '../../ports/store.ts'
import type { Dependencies } from './dependencies.ts'
import { outages, type Outages } from './outages.ts'
import { withRequestId, signed } from './request-context.ts'

/** An engine did not answer: the caller may try again, nothing of it is our defect. */
export class EngineAway extends Error {
  override readonly name = 'Away'
}

/** Longer than a healthy engine ever takes, shorter than a client waits. */
export const PATIENCE_MS = 10_000

/** The same ports, whose failure is `Away`. What the store throws besides (SQL, rows that do not fit) is our bug, and stays one. */
export function patient(dependencies: Dependencies): Dependencies {
  const { store, encoder, clock, logger } = dependencies
  const within = patience(clock, outages(clock, logger))
  const { log, codec } = patientLog(dependencies, within)
  return {
    ...dependencies,
    log: { ...log, produce: (records) => log.produce(signed(records)) },
    codec,
    store: {
      query: (query) => within(store.query(withRequestId(query)), 'store', PATIENCE_MS),
      insert: (table, rows) => within(store.insert(table, rows), 'store', PATIENCE_MS),
      command: (sql) => within(store.command(sql), 'store', PATIENCE_MS),
      ping: () => within(store.ping(), 'store', PATIENCE_MS),
      close: () => store.close(),
    },
    encoder: { sentences: (texts) => within(encoder.sentences(texts), 'encoder', PATIENCE_MS) },
  }
}

/** The log and the codec, whose failures and delays are `EngineAway`. */
export const patientLog = (
  { log, codec }: Pick<Dependencies, 'log' | 'codec'>,
  within: AwayWithin,
): Pick<Dependencies, 'log' | 'codec'> => ({
  log: {
    produce: (records) => within(log.produce(records), 'log', PATIENCE_MS),
    ends: (topic) => within(log.ends(topic), 'log', PATIENCE_MS),
    committed: (group, topic) => within(log.committed(group, topic), 'log', PATIENCE_MS),
    read: (topic, partition, from) => log.read(topic, partition, from),
  },
  codec: {
    encode: (topic, event) => within(codec.encode(topic, event), 'registry', PATIENCE_MS),
    decode: (topic, value) => within(codec.decode(topic, value), 'registry', PATIENCE_MS),
  },
})

/** An engine, or all that a request needs. */
type WaitedFor = 'store' | 'log' | 'registry' | 'encoder' | 'models' | 'request'

export type AwayWithin = <T>(work: Promise<T>, what: WaitedFor, patienceMs: number) => Promise<T>

const LOOK_EVERY_MS = 500

const UNHEARD: Outages = { failed: () => undefined, answered: () => undefined }

/**
 * The work's result; `Away` when it fails or takes too long. One sleeper looks after all that is waited for: a timer
 * and its cancellation for each would cost more than the rest of a request.
 */
export function patience(clock: Clock, heard: Outages = UNHEARD): AwayWithin {
  const waiting = new Set<{ readonly until: number; readonly giveUp: () => void }>()
  let watching = false

  const watch = async (): Promise<void> => {
    watching = true
    while (waiting.size > 0) {
      await clock.sleep(LOOK_EVERY_MS)
      const now = clock.now()
      for (const one of waiting) if (one.until <= now) one.giveUp()
    }
    watching = false
  }

  return async (work, what, patienceMs) => {
    let giveUp = (): void => undefined
    const tooLong = new Promise<never>((_, reject) => {
      giveUp = () => {
        const late = new EngineAway(`${what} did not answer in time`)
        heard.failed(what, late)
        reject(late)
      }
    })
    const one = { until: clock.now() + patienceMs, giveUp }
    waiting.add(one)
    if (!watching) void watch()
    try {
      const result = await Promise.race([work, tooLong])
      heard.answered(what)
      return result
    } catch (cause) {
      if (!isAway(cause, what)) throw cause
      heard.failed(what, cause)
      throw new EngineAway(`${what} is away`, { cause })
    } finally {
      waiting.delete(one)
    }
  }
}

const isAway = (cause: unknown, what: WaitedFor): boolean => {
  if (cause instanceof EngineAway || what === 'request') return false
  if (what === 'store') return cause instanceof StoreAway
  return what !== 'models' || !(cause instanceof TypeError || cause instanceof RangeError) // those are our own
}
