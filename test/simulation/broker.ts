import { sha256 } from '../../src/events/ids.ts'
import type { LogRecord, OutRecord, Place, ReadOffsets } from '../../src/ports/log.ts'
import type { SimulationRandom } from './random.ts'

interface BrokerPartition {
  records: LogRecord[]
  /** The next offset: past transaction markers, which take one. */
  end: number
}

interface Commit {
  readonly offset: number
  readonly note: string | null
}

/** A member as the broker knows it. */
export interface GroupMember {
  readonly group: string
  readonly topics: readonly string[]
  /** Something it waits for may be there. */
  wake(): void
}

interface BrokerGroup {
  generation: number
  members: GroupMember[]
  readonly commits: Map<string, Commit>
}

interface Surroundings {
  readonly now: () => number
  readonly random: SimulationRandom
  readonly widthOf?: (topic: string) => number
}

export const placeOf = (topic: string, partition: number): string => `${topic} ${partition}`

/** What is durable, and who is a member of which group: a broker that does at once, and wholly, what it does. */
export class SimulationBroker {
  /** Partitions of a topic. */
  readonly width: number
  private readonly widthOf: (topic: string) => number
  private readonly now: () => number
  private readonly random: SimulationRandom
  private readonly topics = new Map<string, BrokerPartition[]>()
  private readonly groups = new Map<string, BrokerGroup>()
  private readonly epochs = new Map<string, number>()
  private turn = 0

  /** `widthOf`: of topics that have another number of partitions. */
  constructor(width: number, { now, random, widthOf = () => width }: Surroundings) {
    this.width = width
    this.widthOf = widthOf
    this.now = now
    this.random = random
  }

  produce(records: readonly OutRecord[]): number {
    for (const record of records) this.append(record)
    this.wakeReaders(records)
    return records.length === 0 ? 0 : this.now()
  }

  /** Fences every earlier writer of that id. */
  openWriter(id: string): number {
    const epoch = (this.epochs.get(id) ?? 0) + 1
    this.epochs.set(id, epoch)
    return epoch
  }

  isFenced(id: string, epoch: number): boolean {
    return this.epochs.get(id) !== epoch
  }

  /** Records and offsets together. */
  transact(records: readonly OutRecord[], read: ReadOffsets): void {
    const touched = new Set(records.map((record) => this.append(record)))
    for (const partition of touched) partition.end += 1
    for (const { topic, partition, offset, metadata = '' } of read.next) {
      this.group(read.group).commits.set(placeOf(topic, partition), { offset, note: metadata === '' ? null : metadata })
    }
    this.wakeReaders(records)
  }

  partition(topic: string, partition: number): BrokerPartition {
    const found = this.partitions(topic)[partition]
    if (found === undefined) throw new Error(`${topic} has no partition ${partition}`)
    return found
  }

  partitions(topic: string): readonly BrokerPartition[] {
    const found = this.topics.get(topic)
    if (found !== undefined) return found
    const fresh = Array.from({ length: this.widthOf(topic) }, () => ({ records: [], end: 0 }))
    this.topics.set(topic, fresh)
    return fresh
  }

  names(): readonly string[] {
    return [...this.topics.keys()]
  }

  records(topic: string): readonly LogRecord[] {
    return this.partitions(topic).flatMap(({ records }) => records)
  }

  committed(group: string, topic: string, partition: number): Commit | undefined {
    return this.group(group).commits.get(placeOf(topic, partition))
  }

  commit(group: string, { topic, partition, offset }: Place, note: string | null): void {
    this.group(group).commits.set(placeOf(topic, partition), { offset, note })
  }

  /** Throws while somebody reads. */
  forget(name: string): void {
    const { members, commits } = this.group(name)
    if (members.length > 0) throw new Error(`${name} has a member`)
    commits.clear()
  }

  /** Keeps the newest record of each key, as the broker's cleaner does in its own time. */
  compact(topic: string): void {
    for (const partition of this.partitions(topic)) {
      const newest = new Map(partition.records.map(({ key, offset }) => [key, offset]))
      partition.records = partition.records.filter(({ key, offset }) => newest.get(key) === offset)
    }
  }

  generation(group: string): number {
    return this.group(group).generation
  }

  isMember(member: GroupMember): boolean {
    return this.group(member.group).members.includes(member)
  }

  join(member: GroupMember): void {
    this.group(member.group).members.push(member)
    this.rebalance(member.group)
  }

  leave(member: GroupMember): void {
    const group = this.group(member.group)
    if (!group.members.includes(member)) return
    group.members = group.members.filter((other) => other !== member)
    this.rebalance(member.group)
  }

  /** Partition p of every topic goes to the same member. */
  assignment(member: GroupMember): readonly Omit<Place, 'offset'>[] {
    const { members } = this.group(member.group)
    const place = members.indexOf(member)
    return member.topics.flatMap((topic) =>
      Array.from({ length: this.widthOf(topic) }, (_, partition) => ({ topic, partition })).filter(
        ({ partition }) => place >= 0 && partition % members.length === place,
      ),
    )
  }

  /** Everything may change hands; a member learns of it when it next asks. */
  rebalance(name: string): void {
    const group = this.group(name)
    group.generation += 1
    group.members = this.random.shuffled(group.members)
    for (const member of group.members) member.wake()
  }

  private append({ topic, key, value, headers, partition }: OutRecord): BrokerPartition {
    const p = partition ?? (key === null ? this.turn++ : sha256(key).readUInt32BE(0)) % this.widthOf(topic)
    const log = this.partition(topic, p)
    const offset = log.end++
    log.records.push({ topic, partition: p, offset, key, value, headers: headers ?? {}, loggedAt: this.now() })
    return log
  }

  private wakeReaders(records: readonly OutRecord[]): void {
    const topics = new Set(records.map(({ topic }) => topic))
    for (const { members } of this.groups.values()) {
      for (const member of members) if (member.topics.some((topic) => topics.has(topic))) member.wake()
    }
  }

  private group(name: string): BrokerGroup {
    const found = this.groups.get(name)
    if (found !== undefined) return found
    const fresh: BrokerGroup = { generation: 0, members: [], commits: new Map() }
    this.groups.set(name, fresh)
    return fresh
  }
}
