import type { Log, OutRecord } from '../ports/log.ts'

/** Suffix of the topics, groups and writers of a new stage version that runs next to the live one (a shadow run). */
const SUFFIX = '.next'

/** The shadow name of a topic or group: `clustered.memory` becomes `clustered.memory.next`. */
export const besideName = (name: string): string => `${name}${SUFFIX}`

/**
 * Wraps a log for a shadow run. The stage reads the same inputs as the live version, in its own consumer group.
 * Everything it writes (output, changelog, dead letters) goes to its own `.next` topics, and its state is restored from
 * there. The stage and its runtime are unaware of it.
 */
export function beside(log: Log, { state }: { readonly state: readonly string[] }): Log {
  const nameOf = (topic: string): string => (state.includes(topic) ? besideName(topic) : topic)
  return {
    produce: (records) => log.produce(records.map(renamed)),
    consume: (subscription, handle) => log.consume({ ...subscription, group: besideName(subscription.group) }, handle),
    writer: async (transactionalId) => {
      const writer = await log.writer(besideWriter(transactionalId))
      return {
        write: (records, { group, next }) => writer.write(records.map(renamed), { group: besideName(group), next }),
        close: () => writer.close(),
      }
    },
    read: (topic, partition, from) => log.read(nameOf(topic), partition, from),
    starts: (topic) => log.starts(nameOf(topic)),
    ends: (topic) => log.ends(nameOf(topic)),
    since: (topic, time) => log.since(nameOf(topic), time),
    committed: (group, topic) => log.committed(besideName(group), topic),
    forget: (group) => log.forget(besideName(group)),
    partitionOf: (key, partitions) => log.partitionOf(key, partitions),
    incarnation: (topic, partition) => log.incarnation(nameOf(topic), partition),
    epochEnd: (topic, partition, epoch) => log.epochEnd(nameOf(topic), partition, epoch),
    notes: (group, topic) => log.notes(besideName(group), topic),
    close: () => log.close(),
  }
}

const renamed = (record: OutRecord): OutRecord => ({ ...record, topic: besideName(record.topic) })

/** `clustered-3` becomes `clustered.next-3`, so that the two versions never fence each other. */
const besideWriter = (transactionalId: string): string => transactionalId.replace(/-(\d+)$/, `${SUFFIX}-$1`)
