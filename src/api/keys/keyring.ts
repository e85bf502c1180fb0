import type { BaseLogger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import type { Caller } from './caller.ts'
import { KeyBook, keyState, type KeyPorts } from './key-book.ts'

/** Every key there is, kept up to date by following `keys.changed`. */
export interface Keyring {
  /** Null: missing, unknown, expired or revoked. */
  find(key: string, now: number): Caller | null
  /** Why requests cannot be judged yet; null once the whole topic was read. */
  notReady(): string | null
}

export interface FollowingKeyring extends Keyring {
  stop(): Promise<void>
}

interface Ports extends KeyPorts {
  readonly clock: Clock
  readonly logger: Pick<BaseLogger, 'warn' | 'error'>
}

/** A revocation must hold within 5 s everywhere: asking for the topic's end costs one small request. */
const LOOK_EVERY_MS = 1_000

/**
 * Reads the compacted topic from its beginning and follows it. While the log is away it goes on with the keys it knows;
 * before the first full read it says that it is not ready.
 */
export function followKeys(ports: Ports): FollowingKeyring {
  const book = new KeyBook()
  const stopping = new AbortController()
  let ready = false

  const follow = async (): Promise<void> => {
    let away = false
    while (!stopping.signal.aborted) {
      try {
        const strange = await book.catchUp(ports)
        if (strange.length > 0) ports.logger.error({ offsets: strange }, 'keys_not_understood')
        ready = true
        away = false
      } catch (err) {
        if (!away) ports.logger.warn({ err }, 'keys_not_readable')
        away = true
      }
      await ports.clock.sleep(LOOK_EVERY_MS, stopping.signal)
    }
  }
  const following = follow()

  return {
    find: (key, now) => {
      const found = book.find(key)
      if (found === null || keyState(found, now) !== 'live') return null
      const { key_id, tier, namespace, curator, owner } = found
      return { key_id, tier, namespace, curator, owner: owner === '' ? key_id : owner }
    },
    notReady: () => (ready ? null : 'the keys have not been read yet'),
    stop: async () => {
      stopping.abort()
      await following
    },
  }
}
