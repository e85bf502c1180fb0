import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

export const LIFECYCLE_STATES = ['breaking', 'developing', 'mature', 'concluded', 'contested'] as const
export type LifecycleState = (typeof LIFECYCLE_STATES)[number]

/** `stories.transitioned`: a story changed its lifecycle state, and why. */
export interface StoryTransitioned extends Envelope {
  readonly cluster_id: string
  readonly lifecycle_state: LifecycleState
  /** `null` for the first state. */
  readonly previous_state: LifecycleState | null
  readonly rule: string
  /** The values that the rule matched; ages in hours. */
  readonly facts: Readonly<Record<string, number>>
  /** The point in time of the evaluation, milliseconds since 1970; equal to `occurred_at`. */
  readonly evaluated_at: number
}

export const storiesTransitioned = topic<StoryTransitioned>(
  'stories.transitioned',
  (e) => e.namespace,
  timesIn('occurred_at', 'evaluated_at'),
)
