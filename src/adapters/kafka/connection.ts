import type { Kafka } from 'kafkajs'
import { clusterOf, type KafkaCluster } from './cluster.ts'

/** New partitions and leaders are noticed after at most this long. */
const METADATA_MS = 5_000

/** One connection, opened on first use and again after an error. */
export class KafkaConnection {
  private readonly newClient: () => Kafka
  private current: Promise<KafkaCluster> | null = null
  private isClosed = false

  constructor(newClient: () => Kafka) {
    this.newClient = newClient
  }

  async ask<Answer>(question: (cluster: KafkaCluster) => Promise<Answer>): Promise<Answer> {
    if (this.isClosed) throw new Error('the log was closed')
    this.current ??= connect(this.newClient())
    const mine = this.current
    try {
      return await question(await mine)
    } catch (cause) {
      if (this.current === mine) this.current = null
      throw cause
    } finally {
      if (this.current !== mine) void dispose(mine) // also if it was closed meanwhile: a request may have reconnected
    }
  }

  /** Closes permanently. */
  async close(): Promise<void> {
    this.isClosed = true
    const last = this.current
    this.current = null
    if (last !== null) await dispose(last)
  }
}

async function connect(client: Kafka): Promise<KafkaCluster> {
  const cluster = clusterOf(client, METADATA_MS)
  await cluster.connect()
  return cluster
}

async function dispose(connecting: Promise<KafkaCluster>): Promise<void> {
  await connecting.then((cluster) => cluster.disconnect()).catch(() => undefined)
}
