import type { Topic } from '../events/topic.ts'
import type { Codec, Log } from '../ports/log.ts'

/** A log and the codec of its events. */
export interface EventLog {
  readonly log: Log
  readonly codec: Codec
}

export async function writeEvents<Event>(
  { log, codec }: EventLog,
  topic: Topic<Event>,
  events: readonly Event[],
): Promise<void> {
  const records = events.map(async (event) => ({
    topic: topic.name,
    key: topic.key(event),
    value: await codec.encode(topic, event),
  }))
  await log.produce(await Promise.all(records))
}

/** Reads all events of a topic, one partition after the other. */
export async function* readEvents<Event>({ log, codec }: EventLog, topic: Topic<Event>): AsyncGenerator<Event> {
  for (const partition of (await log.ends(topic.name)).keys()) {
    for await (const records of log.read(topic.name, partition, 0)) {
      for (const { value } of records) {
        const read = value === null ? null : await codec.decode(topic, value)
        if (read?.kind === 'event') yield read.event
      }
    }
  }
}
