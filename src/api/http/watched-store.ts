import type { Clock } from '../../ports/clock.ts'
import { StoreUnreachable, type Store } from '../../ports/store.ts'

export interface WatchLimits {
  /** A query that takes longer triggers a ping of the store. */
  readonly slowMs: number
  /** How long a ping may take. */
  readonly probeMs: number
}

/** Together below 3 s, so that even the first requests of an outage are answered within that time. */
const WATCH_LIMITS: WatchLimits = { slowMs: 500, probeMs: 2_200 }
const CHECK_EVERY_MS = 250
const PROBE_UNAVAILABLE_EVERY_MS = 1_000
/** A restarting server refuses connections for a second or two; pings are repeated within `probeMs`. */
const REFUSED_PAUSE_MS = 100

interface WatchOptions extends WatchLimits {
  readonly isReplaceable?: () => Promise<boolean>
}

/**
 * Wraps the store: while it does not respond to pings, pending and new queries fail immediately with
 * `StoreUnreachable`. A slow query keeps its full timeout as long as pings succeed.
 *
 * @param isReplaceable Whether other stores can be read instead. If given, queries fail only while it is true: where all
 * are slow, as on an overloaded machine, a late answer is better than none.
 */
export function watchedStore(
  store: Store,
  clock: Clock,
  { isReplaceable = () => Promise.resolve(true), ...limits }: WatchOptions = WATCH_LIMITS,
): Store {
  const waiting = new Set<{ readonly since: number; readonly giveUp: () => void }>()
  let isUnavailable = false
  let isWatching = false
  const closed = new AbortController()

  const check = async (): Promise<void> => {
    const now = clock.now()
    const isDue = isUnavailable || [...waiting].some(({ since }) => now - since >= limits.slowMs)
    if (!isDue) return
    const [responds, canBeReplaced] = await Promise.all([answersPing(store, clock, limits), isReplaceable()])
    isUnavailable = !responds && canBeReplaced
    if (isUnavailable) for (const { giveUp } of waiting) giveUp()
  }

  const watch = async (): Promise<void> => {
    isWatching = true
    while ((isUnavailable || waiting.size > 0) && !closed.signal.aborted) {
      await clock.sleep(isUnavailable ? PROBE_UNAVAILABLE_EVERY_MS : CHECK_EVERY_MS, closed.signal)
      await check()
    }
    isWatching = false
  }

  const unlessUnavailable = async <Out>(work: Promise<Out>): Promise<Out> => {
    let giveUp = (): void => undefined
    const unavailable = new Promise<never>(
      (_, reject) => (giveUp = () => reject(new StoreUnreachable('no answer to a ping'))),
    )
    const one = { since: clock.now(), giveUp }
    waiting.add(one)
    if (!isWatching) void watch()
    return Promise.race([work, unavailable]).finally(() => waiting.delete(one))
  }

  return {
    query: async (query) => {
      if (isUnavailable) throw new StoreUnreachable('no answer to the last ping')
      return unlessUnavailable(store.query(query))
    },
    insert: (table, rows) => store.insert(table, rows),
    command: (sql) => store.command(sql),
    ping: () => (isUnavailable ? Promise.resolve(false) : store.ping()),
    close: () => {
      closed.abort()
      return store.close()
    },
  }
}

/** Whether a store answers a ping within `probeMs`; it is repeated while the store refuses connections. */
export async function answersPing(
  store: Pick<Store, 'ping'>,
  clock: Clock,
  { probeMs }: Pick<WatchLimits, 'probeMs'>,
): Promise<boolean> {
  const ended = new AbortController()
  const tooLate = clock.sleep(probeMs, ended.signal).then(() => false)
  const answered = async (): Promise<boolean> => {
    while (!ended.signal.aborted) {
      if (await store.ping().catch(() => false)) return true
      await clock.sleep(REFUSED_PAUSE_MS, ended.signal)
    }
    return false
  }
  try {
    return await Promise.race([answered(), tooLate])
  } finally {
    ended.abort()
  }
}
