import type { Clock } from '../../ports/clock.ts'
import { StoreUnavailable } from '../../ports/store.ts'
import type { Dependencies } from './dependencies.ts'
import { outages, type Outages } from './outages.ts'
import { withRequestId, signed } from './request-context.ts'

/** An engine is unavailable. The caller may retry; this is not a defect of the service. */
export class EngineAway extends Error {
  override readonly name = 'Away'
}

/** Longer than a healthy engine needs, shorter than a client waits. */
export const PATIENCE_MS = 10_000

/**
 * The same ports with deadlines; an unavailable engine throws `EngineAway`. Other errors of the store (SQL, invalid
 * rows) are defects and are passed on.
 */
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

/** The log and the codec with deadlines; failures and timeouts become `EngineAway`. */
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

/** An engine, or the whole request. */
type WaitedFor = 'store' | 'log' | 'registry' | 'encoder' | 'models' | 'request'

export type AwayWithin = <T>(work: Promise<T>, what: WaitedFor, patienceMs: number) => Promise<T>

const LOOK_EVERY_MS = 500

const UNHEARD: Outages = { failed: () => undefined, answered: () => undefined }

/**
 * Returns a function that adds a timeout to a promise. It rejects with `EngineAway` if the work fails or takes too
 * long. One shared timer checks all pending work: a timer for each call would cost more than the rest of a request.
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
  if (what === 'store') return cause instanceof StoreUnavailable
  return what !== 'models' || !(cause instanceof TypeError || cause instanceof RangeError) // our own bugs
}
