import type { BaseLogger } from 'pino'
import type { Clock } from '../../../ports/clock.ts'
import { UpToDate, type BookPorts } from '../../../state/settings/book.ts'
import type { Caller } from './caller.ts'
import { isKey } from './key.ts'
import { KeyBook, keyState } from './key-book.ts'

/** All API keys, kept up to date by following `keys.changed`. */
export interface Keyring {
  /** `null` if the key is missing, unknown, expired or revoked. */
  find(key: string, now: number): Caller | null
  /**
   * Reads the topic once for a key that may have just been created, so that `find` can return it. Returns immediately
   * if a read is not useful. Default: new keys are not looked up.
   */
  readonly lookFor?: (key: string) => Promise<void>
  /** Why keys cannot be checked yet; `null` once the whole topic has been read. */
  notReady(): string | null
}

export interface FollowingKeyring extends Keyring {
  stop(): Promise<void>
}

/** A revocation must take effect within 5 s on every instance. Reading the topic's end offset is one small request. */
const LOOK_EVERY_MS = 1_000

/** Minimum time between lookups, so that invalid keys cannot cause more, however many there are. */
const LOOKS_APART_MS = 200
/** Longest time that a request waits for a lookup if the log does not respond. */
const LOOK_PATIENCE_MS = 1_000

/**
 * Reads the compacted topic from the beginning and follows it. While the log is unavailable, the known keys stay in
 * use. Until the first full read, `notReady` returns a reason.
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
  /** Whether the whole topic has been read. */
  read: boolean
  /** Whether the last read failed. */
  away: boolean
}

interface LookPorts {
  readonly clock: Clock
  readonly log: LogState
  readonly stopping: AbortSignal
}

/**
 * Returns a function that reads the topic. All callers before the start of a read share it, and reads start at least
 * `LOOKS_APART_MS` apart. Resolves even if the read fails.
 */
function looking(latest: UpToDate<KeyBook>, { clock, log, stopping }: LookPorts): () => Promise<void> {
  let next: Promise<void> | null = null
  let beganAt = -Infinity

  const untilDue = async (): Promise<void> => {
    const early = beganAt + LOOKS_APART_MS - clock.now()
    if (early > 0) await clock.sleep(early, stopping)
  }
  const look = async (): Promise<void> => {
    next = null // later callers may have a newer key
    beganAt = clock.now()
    const over = new AbortController()
    const tooLong = clock.sleep(LOOK_PATIENCE_MS, AbortSignal.any([over.signal, stopping])).then(() => false)
    const isRead = await Promise.race([latest.now().then(() => true), tooLong]).catch(() => false)
    over.abort()
    if (!isRead) log.away = true // requests do not wait for the log until a read succeeds again
  }
  return () => (next ??= untilDue().then(look))
}
