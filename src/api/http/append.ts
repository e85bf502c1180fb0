import type { Topic } from '../../events/topic.ts'
import type { Dependencies } from './dependencies.ts'

/** Appends events to a topic. Resolves when the log has stored them all, with the log time of the last one. */
export async function append<Event>(
  topic: Topic<Event>,
  events: readonly Event[],
  { log, codec }: Pick<Dependencies, 'log' | 'codec'>,
): Promise<number> {
  const records = events.map(async (event) => ({
    topic: topic.name,
    key: topic.key(event),
    value: await codec.encode(topic, event),
  }))
  return log.produce(await Promise.all(records))
}
