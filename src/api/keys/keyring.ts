import type { Caller } from './caller.ts'

/** Every key there is, kept up to date by following `keys.changed`. */
export interface Keyring {
  /** Null: missing, unknown, expired or revoked. */
  find(key: string, now: number): Caller | null
  /** Why requests cannot be judged yet; null once the whole topic was read. */
  notReady(): string | null
}
