import type { BaseLogger } from 'pino'
import type { Clock } from '../../../ports/clock.ts'
import { UpToDate, type BookPorts } from '../../../state/settings/book.ts'
import type { Caller } from './caller.ts'
import { isKey } from './key.ts'
import { KeyBook, keyState } from './key-book.ts'

/** Every key there is, kept up to date by following `keys.changed`. */
export interface Keyring {
  /** Null: missing, unknown, expired or revoked. */
  find(key: string, now: number): Caller | null
  /**
   * Looks once for a key that may have been made a moment ago, so that `find` may know it then; at once where there is
   * nothing to look for. Left out: nothing is ever new.
   */
  readonly lookFor?: (key: string) => Promise<void>
  /** Why requests cannot be judged yet; null once the whole topic was read. */
  notReady(): string | null
}

export interface FollowingKeyring extends Keyring {
  stop(): Promise<void>
}

/** A revocation must hold within 5 s everywhere: asking for the topic's end costs one small request. */
const LOOK_EVERY_MS = 1_000

/** Made-up keys cost a look so seldom, however many there are. */
const LOOKS_APART_MS = 200
/** A request waits no longer for a log that does not answer. */
const LOOK_PATIENCE_MS = 1_000

/**
 * Reads the compacted topic from its beginning and follows it. While the log is away it goes on with the keys it knows;
 * before the first full read it says that it is not ready.
 */
export function followKeys(
  ports: BookPorts & { readonly clock: Clock; readonly logger: Pick<BaseLogger, 'warn' | 'error'> },
): FollowingKeyring {
  const { clock, logger } = ports
  const book = new KeyBook()
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'keys_not_understood')
  const latest = new UpToDate(book, { ...ports, onStrange })
  const stopping = new AbortController()
  const log: LogState = { read: false, away: false }

  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await latest.now()
        Object.assign(log, { read: true, away: false })
      } catch (err) {
        if (!log.away) logger.warn({ err }, 'keys_not_readable')
        log.away = true
      }
      await clock.sleep(LOOK_EVERY_MS, stopping.signal)
    }
  }
  const following = follow()
  const look = looking(latest, { clock, log, stopping: stopping.signal })

  return {
    find: (key, now) => {
      const found = book.find(key)
      if (found === null || keyState(found, now) !== 'live') return null
      const { key_id, tier, namespace, curator, owner } = found
      return { key_id, tier, namespace, curator, owner: owner === '' ? key_id : owner }
    },
    lookFor: async (key) => {
      if (log.read && !log.away && isKey(key) && book.find(key) === null) await look()
    },
    notReady: () => (log.read ? null : 'the keys have not been read yet'),
    stop: async () => {
      stopping.abort()
      await following
    },
  }
}

interface LogState {
  /** The whole topic was. */
  read: boolean
  /** As far as the last look knows. */
  away: boolean
}

interface LookPorts {
  readonly clock: Clock
  readonly log: LogState
  readonly stopping: AbortSignal
}

/** One look for all who ask before it begins, at most one each `LOOKS_APART_MS`; resolves whatever becomes of it. */
function looking(latest: UpToDate<KeyBook>, { clock, log, stopping }: LookPorts): () => Promise<void> {
  let next: Promise<void> | null = null
  let beganAt = -Infinity

  const untilDue = async (): Promise<void> => {
    const early = beganAt + LOOKS_APART_MS - clock.now()
    if (early > 0) await clock.sleep(early, stopping)
  }
  const look = async (): Promise<void> => {
    next = null // who comes from here on may have a newer key
    beganAt = clock.now()
    const over = new AbortController()
    const tooLong = clock.sleep(LOOK_PATIENCE_MS, AbortSignal.any([over.signal, stopping])).then(() => false)
    const isRead = await Promise.race([latest.now().then(() => true), tooLong]).catch(() => false)
    over.abort()
    if (!isRead) log.away = true // until it is read again nobody waits for it
  }
  return () => (next ??= untilDue().then(look))
}
