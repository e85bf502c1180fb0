import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import type avsc from 'avsc'
import { avroType, schemaText, writerType } from '../../events/avro.ts'
import type { Topic } from '../../events/topic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Codec, Decoded } from '../../ports/log.ts'
import { systemClock } from '../clock.ts'
import { avroOf, framed, unframed } from '../wire-format.ts'
import { authorization, type RegistryAccess } from './register.ts'
import { RecentlyUnknown } from './recently-unknown.ts'

export interface RegistryCodecOptions extends RegistryAccess {
  /** Default: the wall clock. */
  readonly clock?: Clock
  /** The schema text of a topic. Default: the committed schema. */
  readonly schemaOf?: (topic: string) => string
}

interface Contract {
  readonly type: avsc.Type
  readonly text: string
  /** The registered schema id. Requested once; after a failure the next call requests it again. */
  id: Promise<number> | null
  /** Decoders of values written with other schemas, by schema id. */
  readonly readers: Map<number, CodecReader>
}

type CodecReader =
  { readonly kind: 'reader'; read(avro: Buffer): unknown } | { readonly kind: 'mismatch'; cause: unknown }

/** An unknown id may become known soon: another registry node has it, or a producer registers late. */
const UNKNOWN_FOR_MS = 5_000

/**
 * Avro with a schema registry. Throws if the registry is unavailable, so that the caller retries; an unreadable value
 * is a result, not an error.
 */
export class RegistryCodec implements Codec {
  private readonly registry: SchemaRegistry
  private readonly access: RegistryAccess
  private readonly options: Required<Pick<RegistryCodecOptions, 'clock' | 'schemaOf'>>
  private readonly contracts = new Map<string, Contract>()
  private readonly unknown = new RecentlyUnknown(UNKNOWN_FOR_MS)

  constructor({ url, auth, clock = systemClock, schemaOf = schemaText }: RegistryCodecOptions) {
    const login = auth === undefined ? {} : { auth }
    this.access = { url: url.replace(/\/$/, ''), ...login }
    this.options = { clock, schemaOf }
    this.registry = new SchemaRegistry({ host: this.access.url, ...login })
  }

  async encode<Event>(topic: Topic<Event>, event: Event): Promise<Buffer> {
    const id = await this.idOf(topic.name)
    return framed(id, avroOf(this.contract(topic.name).type, { topic: topic.name, event }))
  }

  async decode<Event>(topic: Topic<Event>, value: Buffer): Promise<Decoded<Event>> {
    const parts = unframed(value)
    if (parts === null) return { kind: 'malformed', reason: 'malformed_avro' }
    const { readers } = this.contract(topic.name)
    const reader = readers.get(parts.schemaId) ?? (await this.findReader(topic.name, parts.schemaId))
    if (reader === null) return { kind: 'malformed', reason: 'unknown_schema' }
    if (reader.kind === 'mismatch') return { kind: 'malformed', reason: 'schema_mismatch', cause: reader.cause }
    try {
      return { kind: 'event', event: reader.read(parts.avro) as Event }
    } catch (cause) {
      return { kind: 'malformed', reason: 'malformed_avro', cause }
    }
  }

  private async idOf(topic: string): Promise<number> {
    const contract = this.contract(topic)
    contract.id ??= this.register(topic, contract)
    try {
      return await contract.id
    } catch (cause) {
      contract.id = null
      throw new Error(`the registry did not accept the schema of ${topic}`, { cause })
    }
  }

  private async register(topic: string, { type, text, readers }: Contract): Promise<number> {
    const subject = { subject: `${topic}-value`, compatibility: COMPATIBILITY.FULL_TRANSITIVE }
    const { id } = await this.registry.register({ type: SchemaType.AVRO, schema: text }, subject)
    readers.set(id, { kind: 'reader', read: (avro): unknown => type.fromBuffer(avro) })
    return id
  }

  private async findReader(topic: string, id: number): Promise<CodecReader | null> {
    if (this.unknown.has(id, this.options.clock.now())) return null
    const written = await this.writtenWith(topic, id)
    if (written === null) {
      this.unknown.add(id, this.options.clock.now())
      return null
    }
    const { type, readers } = this.contract(topic)
    const reader = readerOf(type, written)
    readers.set(id, reader)
    return reader
  }

  /** The schema text of an id; `null` if it is not registered. */
  private async writtenWith(topic: string, id: number): Promise<string | null> {
    try {
      // the registry may also hold schemas that are not Avro; those cannot decode anything
      const found = (await this.registry.getSchema(id)) as Partial<Pick<avsc.Type, 'schema'>>
      return JSON.stringify(found.schema?.() ?? null)
    } catch (cause) {
      if (!isNotFound(cause)) throw new Error(`the registry did not return schema ${id}`, { cause })
    }
    await this.checkOwnSchema(topic)
    return null
  }

  /**
   * Throws unless the registry has our own schema. A registry that has lost its data, or a proxy in front of it, may
   * return "not found" for everything, and then every record of a topic would be rejected.
   */
  private async checkOwnSchema(topic: string): Promise<void> {
    const ours = await this.idOf(topic)
    const headers = authorization(this.access)
    const answer = await fetch(`${this.access.url}/schemas/ids/${ours}`, { headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the registry does not know our schema of ${topic} (${answer.status})`)
  }

  private contract(topic: string): Contract {
    const known = this.contracts.get(topic)
    if (known !== undefined) return known
    const text = this.options.schemaOf(topic)
    const contract: Contract = { type: avroType(text), text, id: null, readers: new Map() }
    this.contracts.set(topic, contract)
    return contract
  }
}

function readerOf(type: avsc.Type, written: string): CodecReader {
  try {
    const resolver = type.createResolver(writerType(written))
    return { kind: 'reader', read: (avro): unknown => type.fromBuffer(avro, resolver) }
  } catch (cause) {
    return { kind: 'mismatch', cause }
  }
}

const isNotFound = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'status' in cause && cause.status === 404
