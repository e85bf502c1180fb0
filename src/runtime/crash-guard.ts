import type { Batch, Log, LogRecord } from '../ports/log.ts'
import { partitionName } from './health.ts'

/** The next part. */
export interface CrashGuardPlan {
  readonly records: readonly LogRecord[]
  /** Commit metadata to write with the offset of the first record before it is processed; `null` if none is needed. */
  readonly note: string | null
  /** The note that this one replaces. */
  readonly before: string
  /** The process crashed in this range: its records are processed one by one. */
  readonly alone: boolean
  /**
   * This record was alone in progress at too many crashes: do not process it again, unless the process dies at the
   * control records, too.
   */
  readonly setAside: boolean
}

/** Records read back for the control, and how many of them are used. */
const CONTROL_REACH = 20
const CONTROL_RECORDS = 5

/** What the last commit says about the previous owner. */
interface CrashNote {
  /** The committed offset. */
  readonly at: number
  /** How often the process crashed with only the record at `at` in progress. */
  readonly crashes: number
  /** The process crashed before this offset: process records one by one up to here. 0 if no crash is known. */
  readonly until: number
}

/**
 * Finds the record that crashes the process. The first part after an assignment is announced in the metadata of a commit.
 * If that note is still there at the next assignment, the process crashed in it, and the same records are processed one by
 * one, each with a note of its own. Without crashes this costs one commit per assignment.
 *
 * Before a record is blamed, the process must survive records that it has survived before: the control. A process that
 * dies there, too, lacks memory or is faulty, and its record is tried again.
 */
export class CrashGuard {
  private readonly log: Log
  private readonly group: string
  private readonly mostCrashes: number
  private readonly cleared = new Set<string>()
  private readonly crashNotes = new Map<string, CrashNote>()

  constructor(log: Log, group: string, mostCrashes: number) {
    this.log = log
    this.group = group
    this.mostCrashes = mostCrashes
  }

  /** After a rebalance: the partitions may have had other owners. */
  forget(): void {
    this.cleared.clear()
    this.crashNotes.clear()
  }

  /** Reads the last commit and its note, once per assignment; returns the records of the batch that are not committed. */
  async open(batch: Batch): Promise<readonly LogRecord[]> {
    const name = partitionName(batch)
    if (this.cleared.has(name)) return batch.records
    const known = await this.noteOfPrevious(batch)
    this.crashNotes.set(name, known)
    return batch.records.filter(({ offset }) => offset >= known.at)
  }

  plan(batch: Batch, rest: readonly LogRecord[], size: number): CrashGuardPlan {
    const found = this.crashNotes.get(partitionName(batch))
    const first = rest[0]
    const many = { records: rest.slice(0, size), note: null, before: '', alone: false, setAside: false }
    if (found === undefined || first === undefined) return many

    if (first.offset >= found.until) return { ...many, note: noteOf(0, (many.records.at(-1) ?? first).offset + 1) }
    const crashes = first.offset === found.at ? found.crashes : 0
    const note = noteOf(crashes + 1, found.until)
    const before = noteOf(crashes, found.until)
    return { records: [first], note, before, alone: true, setAside: crashes >= this.mostCrashes }
  }

  /** Records next to the blamed one: earlier ones, which were processed before, or else later ones. */
  async control({ topic, partition, records }: Batch, { offset }: LogRecord): Promise<readonly LogRecord[]> {
    const start = (await this.log.starts(topic))[partition] ?? 0
    const earlier: LogRecord[] = []
    for await (const chunk of this.log.read(topic, partition, Math.max(start, offset - CONTROL_REACH))) {
      earlier.push(...chunk.filter((record) => record.offset < offset))
      if ((chunk.at(-1)?.offset ?? 0) >= offset) break
    }
    const later = records.filter((record) => record.offset > offset)
    return earlier.length > 0 ? earlier.slice(-CONTROL_RECORDS) : later.slice(0, CONTROL_RECORDS)
  }

  /** A part is done; beyond the range of the crash no notes are needed. */
  done(batch: Batch, next: number): void {
    const name = partitionName(batch)
    const found = this.crashNotes.get(name)
    if (found === undefined || next < found.until) return
    this.crashNotes.delete(name)
    this.cleared.add(name)
  }

  /**
   * Ignores notes written by this process. Another topic's part may have committed later: never write a note behind it.
   */
  private async noteOfPrevious(batch: Batch): Promise<CrashNote> {
    const known = this.crashNotes.get(partitionName(batch))
    if (known === undefined) return this.readNote(batch)
    const at = (await this.log.committed(this.group, batch.topic))[batch.partition] ?? 0
    return at > known.at ? { at, crashes: 0, until: known.until } : known
  }

  private async readNote({ topic, partition }: Batch): Promise<CrashNote> {
    const at = (await this.log.committed(this.group, topic))[partition] ?? 0
    const note = (await this.log.notes(this.group, topic))[partition] ?? ''
    const [, crashes = '0', until = '0'] = /^(?:in hand|control) (\d+) (\d+)$/.exec(note) ?? []
    return { at, crashes: Number(crashes), until: Number(until) }
  }
}

/**
 * The note of the part in progress. It is valid only while the part is decided, since only then can the part crash the
 * process. The note is withdrawn after a failure and before a write. Otherwise an unavailable store and three
 * rebalances would look like three crashes.
 */
export class PartNote {
  private readonly batch: Batch
  private readonly plan: Pick<CrashGuardPlan, 'records' | 'note' | 'before'>
  private state: 'pending' | 'written' | 'ended' = 'pending'

  constructor(batch: Batch, plan: Pick<CrashGuardPlan, 'records' | 'note' | 'before'>) {
    this.batch = batch
    this.plan = plan
  }

  /** Runs the control with a note of its own, which counts no crash. */
  async control(work: () => Promise<unknown>): Promise<void> {
    const [first] = this.plan.records
    if (this.plan.note === null || first === undefined) return
    await this.batch.commit(first.offset, controlNoteOf(this.plan.note))
    // an error is no crash, and the stage itself deals with it
    await work().catch(() => undefined)
  }

  /** Throws if the log rejects the note. */
  async make(): Promise<void> {
    const { records, note } = this.plan
    const [first] = records
    if (this.state !== 'pending' || note === null || first === undefined) return
    await this.batch.commit(first.offset, note)
    this.state = 'written'
  }

  async during<Result>(attempt: () => Promise<Result>): Promise<Result> {
    try {
      return await attempt()
    } catch (cause) {
      await this.withdraw()
      throw cause
    }
  }

  /** If the log rejects the withdrawal, the note stays. A single note has no effect. */
  async withdraw(): Promise<void> {
    const [first] = this.plan.records
    if (this.state !== 'written' || first === undefined || this.batch.isStale()) return
    await this.batch.commit(first.offset, this.plan.before).then(
      () => this.end(),
      () => undefined,
    )
  }

  /** From now on offsets may be committed, so no further note may be written behind them. */
  end(): void {
    this.state = 'ended'
  }
}

/** For consumers without a guard. */
export const unguarded: Pick<CrashGuard, 'forget' | 'open' | 'plan' | 'control' | 'done'> = {
  forget: () => undefined,
  open: ({ records }) => Promise.resolve(records),
  plan: (_, rest, size) => ({ records: rest.slice(0, size), note: null, before: '', alone: false, setAside: false }),
  control: () => Promise.resolve([]),
  done: () => undefined,
}

const noteOf = (crashes: number, until: number): string => `in hand ${crashes} ${until}`

const controlNoteOf = (note: string): string => note.replace(/^in hand \d+/, 'control 0')
