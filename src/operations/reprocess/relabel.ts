import type { ProducedBy } from '../../events/envelope.ts'
import { derivedId } from '../../events/ids.ts'
import type { Codec } from '../../ports/log.ts'

/** Which events are to say that another version made them. */
export interface RelabelLabel {
  /** Output of the stage. */
  readonly topic: string
  readonly stage: string
  /** Null: what the code itself says. */
  readonly version: string | null
}

/** The same codec, but what goes to `topic` carries the wanted version, in its `produced_by` and so in its event id. */
export const relabelled = (codec: Codec, label: RelabelLabel): Codec => ({
  encode: (topic, event) => codec.encode(topic, topic.name === label.topic ? stamped(event, label) : event),
  decode: (topic, value) => codec.decode(topic, value),
})

/** The id follows from the one that the code gave, which follows from the input: a repeated batch has the same again. */
function stamped<Event>(event: Event, { stage, version }: RelabelLabel): Event {
  if (version === null || typeof event !== 'object' || event === null) return event
  if (!('event_id' in event) || typeof event.event_id !== 'string') return event
  const produced_by: ProducedBy = { stage, version }
  return { ...event, produced_by, event_id: derivedId(produced_by, event.event_id) }
}
