import { withBoundTimes, type Topic } from '../../events/topic.ts'
import type { Codec, Log, LogRecord } from '../../ports/log.ts'
import type { Clock } from '../../ports/clock.ts'

export interface BookPorts {
  readonly log: Pick<Log, 'ends' | 'read'>
  readonly codec: Codec
}

/** Settings from a compacted topic: the newest event of each id. Ids that ended in a tombstone are absent. */
export class Book<Setting> {
  readonly topic: Topic<Setting>
  /** The id of a setting: the key of its record, unless the topic is keyed by something else. */
  readonly idOf: (setting: Setting) => string
  private readonly byId = new Map<string, Setting>()
  private next: number[] = []

  constructor(topic: Topic<Setting>, idOf?: (setting: Setting) => string) {
    this.topic = topic
    this.idOf = idOf ?? ((setting) => topic.key(setting))
  }

  /**
   * Reads from the last position to the current end of the topic. Returns the offsets of records that could not be
   * decoded.
   */
  async catchUp({ log, codec }: BookPorts): Promise<readonly number[]> {
    const ends = await log.ends(this.topic.name)
    if (ends.some((end, partition) => end < (this.next[partition] ?? 0))) this.forget() // the topic was recreated
    const undecodable: number[] = []
    for (const [partition, end] of ends.entries()) {
      const from = this.next[partition] ?? 0
      if (from >= end) continue
      for await (const records of log.read(this.topic.name, partition, from)) {
        for (const record of records) if (!(await this.apply(record, codec))) undecodable.push(record.offset)
      }
      this.next[partition] = end
    }
    return undecodable
  }

  get(id: string): Setting | null {
    return this.byId.get(id) ?? null
  }

  all(): readonly Setting[] {
    return [...this.byId.values()]
  }

  /** Called when a setting changes, to maintain additional indexes. `now` is `null` if the setting was deleted. */
  protected changed?(before: Setting | null, now: Setting | null): void

  private async apply({ key, value, loggedAt }: LogRecord, codec: Codec): Promise<boolean> {
    if (value === null) {
      if (key !== null) this.put(key, null)
      return true
    }
    const decoded = await codec.decode(this.topic, value)
    if (decoded.kind === 'malformed') return false
    this.put(this.idOf(decoded.event), withBoundTimes(this.topic, decoded.event, loggedAt))
    return true
  }

  private put(id: string, now: Setting | null): void {
    const before = this.get(id)
    if (now === null) this.byId.delete(id)
    else this.byId.set(id, now)
    this.changed?.(before, now)
  }

  private forget(): void {
    for (const id of [...this.byId.keys()]) this.put(id, null)
    this.next = []
  }
}

interface CatchesUp {
  catchUp(ports: BookPorts): Promise<readonly number[]>
}

interface UpToDatePorts extends BookPorts {
  readonly clock: Pick<Clock, 'now'>
  /** Offsets of settings that could not be decoded. */
  readonly onStrange: (offsets: readonly number[]) => void
}

/**
 * A book shared by concurrent callers. It is read on demand, by one reader at a time. Throws while the log is
 * unavailable.
 */
export class UpToDate<Kept extends CatchesUp> {
  private readonly book: Kept
  private readonly ports: UpToDatePorts
  private running: Promise<void> | null = null
  private following: Promise<void> | null = null
  private readAt = -Infinity

  constructor(book: Kept, ports: UpToDatePorts) {
    this.book = book
    this.ports = ports
  }

  /** Includes every record that was in the log when this was called. */
  async now(): Promise<Kept> {
    if (this.running === null) await this.start()
    else await (this.following ??= this.running.then(this.startNext, this.startNext))
    return this.book
  }

  /**
   * Includes every record that was in the log `ms` milliseconds ago. It is refreshed ahead of time, so that frequent
   * callers seldom wait.
   */
  async within(ms: number): Promise<Kept> {
    const age = this.ports.clock.now() - this.readAt
    if (age > ms) return this.now()
    if (age > ms / 2 && this.running === null) this.start().catch(() => undefined) // the next caller retries
    return this.book
  }

  private readonly startNext = async (): Promise<void> => {
    this.following = null
    await this.start()
  }

  private async start(): Promise<void> {
    const at = this.ports.clock.now()
    this.running = this.book.catchUp(this.ports).then((strange) => {
      this.readAt = at
      if (strange.length > 0) this.ports.onStrange(strange)
    })
    const mine = this.running
    try {
      await mine
    } finally {
      if (this.running === mine) this.running = null
    }
  }
}
