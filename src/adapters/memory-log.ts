import { setImmediate } from 'node:timers/promises'
import {
  isFiller,
  type BatchHandler,
  type Consumer,
  type Incarnation,
  type Log,
  type LogRecord,
  type OutRecord,
  type Place,
  type Subscription,
  type TransactionalWriter,
  type Batch,
} from '../ports/log.ts'
import { sha256 } from '../events/ids.ts'
import { countBefore } from '../state/binary-search.ts'

interface MemoryLogPartition {
  readonly records: LogRecord[]
  /** The next offset. Transaction markers take an offset too, as in Kafka. */
  end: number
}

interface Commit {
  readonly offset: number
  readonly note: string | null
}

interface MemoryLogGroup {
  readonly members: MemoryLogMember[]
  readonly commits: Map<string, Commit>
}

export interface MemoryLogOptions {
  /** The number of partitions of a topic; topics are created on first use. */
  readonly partitions?: (topic: string) => number
  readonly batchRecords?: number
  /** Timestamp of new records, milliseconds since 1970. */
  readonly now?: () => number
}

const place = (topic: string, partition: number): string => `${topic} ${partition}`

/**
 * A log in memory with Kafka's guarantees and edge cases (gaps between offsets, fenced writers, batches of revoked
 * partitions) for unit tests. It passes the same contract suite as Kafka.
 */
export class MemoryLog implements Log {
  readonly batchRecords: number
  private readonly widthOf: (topic: string) => number
  private readonly now: () => number
  private readonly topics = new Map<string, MemoryLogPartition[]>()
  private topicsDeleted = 0
  private readonly groups = new Map<string, MemoryLogGroup>()
  private readonly epochs = new Map<string, number>()
  private waiting: (() => void)[] = []
  private turn = 0

  constructor({ partitions = () => 1, batchRecords = 500, now = () => 0 }: MemoryLogOptions = {}) {
    this.widthOf = partitions
    this.batchRecords = batchRecords
    this.now = now
  }

  async produce(records: readonly OutRecord[]): Promise<number> {
    for (const record of records) this.append(record)
    this.wake()
    return records.length === 0 ? 0 : this.now()
  }

  async consume(subscription: Subscription, handle: BatchHandler): Promise<Consumer> {
    const member = new MemoryLogMember(this, subscription, handle)
    this.group(subscription.group).members.push(member)
    this.rebalance(subscription.group)
    member.start()
    return member
  }

  async writer(transactionalId: string): Promise<TransactionalWriter> {
    const epoch = (this.epochs.get(transactionalId) ?? 0) + 1
    this.epochs.set(transactionalId, epoch)
    return {
      write: async (records, { group, next }) => {
        if (this.epochs.get(transactionalId) !== epoch) throw new Error(`${transactionalId} was fenced`)
        const touched = new Set(records.map((record) => this.append(record)))
        for (const partition of touched) partition.end += 1
        for (const { metadata = '', ...at } of next) this.commit(group, at, metadata === '' ? null : metadata)
        this.wake()
      },
      close: async () => undefined,
    }
  }

  async *read(topic: string, partition: number, from: number): AsyncIterable<readonly LogRecord[]> {
    const records = this.partition(topic, partition).records.filter(
      (record) => record.offset >= from && !isFiller(record),
    )
    for (let at = 0; at < records.length; at += this.batchRecords) yield records.slice(at, at + this.batchRecords)
  }

  async starts(topic: string): Promise<readonly number[]> {
    return this.partitionsOf(topic).map(() => 0)
  }

  async since(topic: string, time: number): Promise<readonly number[]> {
    return this.partitionsOf(topic).map(
      ({ records, end }) => records.find(({ loggedAt }) => loggedAt >= time)?.offset ?? end,
    )
  }

  async forget(group: string): Promise<void> {
    const { members, commits } = this.group(group)
    if (members.length > 0) throw new Error(`${group} has a member`)
    commits.clear()
  }

  async ends(topic: string): Promise<readonly number[]> {
    return this.partitionsOf(topic).map(({ end }) => end)
  }

  async committed(group: string, topic: string): Promise<readonly (number | null)[]> {
    return this.partitionsOf(topic).map((_, p) => this.commitOf(group, topic, p)?.offset ?? null)
  }

  partitionOf(key: string, partitions: number): number {
    return sha256(key).readUInt32BE(0) % partitions
  }

  async incarnation(topic: string): Promise<Incarnation> {
    return { topicId: `${topic} ${this.topicsDeleted}`, epoch: 0 }
  }

  async epochEnd(topic: string, partition: number): Promise<number> {
    return this.partition(topic, partition).end
  }

  async notes(group: string, topic: string): Promise<readonly (string | null)[]> {
    return this.partitionsOf(topic).map((_, p) => this.commitOf(group, topic, p)?.note ?? null)
  }

  async close(): Promise<void> {
    await Promise.all([...this.groups.values()].flatMap(({ members }) => [...members].map((member) => member.stop())))
  }

  /** All records of a topic, partition by partition. */
  records(topic: string): readonly LogRecord[] {
    return this.partitionsOf(topic).flatMap(({ records }) => records)
  }

  /** Keeps the newest record of each key, as Kafka's log cleaner does in the background. */
  compact(topic: string): void {
    for (const { records } of this.partitionsOf(topic)) {
      const newest = new Map(records.map(({ key, offset }) => [key, offset]))
      records.splice(0, records.length, ...records.filter(({ key, offset }) => newest.get(key) === offset))
    }
  }

  /** Deletes a topic; it is created again on the next use, as another topic of the same name. */
  deleteTopic(topic: string): void {
    this.topics.delete(topic)
    this.topicsDeleted += 1
  }

