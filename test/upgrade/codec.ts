import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { avroOf, framed } from '../../src/adapters/wire-format.ts'
import { avroType, schemaText } from '../../src/events/avro.ts'
import type { Codec } from '../../src/ports/log.ts'
import { aRegistry } from '../golden/registry.ts'

/** A schema of the log that was recorded. */
export interface RecordedSchema {
  readonly id: number
  readonly topic: string
  readonly text: string
}

/** Schemas of today that differ from the recorded ones have ids from here on. */
const FIRST_ID = 1_000

export interface UpgradedCodec {
  readonly codec: Codec
  /** The schema text of an id. */
  readonly textOf: (id: number) => string | null
  readonly stop: () => Promise<void>
}

/**
 * The registry after an upgrade: it knows the schemas of the version before and those of today. Events are read by the
 * codec of the service and written with today's schemas.
 */
export async function upgradedCodec(
  recorded: readonly RecordedSchema[],
  topics: readonly string[],
): Promise<UpgradedCodec> {
  const first = Math.max(FIRST_ID, ...recorded.map(({ id }) => id + 1))
  const today = topics.map((topic, i): RecordedSchema => {
    const text = schemaText(topic)
    const same = recorded.find((one) => one.topic === topic && one.text === text)
    return same ?? { id: first + i, topic, text }
  })
  const texts = new Map([...recorded, ...today].map(({ id, text }) => [id, text]))
  const written = new Map(today.map(({ topic, id, text }) => [topic, { id, type: avroType(text) }]))
  const registry = await aRegistry(texts)
  const reading = new RegistryCodec({ url: registry.url })
  return {
    codec: {
      decode: (topic, value) => reading.decode(topic, value),
      encode: async (topic, event) => {
        const as = written.get(topic.name)
        if (as === undefined) throw new Error(`${topic.name} is not a topic of the recorded log`)
        return framed(as.id, avroOf(as.type, { topic: topic.name, event }))
      },
    },
    textOf: (id) => texts.get(id) ?? null,
    stop: registry.stop,
  }
}
