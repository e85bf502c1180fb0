import type avsc from 'avsc'
import { avroType, schemaText } from '../events/avro.ts'
import { sha256 } from '../events/ids.ts'
import type { Topic } from '../events/topic.ts'
import type { Codec, Decoded } from '../ports/log.ts'
import { avroOf, framed, unframed } from './wire-format.ts'

/**
 * A codec without a registry, for unit tests: one schema per topic, with an id derived from the topic's name. Its bytes
 * and error reasons are the same as those of the registry codec.
 */
export class PlainCodec implements Codec {
  private readonly schemaOf: (topic: string) => string
  private readonly ids = new Map<string, number>()
  private readonly types = new Map<string, avsc.Type>()

  constructor(schemaOf: (topic: string) => string = schemaText) {
    this.schemaOf = schemaOf
  }

  async encode<Event>(topic: Topic<Event>, event: Event): Promise<Buffer> {
    return framed(this.idOf(topic.name), avroOf(this.typeOf(topic.name), { topic: topic.name, event }))
  }

  async decode<Event>(topic: Topic<Event>, value: Buffer): Promise<Decoded<Event>> {
    const parts = unframed(value)
    if (parts === null) return { kind: 'malformed', reason: 'malformed_avro' }
    if (parts.schemaId !== this.idOf(topic.name)) return { kind: 'malformed', reason: 'unknown_schema' }
    const type = this.typeOf(topic.name)
    try {
      return { kind: 'event', event: type.fromBuffer(parts.avro) as Event }
    } catch (cause) {
      return { kind: 'malformed', reason: 'malformed_avro', cause }
    }
  }

  private idOf(topic: string): number {
    const known = this.ids.get(topic) ?? sha256(topic).readUInt32BE(0)
    this.ids.set(topic, known)
    return known
  }

  private typeOf(topic: string): avsc.Type {
    const known = this.types.get(topic) ?? avroType(this.schemaOf(topic))
    this.types.set(topic, known)
    return known
  }
}
