import type { Batch, BatchHandler, Consumer, LogRecord, Subscription } from '../../src/ports/log.ts'
import { placeOf, type GroupMember } from './broker.ts'
import type { Process } from './process.ts'

/** The log's own where a subscription says nothing. */
const SESSION_MS = 3_000

/**
 * A consumer as the Kafka adapter is one: as many batches at a time as its subscription says, and it learns that its partitions went to another only by
 * asking, or by the time that has passed since it was last heard.
 */
export class SimulationMember implements Consumer, GroupMember {
  readonly group: string
  readonly topics: readonly string[]
  readonly sessionMs: number
  /** What it has been given and is not done with. */
  readonly inHand = new Set<Batch>()
  private readonly process: Process
  private readonly subscription: Subscription
  private readonly handle: BatchHandler
  private readonly positions = new Map<string, number>()
  private assigned: readonly { readonly topic: string; readonly partition: number }[] = []
  private generation = -1
  private reportedGeneration = -1
  private lost = true
  private ended = false
  private finished: () => void = () => undefined
  private readonly end: Promise<void>
  private sleeping: (() => void) | null = null
  /** Batches that are being retried beside the others. */
  private readonly retrying = new Set<{ readonly partition: number; readonly settled: Promise<void> }>()

  constructor(process: Process, subscription: Subscription, handle: BatchHandler) {
    this.process = process
    this.subscription = subscription
    this.handle = handle
    this.group = subscription.group
    this.topics = subscription.topics
    this.sessionMs = SESSION_MS
    this.end = new Promise((resolve) => {
      this.finished = resolve
    })
  }

  start(): void {
    void this.run()
  }

  async stop(): Promise<void> {
    this.ended = true
    this.wake()
    await this.end
    await Promise.all([...this.retrying].map(({ settled }) => settled))
    this.process.world.broker.leave(this)
  }

  wake(): void {
    const { sleeping } = this
    if (sleeping === null) return
    this.sleeping = null
    this.process.world.scheduler.add({ actor: this.process.actor, label: `poll ${this.group}`, go: sleeping })
  }

  private async run(): Promise<void> {
    for (;;) {
      await this.process.world.scheduler.step(this.process.actor, `poll ${this.group}`)
      if (this.ended) break
      if (!(await this.round())) await this.somethingHappens()
    }
    this.finished()
  }

  private async somethingHappens(): Promise<void> {
    if (this.ended) return
    await new Promise<void>((resolve) => {
      this.sleeping = resolve
    })
  }

  /** False: there is nothing to do. */
  private async round(): Promise<boolean> {
    if (!this.reaches()) {
      await this.process.clock.sleep(100)
      return true
    }
    this.joinIfNeeded()
    const batches = this.next()
    await Promise.all(batches.map((batch) => this.deliver(batch)))
    return batches.length > 0
  }

  private async deliver(batch: Batch): Promise<void> {
    this.inHand.add(batch)
    let giveWay: () => void = () => undefined
    const gaveWay = new Promise<void>((resolve) => (giveWay = resolve))
    const handled = this.handled({ ...batch, giveWay })
    await Promise.race([handled, gaveWay.then(() => this.retryBeside(batch.partition, handled))])
    this.inHand.delete(batch)
  }

  private async handled(batch: Batch): Promise<void> {
    try {
      await this.reportAssigned()
      await this.handle(batch)
      if (!batch.isStale()) this.positions.set(placeOf(batch.topic, batch.partition), batch.end)
    } catch {
      await this.again(batch)
    }
  }

  private retryBeside(partition: number, handled: Promise<void>): void {
    const settled = handled.finally(() => {
      this.retrying.delete(retried)
      this.wake()
    })
    const retried = { partition, settled }
    this.retrying.add(retried)
  }

  private reaches(): boolean {
    if (this.process.isCutOff) return false
    this.process.heardAt = this.process.world.scheduler.now
    return true
  }

