import { setImmediate } from 'node:timers/promises'
import type { Batch, BatchHandler, Consumer, LogRecord, Place, Subscription } from '../ports/log.ts'

/** What a member asks of the log it belongs to. */
export interface LogMemberHome {
  readonly batchRecords: number
  partition(topic: string, partition: number): { readonly records: readonly LogRecord[]; readonly end: number }
  commitOf(group: string, topic: string, partition: number): { readonly offset: number } | undefined
  commit(group: string, place: Place, note: string | null): void
  leave(group: string, member: MemoryLogMember): void
  /** Resolves at the next change of anything, or at once when there is a reason not to wait. */
  changed(isReason: () => boolean): Promise<void>
  wake(): void
}

const place = (topic: string, partition: number): string => `${topic} ${partition}`

/** One consumer of a group of the memory log. */
export class MemoryLogMember implements Consumer {
  private readonly log: LogMemberHome
  private readonly subscription: Subscription
  private readonly handle: BatchHandler
  private readonly positions = new Map<string, number>()
  private assigned: { readonly topic: string; readonly partition: number }[] = []
  private generation = 0
  /** Partitions whose batch is being retried beside the others. */
  private readonly retrying = new Map<number, Promise<void>>()
  private reportedGeneration = 0
  private ended = false
  private running: Promise<void> = Promise.resolve()

  constructor(log: LogMemberHome, subscription: Subscription, handle: BatchHandler) {
    this.log = log
    this.subscription = subscription
    this.handle = handle
  }

  start(): void {
    this.running = this.run().catch((cause: unknown) => {
      this.subscription.onCrash(new Error('the consumer has ended', { cause }))
    })
  }

  async stop(): Promise<void> {
    this.ended = true
    this.log.wake()
    await this.running
    await Promise.all(this.retrying.values())
    this.log.leave(this.subscription.group, this)
  }

  end(): void {
    this.ended = true
    this.generation += 1
    this.log.wake()
  }

  assign(partitionsOf: (topic: string) => readonly number[]): void {
    this.generation += 1
    this.positions.clear()
    this.assigned = this.subscription.topics.flatMap((topic) =>
      partitionsOf(topic).map((partition) => ({ topic, partition })),
    )
    this.subscription.onJoined?.(this.assigned)
  }

  private async run(): Promise<void> {
    while (!this.ended) {
      if (this.reportedGeneration !== this.generation) await this.reportAssigned()
      const batch = this.next()
      // nothing may come between the look and the wait, or a wake-up is missed
      if (batch === null) await this.log.changed(() => this.ended || this.reportedGeneration !== this.generation)
      else await this.deliver(batch)
    }
  }

  private async reportAssigned(): Promise<void> {
    this.reportedGeneration = this.generation
    await this.subscription.onAssigned?.(this.assigned)
  }

  private async deliver(batch: Batch): Promise<void> {
    let giveWay: () => void = () => undefined
    const gaveWay = new Promise<void>((resolve) => {
      giveWay = resolve
    })
    const handled = this.handled({ ...batch, giveWay })
    await Promise.race([handled, gaveWay.then(() => this.retryBeside(batch.partition, handled))])
  }

  private retryBeside(partition: number, handled: Promise<void>): void {
    const done = handled.finally(() => {
      this.retrying.delete(partition)
      this.log.wake()
    })
    this.retrying.set(partition, done)
  }

  private async handled(batch: Batch): Promise<void> {
    try {
      await this.handle(batch)
      if (!batch.isStale()) this.positions.set(place(batch.topic, batch.partition), batch.end)
    } catch {
      // again from what was committed; a real log would back off here
      this.positions.delete(place(batch.topic, batch.partition))
      await setImmediate()
    }
  }

  private next(): Batch | null {
    for (const { topic, partition } of this.assigned) {
      if (this.retrying.has(partition)) continue
      const { records, end } = this.log.partition(topic, partition)
      const from = this.positionOf(topic, partition)
      const chunk = records.filter(({ offset }) => offset >= from).slice(0, this.log.batchRecords)
      const last = chunk.at(-1)
      if (last !== undefined) return this.batch(chunk, last === records.at(-1) ? end : last.offset + 1)
    }
    return null
  }

  private positionOf(topic: string, partition: number): number {
    const committed = this.log.commitOf(this.subscription.group, topic, partition)?.offset ?? 0
    return this.positions.get(place(topic, partition)) ?? committed
  }

  private batch(records: readonly LogRecord[], end: number): Batch {
    const born = this.generation
    const { topic = '', partition = 0 } = records[0] ?? {}
    const isStale = () => this.generation !== born
    const ours = () => {
      if (isStale()) throw new Error(`${topic} ${partition} was taken away`)
    }
    return {
      topic,
      partition,
      records,
      highWatermark: this.log.partition(topic, partition).end,
      end,
      heartbeat: async () => ours(),
      commit: async (offset, note = '') => {
        ours()
        this.log.commit(this.subscription.group, { topic, partition, offset }, note === '' ? null : note)
        // behind what was read it moves what a restart reads from, and not where we go on
        this.positions.set(place(topic, partition), Math.max(offset, this.positionOf(topic, partition)))
      },
      isStale,
      giveWay: () => undefined,
    }
  }
}
