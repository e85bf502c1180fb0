import { z } from 'zod'
import { topicAdmin } from '../../src/adapters/kafka/admin.ts'
import type { KafkaAccess } from '../../src/adapters/kafka/client.ts'
import type { Topic } from '../../src/events/topic.ts'
import { pipeline } from '../../src/pipeline.ts'
import type { Codec, Log } from '../../src/ports/log.ts'

/** The log, to be read from outside. */
export interface ReadableLog {
  readonly log: Log
  readonly codec: Codec
}

const Identified = z.object({ event_id: z.string(), namespace: z.string().default('') })

interface IdentifiedRecord extends z.infer<typeof Identified> {
  readonly key: string
}

/** Every event of a topic. A record that cannot be read has the reason in place of its id. */
export async function eventsOf(topic: string, from: ReadableLog): Promise<readonly IdentifiedRecord[]> {
  const events: IdentifiedRecord[] = []
  for await (const { key, decoded } of decodedRecords(named(topic), from)) {
    const event = Identified.parse(decoded.kind === 'event' ? decoded.event : { event_id: decoded.reason })
    events.push({ ...event, key })
  }
  return events
}

/** The records of a topic that have a value, partition by partition. */
async function* decodedRecords<E>(topic: Topic<E>, { log, codec }: ReadableLog) {
  for (const partition of (await log.ends(topic.name)).keys()) {
    for await (const records of log.read(topic.name, partition, 0)) {
      for (const { key, value } of records) {
        if (value !== null) yield { key: key ?? '', decoded: await codec.decode(topic, value) }
      }
    }
  }
}

const named = (name: string): Topic<unknown> => ({ name, key: () => '' })

/** Every event of a namespace in a topic, in the order of the log. Throws for a record that cannot be read. */
export async function namespaceEvents<E extends { readonly namespace: string }>(
  topic: Topic<E>,
  namespace: string,
  from: ReadableLog,
): Promise<readonly E[]> {
  const events: E[] = []
  for await (const { decoded } of decodedRecords(topic, from)) {
    if (decoded.kind !== 'event') throw new Error(`${topic.name} has a record that cannot be read: ${decoded.reason}`)
    if (decoded.event.namespace === namespace) events.push(decoded.event)
  }
  return events
}

export interface RepeatedEvents {
  /** Event ids that a topic written in transactions holds more than once. */
  readonly doubled: readonly string[]
  /** Records a plain stage wrote again after a crash, each under its old id: allowed, and counted. */
  readonly repeated: number
  /** Events in topics written in transactions. */
  readonly events: number
}

export async function repeatedEvents(from: ReadableLog): Promise<RepeatedEvents> {
  const doubled: string[] = []
  let [repeated, events] = [0, 0]
  for (const { shape, writes } of Object.values(pipeline.stages)) {
    const ids = (await eventsOf(writes, from)).map(({ event_id }) => event_id)
    const seen = new Set<string>()
    const twice = ids.filter((id) => seen.size === seen.add(id).size)
    if (shape === 'stage') repeated += twice.length
    else {
      doubled.push(...twice.map((id) => `${writes} ${id}`))
      events += ids.length
    }
  }
  return { doubled, repeated, events }
}

/** Every dead letter of the log, as its topic, reason and error. */
export async function deadLettersOf(access: KafkaAccess, log: Log): Promise<readonly string[]> {
  const admin = await topicAdmin(access)
  const dead = (await admin.existing()).filter(({ name }) => name.endsWith('.dead'))
  await admin.close()
  const letters: string[] = []
  for (const { name, partitions } of dead) {
    for (let partition = 0; partition < partitions; partition++) {
      for await (const records of log.read(name, partition, 0)) {
        letters.push(...records.map(({ headers }) => `${name}: ${headers['reason'] ?? ''} ${headers['error'] ?? ''}`))
      }
    }
  }
  return letters
}
