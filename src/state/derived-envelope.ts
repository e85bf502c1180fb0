import type { CausedBy, Envelope, ProducedBy } from '../events/envelope.ts'
import { derivedId } from '../events/ids.ts'

/** An input and its position in the log. */
export interface EventCause {
  readonly event: Pick<Envelope, 'event_id' | 'namespace'>
  readonly place: CausedBy
}

/** An input that has an event time. */
export interface DatedCause extends EventCause {
  readonly event: Pick<Envelope, 'event_id' | 'namespace' | 'occurred_at'>
}

/**
 * The envelope of an event that a stage derives from an input, with the input's namespace and event time. The id is
 * derived from `about`, which must differ between the events of one input.
 */
export const derivedEnvelope = (
  by: ProducedBy,
  { event, place }: DatedCause,
  about: string = event.event_id,
): Envelope => ({
  event_id: derivedId(by, about),
  namespace: event.namespace,
  occurred_at: event.occurred_at,
  caused_by: place,
  produced_by: by,
})