  /** The client tries again from where it was, or joins again. */
  private async again({ topic, partition }: Batch): Promise<void> {
    this.positions.delete(placeOf(topic, partition))
    await this.process.clock.sleep(20)
  }

  private joinIfNeeded(): void {
    const { broker } = this.process.world
    const isMember = broker.isMember(this)
    if (isMember && !this.lost && broker.generation(this.group) === this.generation) return
    if (!isMember) broker.join(this)
    this.generation = broker.generation(this.group)
    this.lost = false
    this.positions.clear()
    this.assigned = broker.assignment(this)
    this.subscription.onJoined?.(this.assigned)
    const mine = new Set(this.assigned.map(({ partition }) => partition))
    const all = this.topics.flatMap((topic) => broker.partitions(topic).map((_, partition) => partition))
    this.subscription.standbys?.onAssigned([...new Set(all)].filter((partition) => !mine.has(partition)))
  }

  private async reportAssigned(): Promise<void> {
    if (this.reportedGeneration === this.generation) return
    const { generation } = this
    await this.subscription.onAssigned?.(this.assigned)
    this.reportedGeneration = generation
  }

  private next(): readonly Batch[] {
    const retried = new Set([...this.retrying].map(({ partition }) => partition))
    const batches: Batch[] = []
    const { random, broker, batchRecords, faults } = this.process.world
    const most = faults.calm ? batchRecords : random.between(1, batchRecords)
    for (const { topic, partition } of random.shuffled(this.assigned)) {
      if (batches.length === (this.subscription.concurrency ?? 1)) break
      if (retried.has(partition)) continue
      const { records, end } = broker.partition(topic, partition)
      const from = this.positionOf(topic, partition)
      if (from >= end) continue
      const chunk = records.filter(({ offset }) => offset >= from).slice(0, most)
      const last = chunk.at(-1)
      if (last !== undefined) batches.push(this.batch(chunk, last === records.at(-1) ? end : last.offset + 1))
    }
    return batches
  }

  private positionOf(topic: string, partition: number): number {
    const committed = this.process.world.broker.committed(this.group, topic, partition)?.offset ?? 0
    return this.positions.get(placeOf(topic, partition)) ?? committed
  }

  /** Not heard for a session, it may have been replaced without knowing it. */
  private isAlive(): boolean {
    return this.process.world.scheduler.now - this.process.heardAt < this.sessionMs
  }

  private batch(records: readonly LogRecord[], end: number): Batch {
    const { process, generation, group } = this
    const { broker } = process.world
    const { topic = '', partition = 0 } = records[0] ?? {}
    const isRevoked = (): boolean => this.lost || this.generation !== generation
    /** The broker's word on it, which is final. */
    const notOurs = (): void => {
      if (broker.isMember(this) && broker.generation(group) === generation) return
      this.lost = true
      this.wake() // an idle client learns it from its own heartbeats, and joins again
      throw new Error(`${topic} ${partition} was taken away`)
    }
    return {
      topic,
      partition,
      records,
      highWatermark: broker.partition(topic, partition).end,
      end,
      heartbeat: async () => {
        if (process.world.random.chance(0.1)) {
          await process.call({ label: `heartbeat ${group}`, needs: [], does: notOurs })
          return
        }
        if (process.isCutOff) throw new Error('the log does not answer')
        process.heardAt = process.world.scheduler.now
        notOurs()
      },
      commit: async (offset, note = '') => {
        const does = (): void => {
          notOurs()
          broker.commit(group, { topic, partition, offset }, note === '' ? null : note)
        }
        await process.call({ label: `commit ${group} ${topic} ${offset} ${note}`, needs: ['disk full'], does })
        if (this.generation !== generation) return
        // behind what was read it moves what a restart reads from, and not where we go on
        this.positions.set(placeOf(topic, partition), Math.max(offset, this.positionOf(topic, partition)))
      },
      isRevoked,
      isStale: () => isRevoked() || !this.isAlive(),
      giveWay: () => undefined,
    }
  }
}
