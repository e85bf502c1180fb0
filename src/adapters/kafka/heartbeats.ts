import { Worker } from 'node:worker_threads'
import type { KafkaClientOptions } from './client.ts'

/** A member of a group, as its coordinator knows it. */
export interface HeartbeatsMembership {
  readonly memberId: string
  readonly groupGenerationId: number
}

/** What the thread begins with. */
export interface HeartbeatOptions {
  readonly options: KafkaClientOptions
  /** One number, which the main thread raises as long as it comes round. */
  readonly lifeSigns: Int32Array<SharedArrayBuffer>
}

/** How often the main thread gives a sign, and the other one looks for it. */
export const LOOK_EVERY_MS = 250
/** Without a sign for so long the thread beats in the main thread's place … */
export const SILENT_MS = 600
export const BEAT_EVERY_MS = 500
/** … but not for ever: who does not come round in this time hangs, and others are to go on with its work. */
export const LEASE_MS = 45_000

/** Node runs the build as it is, the sources (from the project's folder) through tsx, which a thread has to load again. */
function startThread(given: HeartbeatOptions): Worker {
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL('./heartbeat-thread.js', import.meta.url), { workerData: given })
  }
  const thread = new URL('./heartbeat-thread.ts', import.meta.url).href
  const program = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(thread)})))`
  return new Worker(program, { eval: true, workerData: given })
}

/**
 * Keeps this process a member of its groups while the main thread computes for seconds without a pause (stories put
 * together again, a large batch decoded), when kafkajs cannot beat. It dies and stops with its process, so sessions may be
 * as short as a death is to be noticed soon.
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

  /** Call it with each new generation. */
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
    const thread = startThread({ options: this.options, lifeSigns: this.lifeSigns })
    this.thread = thread
    thread.unref()
    // without it a process that computes for long is thrown out and joins again: slower, and as right as before
    thread.on('error', () => {
      if (this.thread === thread) this.thread = null
    })
    for (const [group, membership] of this.members) thread.postMessage({ group, membership })
    this.signing ??= setInterval(() => Atomics.add(this.lifeSigns, 0, 1), LOOK_EVERY_MS)
    this.signing.unref()
  }
}
