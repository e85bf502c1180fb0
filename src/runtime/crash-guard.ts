import type { Batch, Log, LogRecord, Place } from '../ports/log.ts'

/** What to take in hand next. */
export interface Plan {
  readonly records: readonly LogRecord[]
  /** To be committed with the offset of the first record before it is touched; null: no need. */
  readonly note: string | null
  /** This one record was alone in hand at too many crashes: do not touch it again. */
  readonly setAside: boolean
}

/** What the last commit says about the one who was here before us. */
interface Found {
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
  private readonly found = new Map<string, Found>()

  constructor(log: Log, group: string, mostCrashes: number) {
    this.log = log
    this.group = group
    this.mostCrashes = mostCrashes
  }

  /** Everything may have changed hands. */
  forget(): void {
    this.calm.clear()
    this.found.clear()
  }

  /** Looks what was committed and noted last, once an assignment; the records of the batch that are still to do. */
  async open(batch: Batch): Promise<readonly LogRecord[]> {
    const name = nameOf(batch)
    if (this.calm.has(name)) return batch.records
    const known = this.found.get(name) ?? (await this.look(batch))
    this.found.set(name, known)
    return batch.records.filter(({ offset }) => offset >= known.at)
  }

  plan(batch: Batch, rest: readonly LogRecord[], size: number): Plan {
    const found = this.found.get(nameOf(batch))
    const first = rest[0]
    if (found === undefined || first === undefined) return { records: rest.slice(0, size), note: null, setAside: false }

    if (first.offset >= found.until) {
      const records = rest.slice(0, size)
      return { records, note: noteOf(0, (records.at(-1) ?? first).offset + 1), setAside: false }
    }
    const crashes = first.offset === found.at ? found.crashes : 0
    return { records: [first], note: noteOf(crashes + 1, found.until), setAside: crashes >= this.mostCrashes }
  }

  /** A part is done: past the dangerous stretch there is nothing more to note. */
  done(batch: Batch, next: number): void {
    const name = nameOf(batch)
    const found = this.found.get(name)
    if (found === undefined || next < found.until) return
    this.found.delete(name)
    this.calm.add(name)
  }

  private async look({ topic, partition }: Batch): Promise<Found> {
    const at = (await this.log.committed(this.group, topic))[partition] ?? 0
    const note = (await this.log.notes(this.group, topic))[partition] ?? ''
    const [, crashes = '0', until = '0'] = /^in hand (\d+) (\d+)$/.exec(note) ?? []
    return { at, crashes: Number(crashes), until: Number(until) }
  }
}

const nameOf = ({ topic, partition }: Omit<Place, 'offset'>): string => `${topic} ${partition}`

const noteOf = (crashes: number, until: number): string => `in hand ${crashes} ${until}`
