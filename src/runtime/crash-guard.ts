import type { Batch, Log, LogRecord, Place } from '../ports/log.ts'

/** What to take in hand next. */
export interface CrashGuardPlan {
  readonly records: readonly LogRecord[]
  /** To be committed with the offset of the first record before it is touched; null: no need. */
  readonly note: string | null
  /** What that note took the place of. */
  readonly before: string
  /** The process crashed in this stretch: whatever is done now is to be done one by one. */
  readonly alone: boolean
  /** This one record was alone in hand at too many crashes: do not touch it again. */
  readonly setAside: boolean
}

/** What the last commit says about the one who was here before us. */
interface CrashNote {
  /** Where that commit stands. */
  readonly at: number
  /** How often the process crashed with nothing but the record at `at` in hand. */
  readonly crashes: number
  /** It crashed somewhere before this offset: go one by one up to here. 0: no crash is known of. */
  readonly until: number
}

/**
 * Finds the message that kills the process. The first part after an assignment is announced in the metadata of a
 * commit; if that note is found again, the process died in it, and the same records are taken one by one, each with
 * a note of its own. In calm times this costs one commit an assignment.
 */
export class CrashGuard {
  private readonly log: Log
  private readonly group: string
  private readonly mostCrashes: number
  private readonly calm = new Set<string>()
  private readonly stretches = new Map<string, CrashNote>()

  constructor(log: Log, group: string, mostCrashes: number) {
    this.log = log
    this.group = group
    this.mostCrashes = mostCrashes
  }

  /** Everything may have changed hands. */
  forget(): void {
    this.calm.clear()
    this.stretches.clear()
  }

  /** Looks what was committed and noted last, once an assignment; the records of the batch that are still to do. */
  async open(batch: Batch): Promise<readonly LogRecord[]> {
    const name = nameOf(batch)
    if (this.calm.has(name)) return batch.records
    const known = await this.found(batch)
    this.stretches.set(name, known)
    return batch.records.filter(({ offset }) => offset >= known.at)
  }

  plan(batch: Batch, rest: readonly LogRecord[], size: number): CrashGuardPlan {
    const found = this.stretches.get(nameOf(batch))
    const first = rest[0]
    const many = { records: rest.slice(0, size), note: null, before: '', alone: false, setAside: false }
    if (found === undefined || first === undefined) return many

    if (first.offset >= found.until) return { ...many, note: noteOf(0, (many.records.at(-1) ?? first).offset + 1) }
    const crashes = first.offset === found.at ? found.crashes : 0
    const note = noteOf(crashes + 1, found.until)
    const before = noteOf(crashes, found.until)
    return { records: [first], note, before, alone: true, setAside: crashes >= this.mostCrashes }
  }

  /** A part is done: past the dangerous stretch there is nothing more to note. */
  done(batch: Batch, next: number): void {
    const name = nameOf(batch)
    const found = this.stretches.get(name)
    if (found === undefined || next < found.until) return
    this.stretches.delete(name)
    this.calm.add(name)
  }

  /** Our own notes count no crash; but a part of another topic may have gone on here since: never note behind it. */
  private async found(batch: Batch): Promise<CrashNote> {
    const known = this.stretches.get(nameOf(batch))
    if (known === undefined) return this.look(batch)
    const at = (await this.log.committed(this.group, batch.topic))[batch.partition] ?? 0
    return at > known.at ? { at, crashes: 0, until: known.until } : known
  }

  private async look({ topic, partition }: Batch): Promise<CrashNote> {
    const at = (await this.log.committed(this.group, topic))[partition] ?? 0
    const note = (await this.log.notes(this.group, topic))[partition] ?? ''
    const [, crashes = '0', until = '0'] = /^in hand (\d+) (\d+)$/.exec(note) ?? []
    return { at, crashes: Number(crashes), until: Number(until) }
  }
}

/**
 * The note of what is in hand, as long as that might kill us: while it is decided. What has failed, or waits to be written,
 * has killed nobody; were its note to stand, a store that is away and three rebalances meanwhile would look like three deaths.
 */
export class NoteInHand {
  private readonly batch: Batch
  private readonly plan: Pick<CrashGuardPlan, 'records' | 'note' | 'before'>
  private state: 'to be made' | 'stands' | 'over' = 'to be made'

  constructor(batch: Batch, plan: Pick<CrashGuardPlan, 'records' | 'note' | 'before'>) {
    this.batch = batch
    this.plan = plan
  }

  /** Throws where the log does not take it. */
  async make(): Promise<void> {
    const { records, note } = this.plan
    const [first] = records
    if (this.state !== 'to be made' || note === null || first === undefined) return
    await this.batch.commit(first.offset, note)
    this.state = 'stands'
  }

  /** Throws as the attempt does. */
  async during<Result>(attempt: () => Promise<Result>): Promise<Result> {
    try {
      return await attempt()
    } catch (cause) {
      await this.takeBack()
      throw cause
    }
  }

  /** Where the log does not take it, the note stays: it is one word among several. */
  async takeBack(): Promise<void> {
    const [first] = this.plan.records
    if (this.state !== 'stands' || first === undefined || this.batch.isStale()) return
    await this.batch.commit(first.offset, this.plan.before).then(
      () => this.end(),
      () => undefined,
    )
  }

  /** From now on something may be written, offsets too: no commit of ours may go back behind them. */
  end(): void {
    this.state = 'over'
  }
}

/** Takes everything as it comes. */
export const unguarded: Pick<CrashGuard, 'forget' | 'open' | 'plan' | 'done'> = {
  forget: () => undefined,
  open: ({ records }) => Promise.resolve(records),
  plan: (_, rest, size) => ({ records: rest.slice(0, size), note: null, before: '', alone: false, setAside: false }),
  done: () => undefined,
}

const nameOf = ({ topic, partition }: Omit<Place, 'offset'>): string => `${topic} ${partition}`

const noteOf = (crashes: number, until: number): string => `in hand ${crashes} ${until}`
