import type { CausedBy, Envelope, ProducedBy } from '../events/envelope.ts'
import { derivedId } from '../events/ids.ts'

/** An input, and where the log has it. */
export interface EventCause {
  readonly event: Pick<Envelope, 'event_id' | 'namespace'>
  readonly place: CausedBy
}

/** The same of an input that has an event time. */
export interface DatedCause extends EventCause {
  readonly event: Pick<Envelope, 'event_id' | 'namespace' | 'occurred_at'>
}

/**
 * The envelope of an event that a stage derives from an input, in its namespace and at its event time. The id follows from
 * `about`, which must differ between the events of one input.
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
