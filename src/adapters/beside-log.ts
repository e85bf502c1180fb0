import type { Log, OutRecord } from '../ports/log.ts'

/** Stands behind every name under which a new version of a stage works beside the old one. */
const SUFFIX = '.next'

/** The name beside a topic's or a group's: `clustered.memory` to `clustered.memory.next`. */
export const besideName = (name: string): string => `${name}${SUFFIX}`

/**
 * The same log for a stage that must not meet its own other version: it reads the same inputs, in a group of its own, and
 * whatever it writes (output, memory, dead letters) goes to a topic of its own beside the real one. What it remembers is
 * read there, too. The stage and its runtime know nothing of it.
 */
export function beside(log: Log, { changelog }: { readonly changelog: string }): Log {
  const readable = (topic: string): string => (topic === changelog ? besideName(topic) : topic)
  return {
    produce: (records) => log.produce(records.map(moved)),
    consume: (subscription, handle) => log.consume({ ...subscription, group: besideName(subscription.group) }, handle),
    writer: async (transactionalId) => {
      const writer = await log.writer(besideWriter(transactionalId))
      return {
        write: (records, { group, next }) => writer.write(records.map(moved), { group: besideName(group), next }),
        close: () => writer.close(),
      }
    },
    read: (topic, partition, from) => log.read(readable(topic), partition, from),
    starts: (topic) => log.starts(readable(topic)),
    ends: (topic) => log.ends(readable(topic)),
    since: (topic, time) => log.since(readable(topic), time),
    committed: (group, topic) => log.committed(besideName(group), topic),
    forget: (group) => log.forget(besideName(group)),
    notes: (group, topic) => log.notes(besideName(group), topic),
    close: () => log.close(),
  }
}

const moved = (record: OutRecord): OutRecord => ({ ...record, topic: besideName(record.topic) })

/** `clustered-3` to `clustered.next-3`: the two versions never fence each other. */
const besideWriter = (transactionalId: string): string => transactionalId.replace(/-(\d+)$/, `${SUFFIX}-$1`)
