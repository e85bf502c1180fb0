import type { BaseLogger } from 'pino'
import type { Clock } from '../../../ports/clock.ts'
import { UpToDate, type BookPorts } from '../../../state/settings/book.ts'
import type { Caller } from './caller.ts'
import { isKey } from './key.ts'
import { KeyBook, keyState } from './key-book.ts'
import { scopesOf } from './scopes.ts'

/** All API keys, kept up to date by following `keys.changed`. */
export interface Keyring {
  /** `null` if the key is missing, unknown, expired or revoked. */
  find(key: string, now: number): Caller | null
  /**
   * Reads the topic once if the key may have just been created, so that `find` can return it. Resolves immediately for
   * a known or malformed key, and while the log is unavailable. Default: new keys are not looked up.
   */
  readonly lookFor?: (key: string) => Promise<void>
  /**
   * Whether an owner has a key that is neither revoked nor expired, for what is read without a key. Default: not checked.
   */
  readonly hasLiveKey?: (owner: Pick<Caller, 'namespace' | 'owner'>, now: number) => boolean
  /** Why keys cannot be checked yet; `null` once the whole topic has been read. */
  notReady(): string | null
}

export interface FollowingKeyring extends Keyring {
  stop(): Promise<void>
}

/** A revocation must take effect within 5 s on every instance. Reading the topic's end offset is one small request. */
const POLL_EVERY_MS = 1_000

/** Minimum time between reads for new keys, so that many invalid keys do not cause many reads. */
const MIN_READ_INTERVAL_MS = 200
/** Longest time that a request waits for a lookup if the log does not respond. */
const READ_TIMEOUT_MS = 1_000

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
  const log: LogState = { read: false, isFailing: false }

  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await latest.now()
        Object.assign(log, { read: true, isFailing: false })
      } catch (err) {
        if (!log.isFailing) logger.warn({ err }, 'keys_not_readable')
        log.isFailing = true
      }
      await clock.sleep(POLL_EVERY_MS, stopping.signal)
    }
  }
  const following = follow()
  const readOnce = sharedRead(latest, { clock, log, stopping: stopping.signal })

  return {
    find: (key, now) => {
      const found = book.find(key)
      if (found === null || keyState(found, now) !== 'live') return null
      const { key_id, tier, namespace, owner } = found
      return { key_id, tier, namespace, scopes: scopesOf(found), owner: owner === '' ? key_id : owner }
    },
    hasLiveKey: (owner, now) => book.hasLiveKey(owner, now),
    lookFor: async (key) => {
      if (log.read && !log.isFailing && isKey(key) && book.find(key) === null) await readOnce()
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
  isFailing: boolean
}

interface ReadPorts {
  readonly clock: Clock
  readonly log: LogState
  readonly stopping: AbortSignal
}

/**
 * Returns a function that reads the topic. All callers before the start of a read share it, and reads start at least
 * `MIN_READ_INTERVAL_MS` apart. Resolves even if the read fails.
 */
function sharedRead(latest: UpToDate<KeyBook>, { clock, log, stopping }: ReadPorts): () => Promise<void> {
  let next: Promise<void> | null = null
  let beganAt = -Infinity

  const untilDue = async (): Promise<void> => {
    const early = beganAt + MIN_READ_INTERVAL_MS - clock.now()
    if (early > 0) await clock.sleep(early, stopping)
  }
  const read = async (): Promise<void> => {
    next = null // later callers may have a newer key
    beganAt = clock.now()
    const over = new AbortController()
    const tooLong = clock.sleep(READ_TIMEOUT_MS, AbortSignal.any([over.signal, stopping])).then(() => false)
    const isRead = await Promise.race([latest.now().then(() => true), tooLong]).catch(() => false)
    over.abort()
    if (!isRead) log.isFailing = true // requests do not wait for the log until a read succeeds again
  }
  return () => (next ??= untilDue().then(read))
}
