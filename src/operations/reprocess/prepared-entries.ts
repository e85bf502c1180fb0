import { besideName } from '../../adapters/beside-log.ts'
import type { OutRecord } from '../../ports/log.ts'
import { clusterId } from '../../events/ids.ts'
import { clusteredMemory, type MemberRecord } from '../../stages/clustered/changelog.ts'
import { isMoved, moved, replacement, type Assignments } from '../../stages/clustered/reprocess/memories.ts'
import { digestOf, entryOf, type ReprocessPorts, type ReprocessedStories } from './stories.ts'

/** State entries to write. */
export interface SwitchEntries {
  /** Entries of articles that stay in their story. */
  readonly steady: readonly OutRecord[]
  readonly moving: readonly OutRecord[]
}

interface PreparedEntry {
  /** What the entry depends on. It is prepared again if this has changed. */
  readonly basis: string
  /** `null` if the live entry stays as it is. */
  readonly record: OutRecord | null
  readonly isSteady: boolean
}

const UNCHANGED = { record: null, isSteady: true }

/**
 * The state entries of a switch: those of the new version if they exist, otherwise the old ones with their new story.
 * Most of them are prepared while the stage is running. Once it stands, only those are read and encoded of which the
 * stage has written another entry meanwhile.
 */
export class PreparedEntries {
  private readonly stories: ReprocessedStories
  private readonly ports: ReprocessPorts
  private readonly prepared = new Map<string, PreparedEntry>()
  /** The new version's entries of days, which depend on the offset that the live stage has read up to. */
  private readonly days = new Map<string, { readonly offset: number; readonly entry: MemberRecord }>()

  constructor(stories: ReprocessedStories, ports: ReprocessPorts) {
    this.stories = stories
    this.ports = ports
  }

  /** `onChunk` is called between the steps of the work. */
  async of(seats: Assignments, onChunk: () => Promise<void>): Promise<SwitchEntries> {
    const bases = this.bases(seats)
    const due = new Map([...bases].filter(([key, basis]) => this.isDue(key, basis)))
    await this.replace(due, seats, onChunk)
    await this.move(due, seats, onChunk)
    await this.replaceDays(seats)
    const records: Record<'steady' | 'moving', OutRecord[]> = { steady: [], moving: [] }
    for (const key of bases.keys()) {
      const { record, isSteady } = this.prepared.get(key) ?? UNCHANGED
      if (record !== null) records[isSteady ? 'steady' : 'moving'].push(record)
    }
    return records
  }

  /** Everything that an entry depends on, by key. */
  private bases(seats: Assignments): ReadonlyMap<string, string> {
    const { memory, newEntries } = this.stories
    const bases = new Map<string, string>()
    for (const key of new Set([...newEntries.keys(), ...memory.keys()])) {
      const old = memory.get(key)
      if (!newEntries.has(key) && (old === undefined || !isMoved(old, seats))) continue
      const [namespace, article] = memberOf(key)
      const story = seats.storyOf(namespace, article) ?? ''
      const isUsed = seats.isUsedId(namespace, clusterId(namespace, article))
      bases.set(key, [newEntries.get(key), old?.offset, story, isUsed].join(' '))
    }
    return bases
  }

  private isDue(key: string, basis: string): boolean {
    const day = this.days.get(key)
    if (day !== undefined) return day.offset !== this.stories.newEntries.get(key)
    return this.prepared.get(key)?.basis !== basis
  }

  /** The new version's entries. Removes from `due` what is then prepared. */
  private async replace(due: Map<string, string>, seats: Assignments, onChunk: () => Promise<void>): Promise<void> {
    const { memory, newEntries } = this.stories
    const offsets = offsetsOf(due.keys(), (key) => newEntries.get(key))
    for await (const [key, entry] of this.newest(besideName(clusteredMemory.name), offsets, onChunk)) {
      if (entry.rebuilt !== null) this.days.set(key, { offset: offsets.get(key) ?? 0, entry })
      const basis = due.get(key)
      const now = entry.rebuilt === null ? replacement(entry, memory.get(key), seats) : null
      if (now === null || basis === undefined) continue
      due.delete(key)
      await this.prepare(key, basis, now)
    }
  }

  /** The old entries that move. The rest of `due` stays as it is. */
  private async move(
    due: ReadonlyMap<string, string>,
    seats: Assignments,
    onChunk: () => Promise<void>,
  ): Promise<void> {
    const { memory } = this.stories
    for (const [key, basis] of due) this.prepared.set(key, { basis, ...UNCHANGED })
    const offsets = offsetsOf(due.keys(), (key) => {
      const old = memory.get(key)
      return old !== undefined && isMoved(old, seats) ? old.offset : undefined
    })
    for await (const [key, entry] of this.newest(clusteredMemory.name, offsets, onChunk)) {
      const now = moved(entry, seats)
      if (now !== null) await this.prepare(key, due.get(key) ?? '', now)
    }
  }

  private async replaceDays(seats: Assignments): Promise<void> {
    const { memory, newEntries } = this.stories
    for (const [key, { offset, entry }] of this.days) {
      const now = newEntries.get(key) === offset ? replacement(entry, memory.get(key), seats) : null
      if (now === null) this.prepared.set(key, { basis: '', ...UNCHANGED })
      else await this.prepare(key, '', now)
    }
  }

  private async prepare(key: string, basis: string, entry: MemberRecord): Promise<void> {
    const { partition, memory } = this.stories
    const value = await this.ports.codec.encode(clusteredMemory, entry)
    const old = memory.get(key)
    const isSteady = entry.rebuilt !== null || old === undefined || old.cluster_id === entry.cluster_id
    const record = old?.digest === digestOf(value) ? null : { topic: clusteredMemory.name, key, value, partition }
    this.prepared.set(key, { basis, record, isSteady })
  }

  /** The entry at the given offset for each key. */
  private async *newest(
    topic: string,
    offsets: ReadonlyMap<string, number>,
    onChunk: () => Promise<void>,
  ): AsyncGenerator<readonly [string, MemberRecord]> {
    const [first, last] = boundsOf(offsets.values())
    if (offsets.size === 0) return
    for await (const chunk of this.ports.log.read(topic, this.stories.partition, first)) {
      for (const record of chunk.filter(({ key, offset }) => key !== null && offsets.get(key) === offset)) {
        const entry = await entryOf(record, this.ports.codec)
        if (entry !== null) yield [record.key ?? '', entry]
      }
      await onChunk()
      if (chunk.some(({ offset }) => offset >= last)) return
    }
  }
}

function offsetsOf(keys: Iterable<string>, offsetOf: (key: string) => number | undefined): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>()
  for (const key of keys) {
    const offset = offsetOf(key)
    if (offset !== undefined) offsets.set(key, offset)
  }
  return offsets
}

function boundsOf(offsets: Iterable<number>): readonly [number, number] {
  let [first, last] = [Infinity, 0]
  for (const offset of offsets) [first, last] = [Math.min(first, offset), Math.max(last, offset)]
  return [first, last]
}

/** The namespace and the article of a key of the state. */
function memberOf(key: string): readonly [string, string] {
  const end = key.indexOf(':')
  return [key.slice(0, end), key.slice(end + 1)]
}
