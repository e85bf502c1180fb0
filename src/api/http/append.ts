import type { Topic } from '../../events/topic.ts'
import { encodedRecords } from '../../ports/encoded-records.ts'
import type { Dependencies } from './dependencies.ts'

/** Appends events to a topic. Resolves when the log has stored them all, with the log time of the last one. */
export const append = async <Event>(
  topic: Topic<Event>,
  events: readonly Event[],
  { log, codec }: Pick<Dependencies, 'log' | 'codec'>,
): Promise<number> => log.produce(await encodedRecords(topic, events, codec))