  /** Like `kill -9` of all consumers of a group: nothing is finished, and their partitions are revoked. */
  crash(group: string): void {
    for (const member of this.group(group).members.splice(0)) member.end()
  }

  /** The same of one consumer; the others get its partitions. */
  crashOne(group: string, consumer: Consumer): void {
    const member = this.group(group).members.find((one) => one === consumer)
    if (member === undefined) return
    member.end()
    this.leave(group, member)
  }

  partition(topic: string, partition: number): MemoryLogPartition {
    const found = this.partitionsOf(topic)[partition]
    if (found === undefined) throw new Error(`${topic} has no partition ${partition}`)
    return found
  }

  partitionNumbers(topic: string): readonly number[] {
    return this.partitionsOf(topic).map((_, partition) => partition)
  }

  commitOf(group: string, topic: string, partition: number): Commit | undefined {
    return this.group(group).commits.get(place(topic, partition))
  }

  commit(group: string, { topic, partition, offset }: Place, note: string | null): void {
    this.group(group).commits.set(place(topic, partition), { offset, note })
    this.wake()
  }

  leave(group: string, member: MemoryLogMember): void {
    const { members } = this.group(group)
    const at = members.indexOf(member)
    if (at >= 0) members.splice(at, 1)
    this.rebalance(group)
  }

  /** Resolves at the next change of the log, or immediately if `isReason` returns true. */
  async changed(isReason: () => boolean): Promise<void> {
    if (isReason()) return
    await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  wake(): void {
    const woken = this.waiting
    this.waiting = []
    for (const resolve of woken) resolve()
  }

  private append({ topic, key, value, headers, partition }: OutRecord): MemoryLogPartition {
    const width = this.widthOf(topic)
    const p = partition ?? (key === null ? this.turn++ % width : this.partitionOf(key, width))
    const log = this.partition(topic, p)
    const offset = log.end++
    log.records.push({ topic, partition: p, offset, key, value, headers: headers ?? {}, loggedAt: this.now() })
    return log
  }

  private partitionsOf(topic: string): MemoryLogPartition[] {
    const fresh = () => Array.from({ length: this.widthOf(topic) }, () => ({ records: [], end: 0 }))
    const found = this.topics.get(topic) ?? fresh()
    this.topics.set(topic, found)
    return found
  }

  private group(name: string): MemoryLogGroup {
    const found = this.groups.get(name) ?? { members: [], commits: new Map<string, Commit>() }
    this.groups.set(name, found)
    return found
  }

  private rebalance(group: string): void {
    const { members } = this.group(group)
    members.forEach((member, i) => {
      member.assign((topic) => this.partitionsOf(topic).flatMap((_, p) => (p % members.length === i ? [p] : [])))
    })
    this.wake()
  }
}

/** One consumer of a group of the memory log. */
class MemoryLogMember implements Consumer {
  private readonly log: MemoryLog
  private readonly subscription: Subscription
  private readonly handle: BatchHandler
  private readonly positions = new Map<string, number>()
  private assigned: { readonly topic: string; readonly partition: number }[] = []
  private generation = 0
  /** Batches that are retried while other partitions continue. */
  private readonly retrying = new Set<{ readonly partition: number; readonly done: Promise<void> }>()
  private reportedGeneration = 0
  private ended = false
  private running: Promise<void> = Promise.resolve()

  constructor(log: MemoryLog, subscription: Subscription, handle: BatchHandler) {
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
    await Promise.all([...this.retrying].map(({ done }) => done))
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
    const mine = new Set(this.assigned.map(({ partition }) => partition))
    const others = this.subscription.topics.flatMap((topic) => this.log.partitionNumbers(topic))
    this.subscription.standbys?.onAssigned([...new Set(others)].filter((partition) => !mine.has(partition)))
  }

  private async run(): Promise<void> {
    while (!this.ended) {
      if (this.reportedGeneration !== this.generation) await this.reportAssigned()
      const batches = this.next()
      // no await between `next` and `changed`, or a wake-up is missed
      if (batches.length === 0) await this.log.changed(() => this.ended || this.reportedGeneration !== this.generation)
      else await Promise.all(batches.map((batch) => this.deliver(batch)))
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
      this.retrying.delete(retried)
      this.log.wake()
    })
    const retried = { partition, done }
    this.retrying.add(retried)
  }

  private async handled(batch: Batch): Promise<void> {
    try {
      await this.handle(batch)
      if (!batch.isStale()) this.positions.set(place(batch.topic, batch.partition), batch.end)
    } catch {
      // reads again from the committed offset; a real log would back off here
      this.positions.delete(place(batch.topic, batch.partition))
      await setImmediate()
    }
  }

  private next(): readonly Batch[] {
    const retried = new Set([...this.retrying].map(({ partition }) => partition))
    const batches: Batch[] = []
    for (const { topic, partition } of this.assigned) {
      if (batches.length === (this.subscription.concurrency ?? 1)) break
      if (retried.has(partition)) continue
      const { records, end } = this.log.partition(topic, partition)
      const from = this.positionOf(topic, partition)
      const first = countBefore(records.length, (i) => (records[i]?.offset ?? from) < from)
      const chunk = records.slice(first, first + this.log.batchRecords)
      const last = chunk.at(-1)
      if (last !== undefined) batches.push(this.batch(chunk, last === records.at(-1) ? end : last.offset + 1))
    }
    return batches
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
        // a commit behind the read position does not move the read position back
        this.positions.set(place(topic, partition), Math.max(offset, this.positionOf(topic, partition)))
      },
      isRevoked: isStale,
      isStale,
      giveWay: () => undefined,
    }
  }
}
