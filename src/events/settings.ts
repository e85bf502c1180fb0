import { timesIn, topic } from './topic.ts'

export type Tier = 'starter' | 'professional' | 'enterprise'

/** `keys.changed`: the current state of an API key. Only the hash of the key is stored. */
export interface KeyChanged {
  readonly key_id: string
  /** Hex SHA-256 of the complete key. */
  readonly key_hash: string
  readonly name: string
  readonly tier: Tier
  readonly namespace: string
  /** Whether `scopes` contains `curate`. Versions without scopes read this field only. */
  readonly curator: boolean
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  /** Shared by all keys that were rotated from one another; empty if that is the key itself. */
  readonly owner: string
  /** What the key may do. Empty if the key was created before there were scopes; newer versions may know more names. */
  readonly scopes: readonly string[]
}

/** `clock.ticked`: a scheduler tick, the only clock of stateful stages. */
export interface ClockTicked {
  readonly event_id: string
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly tick_at: number
  /**
   * True if no more input follows, so that stages process what they hold back immediately. Imports and simulations end
   * with such a tick.
   */
  readonly flush: boolean
}

export type CorrectionAction = 'move' | 'merge' | 'split' | 'keep_apart' | 'undo'

/** `corrections.requested`: a curator requests a change of a story, or to undo an earlier correction. */
export interface CorrectionRequested {
  /** For a correction, its id; for an undo, a separate id. */
  readonly event_id: string
  readonly namespace: string
  /** When it was requested, milliseconds since 1970. */
  readonly occurred_at: number
  /** Shared by a correction and its undo. */
  readonly correction_id: string
  readonly action: CorrectionAction
  /** The story to correct. */
  readonly cluster_id: string
  /** For merge and keep_apart: the other story. For move: the target story. */
  readonly other_cluster_id: string | null
  /**
   * For move: the article. For split: the articles that leave. For merge: the articles of the other story, as the
   * curator saw them.
   */
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
