import { expect, vi } from 'vitest'
import type { MemoryLog } from '../../src/adapters/memory-log.ts'
import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import type { Topic } from '../../src/events/topic.ts'
import type { Log } from '../../src/ports/log.ts'
import { soon } from './soon.ts'

/** Without a registry: what a stage runs with that reads and writes the topics below. */
export const codec = new PlainCodec()

export async function append<Event>(log: Log, topic: Topic<Event>, events: readonly Event[]): Promise<void> {
  const records = events.map(async (event) => ({
    topic: topic.name,
    key: topic.key(event),
    value: await codec.encode(topic, event),
  }))
  await log.produce(await Promise.all(records))
}

/** What a topic holds, in the order of the log. */
export async function eventsIn<Event>(log: MemoryLog, topic: Topic<Event>): Promise<readonly Event[]> {
  const decoded = await Promise.all(
    log.records(topic.name).map(({ value }) => codec.decode(topic, value ?? Buffer.alloc(0))),
  )
  return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
}

/** Until a group has read for good all that some topics hold. */
export const untilRead = async (log: Log, group: string, topics: readonly { readonly name: string }[]) => {
  await vi.waitFor(async () => {
    for (const { name } of topics) {
      const read = (await log.committed(group, name)).map((next) => next ?? 0)
      expect(read).toEqual(await log.ends(name))
    }
  }, soon)
}

/** What a changelog holds in the end, by key. */
export async function entriesIn<Value>(log: MemoryLog, changelog: Topic<Value>): Promise<ReadonlyMap<string, unknown>> {
  const entries = new Map<string, unknown>()
  for (const { key, value } of log.records(changelog.name)) {
    if (value === null) entries.delete(key ?? '')
    else entries.set(key ?? '', await codec.decode(changelog, value))
  }
  return new Map([...entries].sort())
}
