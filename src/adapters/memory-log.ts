import type {
  BatchHandler,
  Consumer,
  Log,
  LogRecord,
  OutRecord,
  Place,
  Subscription,
  TransactionalWriter,
} from '../ports/log.ts'
import { sha256 } from '../events/ids.ts'
import { MemoryLogMember, type LogMemberHome } from './memory-log-member.ts'

interface MemoryLogPartition {
  readonly records: LogRecord[]
  /** The next offset: past transaction markers, which take one as they do in Kafka. */
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
  /** The time of new records, milliseconds since 1970. */
  readonly now?: () => number
}

const place = (topic: string, partition: number): string => `${topic} ${partition}`

/**
 * A log in memory with Kafka's guarantees and edge cases (gaps between offsets, fenced writers, batches of revoked
 * partitions) for unit tests. It passes the same contract suite as Kafka.
 */
export class MemoryLog implements Log, LogMemberHome {
  readonly batchRecords: number
  private readonly widthOf: (topic: string) => number
  private readonly now: () => number
  private readonly topics = new Map<string, MemoryLogPartition[]>()
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
        for (const { topic, partition, offset } of next) this.commit(group, { topic, partition, offset }, null)
        this.wake()
      },
      close: async () => undefined,
    }
  }

  async *read(topic: string, partition: number, from: number): AsyncIterable<readonly LogRecord[]> {
    const records = this.partition(topic, partition).records.filter(({ offset }) => offset >= from)
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

  async notes(group: string, topic: string): Promise<readonly (string | null)[]> {
    return this.partitionsOf(topic).map((_, p) => this.commitOf(group, topic, p)?.note ?? null)
  }

  async close(): Promise<void> {
    await Promise.all([...this.groups.values()].flatMap(({ members }) => [...members].map((member) => member.stop())))
  }

  /** Everything a topic holds, partition after partition. */
  records(topic: string): readonly LogRecord[] {
    return this.partitionsOf(topic).flatMap(({ records }) => records)
  }

  /** Keeps the newest record of each key, as the broker's cleaner does in its own time. */
  compact(topic: string): void {
    for (const { records } of this.partitionsOf(topic)) {
      const newest = new Map(records.map(({ key, offset }) => [key, offset]))
      records.splice(0, records.length, ...records.filter(({ key, offset }) => newest.get(key) === offset))
    }
  }

  /** Like `kill -9` of a group's consumers: nothing is finished, their partitions are revoked. */
  crash(group: string): void {
    for (const member of this.group(group).members.splice(0)) member.end()
  }

  partition(topic: string, partition: number): MemoryLogPartition {
    const found = this.partitionsOf(topic)[partition]
    if (found === undefined) throw new Error(`${topic} has no partition ${partition}`)
    return found
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

  /** Resolves at the next change of anything, or at once when there is a reason not to wait. */
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
    const p = partition ?? (key === null ? this.turn++ : sha256(key).readUInt32BE(0)) % this.widthOf(topic)
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
