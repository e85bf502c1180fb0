import type { Worker } from 'node:worker_threads'
import { startThread } from '../start-thread.ts'
import type { KafkaClientOptions } from './client.ts'

/** A member of a group, as its coordinator knows it. */
export interface HeartbeatsMembership {
  readonly memberId: string
  readonly groupGenerationId: number
}

/** Start data of the heartbeat thread. */
export interface HeartbeatOptions {
  readonly options: KafkaClientOptions
  /** A counter that the main thread increments while its event loop runs. */
  readonly lifeSigns: Int32Array<SharedArrayBuffer>
}

/** How often the main thread signals, and the thread checks. */
export const CHECK_EVERY_MS = 250
/** After this long without a signal the thread sends heartbeats instead of the main thread. */
export const SILENT_MS = 600
export const BEAT_EVERY_MS = 500
/**
 * After this long the main thread counts as hung: heartbeats stop, so that other processes take over its partitions.
 */
export const LEASE_MS = 45_000

/**
 * Keeps this process in its consumer groups while the main thread computes for seconds (a recluster, a large batch) and
 * kafkajs cannot send heartbeats. The thread ends with the process, so session timeouts can be short and crashes are
 * detected quickly.
 */
export class Heartbeats {
  private readonly options: KafkaClientOptions
  private readonly lifeSigns = new Int32Array(new SharedArrayBuffer(4))
  private readonly members = new Map<string, HeartbeatsMembership>()
  private thread: Worker | null = null
  private signing: NodeJS.Timeout | null = null

  constructor(options: KafkaClientOptions) {
    this.options = options
  }

  /** Call this for each new group generation. */
  joined(group: string, membership: HeartbeatsMembership): void {
    this.members.set(group, membership)
    if (this.thread === null) this.start()
    else this.thread.postMessage({ group, membership })
  }

  left(group: string): void {
    if (this.members.delete(group)) this.thread?.postMessage({ group, membership: null })
  }

  async close(): Promise<void> {
    const { thread } = this
    this.thread = null
    if (this.signing !== null) clearInterval(this.signing)
    await thread?.terminate()
  }

  private start(): void {
    const workerData: HeartbeatOptions = { options: this.options, lifeSigns: this.lifeSigns }
    const thread = startThread(new URL('./heartbeat-thread.ts', import.meta.url), { workerData })
    this.thread = thread
    thread.unref()
    // without the thread, a process with a long computation is removed from the group and rejoins: slower, but still
    // correct
    thread.on('error', () => {
      if (this.thread === thread) this.thread = null
    })
    for (const [group, membership] of this.members) thread.postMessage({ group, membership })
    this.signing ??= setInterval(() => Atomics.add(this.lifeSigns, 0, 1), CHECK_EVERY_MS)
    this.signing.unref()
  }
}
