import { timesIn, topic } from './topic.ts'

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
  /** The same for all keys that were rotated from one another; empty: the key itself. */
  readonly owner: string
}

/** `clock.ticked`: time passes for the stages with memory because the scheduler says so. */
export interface ClockTicked {
  readonly event_id: string
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly tick_at: number
  /** True: nothing more comes, so what waits for company is done now. Imports and simulations end with one. */
  readonly flush: boolean
}

export type CorrectionAction = 'move' | 'merge' | 'split' | 'keep_apart' | 'undo'

/** `corrections.requested`: a curator asks to change a story, or to undo an earlier correction. */
export interface CorrectionRequested {
  /** Of a correction its id; of an undoing another one. */
  readonly event_id: string
  readonly namespace: string
  /** Milliseconds since 1970: when it was asked for. */
  readonly occurred_at: number
  /** The same for a correction and its undoing. */
  readonly correction_id: string
  readonly action: CorrectionAction
  /** The story that is corrected. */
  readonly cluster_id: string
  /** Of merge and keep_apart: the other story; of move: where the article goes. */
  readonly other_cluster_id: string | null
  /** Of move: the article; of split: those that leave; of merge: those of the other story, as its asker saw them. */
  readonly article_ids: readonly string[]
  readonly reason: string | null
  readonly key_id: string
}

export const keysChanged = topic<KeyChanged>('keys.changed', (e) => e.key_id, timesIn('created_at', 'revoked_at'))
export const clockTicked = topic<ClockTicked>('clock.ticked', (e) => e.namespace, timesIn('tick_at'))
export const correctionsRequested = topic<CorrectionRequested>(
  'corrections.requested',
  (e) => e.namespace,
  timesIn('occurred_at'),
)
