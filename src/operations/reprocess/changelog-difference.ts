import { besideName } from '../../adapters/beside-log.ts'
import type { Log, OutRecord } from '../../ports/log.ts'
import { digestOf, tailOf, type Tail } from './stories.ts'

interface NewEntry {
  readonly value: Buffer
  readonly digest: string
}

/** The entries in which the changelogs of the two versions of a stage differ, in one partition. */
export class ChangelogDifference {
  readonly partition: number
  private readonly changelog: string
  private readonly live: Tail
  private readonly next: Tail
  /** Digest of the newest entry, by key. */
  private readonly liveEntries = new Map<string, string>()
  private readonly newEntries = new Map<string, NewEntry>()

  constructor(changelog: string, partition: number, log: Log) {
    this.changelog = changelog
    this.partition = partition
    this.live = tailOf(log, changelog, partition)
    this.next = tailOf(log, besideName(changelog), partition)
  }

  /** Reads the records added since the last call. */
  async readNew(): Promise<void> {
    await this.live(async ({ key, value }) => {
      if (key !== null && value !== null) this.liveEntries.set(key, digestOf(value))
      else if (key !== null) this.liveEntries.delete(key)
    })
    await this.next(async ({ key, value }) => {
      // the value is a slice of a larger buffer, which would stay in memory
      if (key !== null && value !== null)
        this.newEntries.set(key, { value: Buffer.from(value), digest: digestOf(value) })
      else if (key !== null) this.newEntries.delete(key)
    })
  }

  /** What to write to the live changelog so that it holds the state of the new version. */
  records(): readonly OutRecord[] {
    const { changelog: topic, partition, liveEntries, newEntries } = this
    const gone = [...liveEntries.keys()].filter((key) => !newEntries.has(key))
    const different = [...newEntries].filter(([key, { digest }]) => liveEntries.get(key) !== digest)
    return [
      ...gone.map((key) => ({ topic, key, value: null, partition })),
      ...different.map(([key, { value }]) => ({ topic, key, value, partition })),
    ]
  }
}
