import { besideName } from '../../adapters/beside-log.ts'
import type { Log, OutRecord } from '../../ports/log.ts'
import type { StateMerge } from './merged-states.ts'
import { digestOf, tailOf, type Tail } from './stories.ts'

interface StateEntry {
  /** `null` if it is not needed. */
  readonly value: Buffer | null
  readonly digest: string
}

const NO_ENTRY: StateEntry = { value: null, digest: '' }

interface ComparedChangelog {
  readonly topic: string
  readonly partition: number
  /** `null` if the entries of the new version hold. */
  readonly merge: StateMerge | null
}

/** The entries in which the changelogs of the two versions of a stage differ, in one partition. */
export class ChangelogDifference {
  private readonly changelog: ComparedChangelog
  private readonly live: Tail
  private readonly next: Tail
  /** The newest entries, by key. */
  private readonly liveEntries = new Map<string, StateEntry>()
  private readonly newEntries = new Map<string, StateEntry>()

  constructor(changelog: ComparedChangelog, log: Log) {
    this.changelog = changelog
    this.live = tailOf(log, changelog.topic, changelog.partition)
    this.next = tailOf(log, besideName(changelog.topic), changelog.partition)
  }

  /** Reads the records added since the last call. */
  async readNew(): Promise<void> {
    const { merge } = this.changelog
    await this.live(async (record) => applyTo(this.liveEntries, record, merge?.concerns(record.key ?? '') === true))
    await this.next(async (record) => applyTo(this.newEntries, record, true))
  }

  /** What to write to the live changelog so that it holds the state of the new version. */
  async records(): Promise<readonly OutRecord[]> {
    const { topic, partition } = this.changelog
    const records: OutRecord[] = []
    for (const key of new Set([...this.liveEntries.keys(), ...this.newEntries.keys()])) {
      const [live, next] = [this.liveEntries.get(key) ?? NO_ENTRY, this.newEntries.get(key) ?? NO_ENTRY]
      if (live.digest === next.digest) continue
      const value = await this.entryOf(key, live.value, next.value)
      if (digestIn(value) !== live.digest) records.push({ topic, key, value, partition })
    }
    return records
  }

  private async entryOf(key: string, live: Buffer | null, next: Buffer | null): Promise<Buffer | null> {
    const { merge } = this.changelog
    return merge?.concerns(key) === true ? merge.merged(live, next) : next
  }
}

const digestIn = (value: Buffer | null): string => (value === null ? NO_ENTRY.digest : digestOf(value))

type StateRecord = Pick<OutRecord, 'key' | 'value'>

function applyTo(entries: Map<string, StateEntry>, { key, value }: StateRecord, isKept: boolean): void {
  if (key === null) return
  if (value === null) entries.delete(key)
  // the value is a slice of a larger buffer, which would stay in memory
  else entries.set(key, { value: isKept ? Buffer.from(value) : null, digest: digestOf(value) })
}
