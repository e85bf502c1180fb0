import { topic } from './topic.ts'

export type Tier = 'starter' | 'professional' | 'enterprise'

/** `keys.changed`: an API key as it now is. Only the hash of the key is ever written. */
export interface KeyChanged {
  readonly key_id: string
  /** Hex SHA-256 of the whole key. */
  readonly key_hash: string
  readonly name: string
  readonly tier: Tier
  readonly namespace: string
  readonly curator: boolean
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
}

/** `clock.ticked`: time passes for the stages with memory because the scheduler says so. */
export interface ClockTicked {
  readonly event_id: string
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly tick_at: number
}

export const keysChanged = topic<KeyChanged>('keys.changed', (e) => e.key_id)
export const clockTicked = topic<ClockTicked>('clock.ticked', (e) => e.namespace)
