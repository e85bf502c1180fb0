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
  const { store, log, codec, encoder, clock, logger } = dependencies
  const inTime = patience(clock, outages(clock, logger))
  const within = <T>(what: AwayEngine, work: Promise<T>): Promise<T> => inTime(work, what, PATIENCE_MS)
  return {
    ...dependencies,
    store: {
      query: (query) => within('store', store.query(withRequestId(query))),
      insert: (table, rows) => within('store', store.insert(table, rows)),
      command: (sql) => within('store', store.command(sql)),
      ping: () => within('store', store.ping()),
      close: () => store.close(),
    },
    log: {
      produce: (records) => within('log', log.produce(signed(records))),
      ends: (topic) => within('log', log.ends(topic)),
      committed: (group, topic) => within('log', log.committed(group, topic)),
      read: (topic, partition, from) => log.read(topic, partition, from),
    },
    codec: {
      encode: (topic, event) => within('registry', codec.encode(topic, event)),
      decode: (topic, value) => within('registry', codec.decode(topic, value)),
    },
    encoder: { sentences: (texts) => within('encoder', encoder.sentences(texts)) },
  }
}

interface EngineDeadline {
  readonly until: number
  readonly giveUp: () => void
}

type AwayEngine = 'store' | 'log' | 'registry' | 'encoder' | 'models'
/** What is waited for: an engine, or all that a request needs. */
type WaitedFor = AwayEngine | 'request'

export type AwayWithin = <T>(work: Promise<T>, what: WaitedFor, patienceMs: number) => Promise<T>

const LOOK_EVERY_MS = 500

const UNHEARD: Outages = { failed: () => undefined, answered: () => undefined }

/**
 * The work's result; `Away` when it fails or takes too long. One sleeper looks after all that is waited for: a timer
 * and its cancellation for each would cost more than the rest of a request.
 */
export function patience(clock: Clock, heard: Outages = UNHEARD): AwayWithin {
  const waiting = new Set<EngineDeadline>()
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
