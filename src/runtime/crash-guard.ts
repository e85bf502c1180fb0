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
  /** This record was alone in progress at too many crashes: do not process it again. */
  readonly setAside: boolean
  /** Which control is due before this record is processed, from 0; `null` if none is. */
  readonly control: number | null
  /** Commit metadata to write before the control. */
  readonly controlNote: string
}

export interface Control {
  /** Records to process without an effect. */
  readonly records: readonly LogRecord[]
  /** Whether a crash at the suspected record counts. */
  readonly blames: boolean
}

/** How far from a suspected record its neighbours are read. */
const CONTROL_REACH = 20
/** More than a round of all neighbours. */
const MOST_CONTROLS = 50

/** What the last commit says about the previous owner. */
interface CrashNote {
  /** The committed offset. */
  readonly at: number
  /** How often the process crashed with only the record at `at` in progress. */
  readonly crashes: number
  /** The process crashed before this offset: process records one by one up to here. 0 if no crash is known. */
  readonly until: number
  /** How often the process crashed at a control of the record at `at`. */
  readonly controls: number
}

/**
 * Finds the record that crashes the process. The first part after an assignment is announced in the metadata of a commit.
 * If that note is still there at the next assignment, the process crashed in it, and the same records are processed one by
 * one, each with a note of its own. Without crashes this costs one commit per assignment.
 *
 * Before the last try of a record, the process must survive one of its neighbours: the control. A process that crashes
 * there may lack memory, so the record is not blamed. The next process takes the next neighbour, since several records in
 * a row may crash it.
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
    const many = { ...UNGUARDED, records: rest.slice(0, size) }
    if (found === undefined || first === undefined) return many

    if (first.offset >= found.until) {
      const until = (many.records.at(-1) ?? first).offset + 1
      return { ...many, note: noteOf({ crashes: 0, until, controls: 0 }) }
    }
    const { crashes, until, controls } = first.offset === found.at ? found : { ...found, crashes: 0, controls: 0 }
    return {
      records: [first],
      note: noteOf({ crashes: crashes + 1, until, controls }),
      before: noteOf({ crashes, until, controls }),
      alone: true,
      setAside: crashes >= this.mostCrashes,
      control: crashes === this.mostCrashes - 1 ? controls : null,
      controlNote: `control ${controls} ${until}`,
    }
  }

  /**
   * A neighbour of a suspected record: the one before it, then the one before that, at last those after it. After a round
   * of controls the record itself is tried without blame. A record without neighbours has no control, and one whose
   * controls have all failed for long is blamed, since nothing else can be read until it is.
   */
  async control(batch: Batch, { offset }: LogRecord, nth: number): Promise<Control> {
    if (nth >= MOST_CONTROLS) return { records: [], blames: true }
    const near = await this.near(batch, offset)
    const earlier = near.filter((record) => record.offset < offset).reverse()
    const neighbours = [...earlier, ...near.filter((record) => record.offset > offset)]
    const control = neighbours[nth % (neighbours.length + 1)]
    return { records: control === undefined ? [] : [control], blames: control !== undefined || neighbours.length === 0 }
  }

  /** The records around an offset, and the rest of the batch. */
  private async near({ topic, partition, records }: Batch, offset: number): Promise<readonly LogRecord[]> {
    const start = (await this.log.starts(topic))[partition] ?? 0
    const found: LogRecord[] = []
    let last = -1
    for await (const chunk of this.log.read(topic, partition, Math.max(start, offset - CONTROL_REACH))) {
      found.push(...chunk)
      last = chunk.at(-1)?.offset ?? last
      if (last > offset + CONTROL_REACH) break
    }
    return [...found, ...records.filter((record) => record.offset > last)]
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
    return at > known.at ? { at, crashes: 0, until: known.until, controls: 0 } : known
  }

  private async readNote({ topic, partition }: Batch): Promise<CrashNote> {
    const at = (await this.log.committed(this.group, topic))[partition] ?? 0
    const note = (await this.log.notes(this.group, topic))[partition] ?? ''
    return { at, ...parseNote(note, this.mostCrashes) }
  }
}

/**
 * The note of the part in progress. It is valid only while the part is decided, since only then can the part crash the
 * process. The note is withdrawn after a failure and before a write. Otherwise an unavailable store and three
 * rebalances would look like three crashes.
 */
export class PartNote {
  private readonly batch: Batch
  private readonly plan: Omit<CrashGuardPlan, 'alone'>
  private blames = true
  private state: 'pending' | 'written' | 'ended' = 'pending'

  constructor(batch: Batch, plan: Omit<CrashGuardPlan, 'alone'>) {
    this.batch = batch
    this.plan = plan
  }

  /** The record that is suspected and has no note yet, and the control that is due. */
  get suspect(): { readonly record: LogRecord; readonly control: number } | null {
    const [record] = this.plan.records
    const { control } = this.plan
    return this.state !== 'pending' || record === undefined || control === null ? null : { record, control }
  }

  /** Runs the control with a note of its own. A crash at the suspected record counts only if the control says so. */
  async control({ blames }: Control, work: () => Promise<unknown>): Promise<void> {
    const [first] = this.plan.records
    if (first === undefined) return
    this.blames = blames
    await this.batch.commit(first.offset, this.plan.controlNote)
    // an error is no crash, and the stage itself deals with it
    await work().catch(() => undefined)
  }

  /** Throws if the log rejects the note. */
  async make(): Promise<void> {
    const { records, note: blame, controlNote } = this.plan
    const note = this.blames ? blame : controlNote
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

const UNGUARDED: Omit<CrashGuardPlan, 'records'> = {
  note: null,
  before: '',
  alone: false,
  setAside: false,
  control: null,
  controlNote: '',
}

/** For consumers without a guard. */
export const unguarded: Pick<CrashGuard, 'forget' | 'open' | 'plan' | 'control' | 'done'> = {
  forget: () => undefined,
  open: ({ records }) => Promise.resolve(records),
  plan: (_, rest, size) => ({ ...UNGUARDED, records: rest.slice(0, size) }),
  control: () => Promise.resolve({ records: [], blames: true }),
  done: () => undefined,
}

/** A crash at a control counts as none of the record. */
function parseNote(note: string, mostCrashes: number): Omit<CrashNote, 'at'> {
  const [, kind, ...texts] = /^(in hand|control) (\d+) (\d+)(?: (\d+))?$/.exec(note) ?? []
  const [first = 0, until = 0, controls = 0] = texts.map((text: string | undefined) => Number(text ?? 0))
  if (kind === 'control') return { crashes: mostCrashes - 1, until, controls: first + 1 }
  return { crashes: first, until, controls }
}

const noteOf = ({ crashes, until, controls }: Omit<CrashNote, 'at'>): string =>
  `in hand ${crashes} ${until}${controls === 0 ? '' : ` ${controls}`}`
