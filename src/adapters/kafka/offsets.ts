import type { Admin, Kafka } from 'kafkajs'

interface Committed {
  readonly offset: number | null
  readonly note: string | null
}

/** Questions about offsets, over one connection that is made when first needed and anew after any error. */
export class KafkaOffsets {
  private readonly newClient: () => Kafka
  private current: Promise<Admin> | null = null

  constructor(newClient: () => Kafka) {
    this.newClient = newClient
  }

  /** By partition. */
  async ends(topic: string): Promise<readonly number[]> {
    return await this.asking(async (admin) => {
      const offsets = await admin.fetchTopicOffsets(topic)
      return inOrder(offsets).map(({ high }) => Number(high))
    })
  }

  /** By partition; the broker says -1 where nothing was committed, and -2 where a reset left the word "earliest". */
  async committed(groupId: string, topic: string): Promise<readonly Committed[]> {
    return await this.asking(async (admin) => {
      const [found] = await admin.fetchOffsets({ groupId, topics: [topic] })
      return inOrder(found?.partitions ?? []).map(({ offset, metadata }) => ({
        offset: Number(offset) < 0 ? null : Number(offset),
        note: metadata === '' ? null : metadata,
      }))
    })
  }

  async close(): Promise<void> {
    const last = this.current
    this.current = null
    await last?.then(async (admin) => await admin.disconnect()).catch(() => undefined)
  }

  private async asking<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    this.current ??= this.connect()
    try {
      return await ask(await this.current)
    } catch (cause) {
      await this.close()
      throw new Error('the log did not say its offsets', { cause })
    }
  }

  private async connect(): Promise<Admin> {
    const admin = this.newClient().admin()
    await admin.connect()
    return admin
  }
}

const inOrder = <Of extends { readonly partition: number }>(partitions: readonly Of[]): readonly Of[] =>
  [...partitions].sort((a, b) => a.partition - b.partition)
