import type { Topic } from '../events/topic.ts'
import type { Codec, OutRecord } from './log.ts'

/** The records of events, in order. */
export const encodedRecords = <Event>(
  topic: Topic<Event>,
  events: readonly Event[],
  codec: Pick<Codec, 'encode'>,
): Promise<readonly OutRecord[]> =>
  Promise.all(
    events.map(async (event) => ({
      topic: topic.name,
      key: topic.key(event),
      value: await codec.encode(topic, event),
    })),
  )
