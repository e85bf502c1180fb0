import kafkajs, { type Admin, type Kafka } from 'kafkajs'
import { KafkaBounds, type OffsetBound } from './bounds.ts'
import { onceReady } from './broker-errors.ts'

const UNSAID = 'the log did not say its offsets'

interface Committed {
  readonly offset: number | null
  readonly note: string | null
}

/** Reads offsets over connections that are opened on first use and again after an error. */
export class KafkaOffsets {
  private readonly newClient: () => Kafka
  private readonly bounds: KafkaBounds
  private current: Promise<Admin> | null = null

  constructor(newClient: () => Kafka) {
    this.newClient = newClient
    this.bounds = new KafkaBounds(newClient)
  }

  /** By partition. */
  async starts(topic: string): Promise<readonly number[]> {
    return this.bound(topic, 'start')
  }

  /** By partition. */
  async since(topic: string, time: number): Promise<readonly number[]> {
    return this.withAdmin(async (admin) => {
      const offsets = await admin.fetchTopicOffsetsByTimestamp(topic, time)
      return inOrder(offsets).map(({ offset }) => Number(offset))
    })
  }

  async forget(groupId: string): Promise<void> {
    await this.withAdmin(async (admin) => {
      await admin.deleteGroups([groupId]).catch((cause: unknown) => {
        if (!isUnknownGroup(cause)) throw cause
      })
    })
  }

  /** By partition. */
  async ends(topic: string): Promise<readonly number[]> {
    return this.bound(topic, 'end')
  }

  /** By partition; the broker says -1 where nothing was committed, and -2 where a reset left the word "earliest". */
  async committed(groupId: string, topic: string): Promise<readonly Committed[]> {
    return this.withAdmin(async (admin) => {
      const [found] = await onceReady(() => admin.fetchOffsets({ groupId, topics: [topic] }), UNCOORDINATED)
      return inOrder(found?.partitions ?? []).map(({ offset, metadata }) => ({
        offset: Number(offset) < 0 ? null : Number(offset),
        note: metadata === '' ? null : metadata,
      }))
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.bounds.close(), this.closeAdmin()])
  }

  private async closeAdmin(): Promise<void> {
    const last = this.current
    this.current = null
    await last?.then((admin) => admin.disconnect()).catch(() => undefined)
  }

  private async bound(topic: string, bound: OffsetBound): Promise<readonly number[]> {
    try {
      return await this.bounds.of(topic, bound)
    } catch (cause) {
      throw new Error(UNSAID, { cause })
    }
  }

  private async withAdmin<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    this.current ??= this.connect()
    try {
      return await ask(await this.current)
    } catch (cause) {
      await this.closeAdmin()
      throw new Error(UNSAID, { cause })
    }
  }

  private async connect(): Promise<Admin> {
    const admin = this.newClient().admin()
    await admin.connect()
    return admin
  }
}

/** A new or restarted broker briefly reports another coordinator for a group. */
const UNCOORDINATED = {
  types: new Set(['NOT_COORDINATOR_FOR_GROUP', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS']),
  looks: 50,
}

const inOrder = <Of extends { readonly partition: number }>(partitions: readonly Of[]): readonly Of[] =>
  [...partitions].sort((a, b) => a.partition - b.partition)

/** A group that does not exist counts as deleted. */
const isUnknownGroup = (cause: unknown): boolean =>
  cause instanceof kafkajs.KafkaJSDeleteGroupsError &&
  cause.groups.every(({ error }) => error?.type === 'GROUP_ID_NOT_FOUND')
