import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

export const LIFECYCLE_STATES = ['breaking', 'developing', 'mature', 'concluded', 'contested'] as const
export type LifecycleState = (typeof LIFECYCLE_STATES)[number]

/** `stories.transitioned`: a story moved from one lifecycle state to another, and why. */
export interface StoryTransitioned extends Envelope {
  readonly cluster_id: string
  readonly lifecycle_state: LifecycleState
  /** Null: its first state. */
  readonly previous_state: LifecycleState | null
  readonly rule: string
  /** The values the rule fired on; ages in hours. */
  readonly facts: Readonly<Record<string, number>>
  /** The moment it was evaluated for, milliseconds since 1970; `occurred_at` is the same. */
  readonly evaluated_at: number
}

export const storiesTransitioned = topic<StoryTransitioned>(
  'stories.transitioned',
  (e) => e.namespace,
  timesIn('occurred_at', 'evaluated_at'),
)
