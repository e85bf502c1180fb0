import { withBoundTimes, type Topic } from '../../events/topic.ts'
import type { Codec, Log, LogRecord } from '../../ports/log.ts'
import type { Clock } from '../../ports/clock.ts'

export interface BookPorts {
  readonly log: Pick<Log, 'ends' | 'read'>
  readonly codec: Codec
}

/** Settings as a compacted topic holds them: the newest event of each id, nothing of one that ended in a tombstone. */
export class Book<Setting> {
  private readonly topic: Topic<Setting>
  private readonly byId = new Map<string, Setting>()
  private next: number[] = []

  constructor(topic: Topic<Setting>) {
    this.topic = topic
  }

  /** Reads on from where it stood to the end of the topic as it is now. Answers the offsets it could not understand. */
  async catchUp({ log, codec }: BookPorts): Promise<readonly number[]> {
    const ends = await log.ends(this.topic.name)
    if (ends.some((end, partition) => end < (this.next[partition] ?? 0))) this.forget() // the topic was made again
    const strange: number[] = []
    for (const [partition, end] of ends.entries()) {
      const from = this.next[partition] ?? 0
      if (from >= end) continue
      for await (const records of log.read(this.topic.name, partition, from)) {
        for (const record of records) if (!(await this.apply(record, codec))) strange.push(record.offset)
      }
      this.next[partition] = end
    }
    return strange
  }

  get(id: string): Setting | null {
    return this.byId.get(id) ?? null
  }

  all(): readonly Setting[] {
    return [...this.byId.values()]
  }

  /** Called whenever a setting is another one: for look-ups beside the id. `now` is null when it ended. */
  protected changed?(before: Setting | null, now: Setting | null): void

  private async apply({ key, value, loggedAt }: LogRecord, codec: Codec): Promise<boolean> {
    if (value === null) {
      if (key !== null) this.put(key, null)
      return true
    }
    const decoded = await codec.decode(this.topic, value)
    if (decoded.kind === 'malformed') return false
    this.put(this.topic.key(decoded.event), withBoundTimes(this.topic, decoded.event, loggedAt))
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
  /** Offsets of settings that were not understood. */
  readonly onStrange: (offsets: readonly number[]) => void
}

/** A book for many who ask at once: it is read on only when somebody asks, by one at a time. Throws while the log is away. */
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

  /** With everything that the log had taken when this was called. */
  async now(): Promise<Kept> {
    if (this.running === null) await this.start()
    else await (this.following ??= this.running.then(this.startNext, this.startNext))
    return this.book
  }

  /** With everything the log had taken so many milliseconds ago; read on in time, so that who asks often seldom waits. */
  async within(ms: number): Promise<Kept> {
    const age = this.ports.clock.now() - this.readAt
    if (age > ms) return this.now()
    if (age > ms / 2 && this.running === null) this.start().catch(() => undefined) // the next caller that needs it asks again
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
