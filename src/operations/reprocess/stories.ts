import { createHash } from 'node:crypto'
import { besideName } from '../../adapters/beside-log.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { withBoundTimes } from '../../events/topic.ts'
import type { RunBesidePorts } from './run-beside.ts'
import type { Codec, Log, LogRecord } from '../../ports/log.ts'
import { clusteredAssignments, type EvictedArticle } from '../../stages/clustered/assignments.ts'
import { clusteredMemory, memberKey, type MemberRecord } from '../../stages/clustered/changelog.ts'
import { keptMembership, type KeptMembership } from '../../stages/clustered/reprocess/memories.ts'
import { switched, type Switched, applyEntry, type Ledgers } from '../../stages/clustered/reprocess/switch-lines.ts'

export type ReprocessPorts = Pick<RunBesidePorts, 'log' | 'codec' | 'clock'>

/** An entry of the old state, with the digest and the offset of its record. */
interface OldEntry extends KeptMembership {
  readonly digest: string
  readonly offset: number
}

/**
 * A partition of the clusterer with the stories of the old and the new version. Can read records added since the last
 * call.
 */
export class ReprocessedStories {
  readonly partition: number
  /** The entries of the old state by key, without large fields. */
  readonly memory = new Map<string, OldEntry>()
  /** Offset of the newest entry for each key of the new state. */
  readonly newEntries = new Map<string, number>()
  /** The rows of evicted articles, of the old and of the new version. */
  readonly oldRows = new Map<string, EvictedArticle>()
  readonly newRows = new Map<string, EvictedArticle>()
  /** The versions in the decisions of the new version. */
  decidedBy: Readonly<Record<string, string>> = {}
  /** Version labels in the live and in the shadow ledger. */
  readonly versions = { before: new Set<string>(), after: new Set<string>() }
  private readonly before: Ledgers = new Map()
  private readonly after: Ledgers = new Map()
  private readonly ports: ReprocessPorts
  private readonly ledger: Tail
  private readonly newLedger: Tail
  private readonly changelog: Tail
  private readonly newChangelog: Tail
  private readonly table: Tail
  private readonly newTable: Tail

  constructor(partition: number, ports: ReprocessPorts) {
    const tail = (topic: string): Tail => tailOf(ports.log, topic, partition)
    this.partition = partition
    this.ports = ports
    this.ledger = tail(articlesClustered.name)
    this.newLedger = tail(besideName(articlesClustered.name))
    this.changelog = tail(clusteredMemory.name)
    this.newChangelog = tail(besideName(clusteredMemory.name))
    this.table = tail(clusteredAssignments.name)
    this.newTable = tail(besideName(clusteredAssignments.name))
  }

  /** Reads the records added since the last call; changelogs last, because they repeat what is in the ledgers. */
  async readNew(): Promise<void> {
    await this.ledger(async (record) => {
      const line = await lineOf(record, this.ports.codec)
      if (line === null) return
      applyEntry(this.before, line)
      this.versions.before.add(line.produced_by.version)
    })
    await this.newLedger(async (record) => {
      const line = await lineOf(record, this.ports.codec)
      if (line === null) return
      applyEntry(this.after, line)
      this.decidedBy = line.decision.versions
      this.versions.after.add(line.produced_by.version)
    })
    await this.changelog((record) => this.applyEntry(record))
    await this.newChangelog(async ({ key, offset }) => {
      if (key !== null) this.newEntries.set(key, offset)
    })
    await this.table((record) => setRow(this.oldRows, record, this.ports.codec))
    await this.newTable((record) => setRow(this.newRows, record, this.ports.codec))
  }

  /** The stories of the new version mapped to those that readers know. Curators' constraints are kept. */
  switched(version: string): readonly Switched[] {
    return switched({
      before: this.before,
      after: this.after,
      pinned: (namespace, article) => (this.memory.get(memberKey(namespace, article))?.constraints.length ?? 0) > 0,
      version,
    })
  }

  private async applyEntry(record: LogRecord): Promise<void> {
    const { key, value } = record
    if (key === null) return
    const entry = value === null ? null : await entryOf(record, this.ports.codec)
    if (value === null || entry === null) this.memory.delete(key)
    else this.memory.set(key, { ...keptMembership(entry), digest: digestOf(value), offset: record.offset })
  }
}

async function setRow(rows: Map<string, EvictedArticle>, { value, offset }: LogRecord, codec: Codec): Promise<void> {
  if (value === null) return
  const decoded = await codec.decode(clusteredAssignments, value)
  if (decoded.kind === 'event') rows.set(clusteredAssignments.key(decoded.event), decoded.event)
  else throw new Error(`the row of ${clusteredAssignments.name} at offset ${offset} cannot be read: ${decoded.reason}`)
}

/** The event of a ledger record; `null` if it cannot be decoded. */
async function lineOf({ value, loggedAt }: LogRecord, codec: Codec): Promise<ArticleClustered | null> {
  if (value === null) return null
  const decoded = await codec.decode(articlesClustered, value)
  return decoded.kind === 'event' ? withBoundTimes(articlesClustered, decoded.event, loggedAt) : null
}

/**
 * The state entry of a record; `null` for a tombstone. Throws if it cannot be decoded: skipping it would lose state.
 */
export async function entryOf(
  { value, topic, offset, loggedAt }: LogRecord,
  codec: Codec,
): Promise<MemberRecord | null> {
  if (value === null) return null
  const decoded = await codec.decode(clusteredMemory, value)
  if (decoded.kind === 'event') return withBoundTimes(clusteredMemory, decoded.event, loggedAt)
  throw new Error(`the record of ${topic} at offset ${offset} cannot be read: ${decoded.reason}`)
}

export const digestOf = (value: Buffer): string => createHash('sha256').update(value).digest('base64url').slice(0, 22)

/** Every partition of the clusterer, read to its current end. */
export async function storiesNow(ports: ReprocessPorts): Promise<readonly ReprocessedStories[]> {
  const partitions = (await ports.log.ends(articlesClustered.name)).map((_, i) => new ReprocessedStories(i, ports))
  for (const stories of partitions) await stories.readNew()
  return partitions
}

/** Passes each record added since the last call to `take`. */
export type Tail = (take: (record: LogRecord) => Promise<void>) => Promise<void>

/** Reads one partition of a topic incrementally, so that no record is read twice. */
export function tailOf(log: Log, topic: string, partition: number): Tail {
  let next = 0
  return async (take) => {
    for await (const chunk of log.read(topic, partition, next)) {
      for (const record of chunk) {
        await take(record)
        next = record.offset + 1
      }
    }
  }
}
