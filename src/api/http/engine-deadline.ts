import type { Clock } from '../../ports/clock.ts'
import { StoreUnavailable } from '../../ports/store.ts'
import type { Dependencies } from './dependencies.ts'
import { outages, type Outages } from './outages.ts'
import { withRequestId, signed } from './request-context.ts'

/** An engine is unavailable. The caller may retry; this is not a defect of the service. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
}

/** Longer than a healthy engine needs, shorter than a client waits. */
export const ENGINE_TIMEOUT_MS = 10_000

/**
 * The same ports with deadlines; an unavailable engine throws `EngineUnavailable`. Other errors of the store (SQL, invalid
 * rows) are defects and are passed on.
 */
export function withTimeouts(dependencies: Dependencies): Dependencies {
  const { store, encoder, clock, logger } = dependencies
  const withTimeout = timeouts(clock, outages(clock, logger))
  const { log, codec } = logWithTimeouts(dependencies, withTimeout)
  return {
    ...dependencies,
    log: { ...log, produce: (records) => log.produce(signed(records)) },
    codec,
    store: {
      query: (query) => withTimeout(store.query(withRequestId(query)), 'store', ENGINE_TIMEOUT_MS),
      insert: (table, rows) => withTimeout(store.insert(table, rows), 'store', ENGINE_TIMEOUT_MS),
      command: (sql) => withTimeout(store.command(sql), 'store', ENGINE_TIMEOUT_MS),
      ping: () => withTimeout(store.ping(), 'store', ENGINE_TIMEOUT_MS),
      close: () => store.close(),
    },
    encoder: { sentences: (texts) => withTimeout(encoder.sentences(texts), 'encoder', ENGINE_TIMEOUT_MS) },
  }
}

/** The log and the codec with deadlines; failures and timeouts become `EngineUnavailable`. */
export const logWithTimeouts = (
  { log, codec }: Pick<Dependencies, 'log' | 'codec'>,
  withTimeout: WithTimeout,
): Pick<Dependencies, 'log' | 'codec'> => ({
  log: {
    produce: (records) => withTimeout(log.produce(records), 'log', ENGINE_TIMEOUT_MS),
    ends: (topic) => withTimeout(log.ends(topic), 'log', ENGINE_TIMEOUT_MS),
    committed: (group, topic) => withTimeout(log.committed(group, topic), 'log', ENGINE_TIMEOUT_MS),
    read: (topic, partition, from) => log.read(topic, partition, from),
    partitionOf: (key, partitions) => log.partitionOf(key, partitions),
  },
  codec: {
    encode: (topic, event) => withTimeout(codec.encode(topic, event), 'registry', ENGINE_TIMEOUT_MS),
    decode: (topic, value) => withTimeout(codec.decode(topic, value), 'registry', ENGINE_TIMEOUT_MS),
  },
})

/** An engine, or the whole request. */
type WaitedFor = 'store' | 'log' | 'registry' | 'encoder' | 'models' | 'request'

export type WithTimeout = <T>(work: Promise<T>, what: WaitedFor, timeoutMs: number) => Promise<T>

const CHECK_EVERY_MS = 500

const NOT_REPORTED: Outages = { failed: () => undefined, answered: () => undefined }

/**
 * Returns a function that adds a timeout to a promise. It rejects with `EngineUnavailable` if the work fails or takes too
 * long. One shared timer checks all pending work: a timer for each call would cost more than the rest of a request.
 */
export function timeouts(clock: Clock, outageReport: Outages = NOT_REPORTED): WithTimeout {
  const waiting = new Set<{ readonly until: number; readonly giveUp: () => void }>()
  let watching = false

  const watch = async (): Promise<void> => {
    watching = true
    while (waiting.size > 0) {
      await clock.sleep(CHECK_EVERY_MS)
      const now = clock.now()
      for (const one of waiting) if (one.until <= now) one.giveUp()
    }
    watching = false
  }

  return async (work, what, timeoutMs) => {
    let giveUp = (): void => undefined
    const tooLong = new Promise<never>((_, reject) => {
      giveUp = () => {
        const late = new EngineUnavailable(`${what} did not answer in time`)
        outageReport.failed(what, late)
        reject(late)
      }
    })
    const one = { until: clock.now() + timeoutMs, giveUp }
    waiting.add(one)
    if (!watching) void watch()
    try {
      const result = await Promise.race([work, tooLong])
      outageReport.answered(what)
      return result
    } catch (cause) {
      if (!isUnavailable(cause, what)) throw cause
      outageReport.failed(what, cause)
      throw new EngineUnavailable(`${what} is away`, { cause })
    } finally {
      waiting.delete(one)
    }
  }
}

const isUnavailable = (cause: unknown, what: WaitedFor): boolean => {
  if (cause instanceof EngineUnavailable || what === 'request') return false
  if (what === 'store') return cause instanceof StoreUnavailable
  return what !== 'models' || !(cause instanceof TypeError || cause instanceof RangeError) // our own bugs
}
