import type { Codec, Log, LogRecord, OutRecord, TransactionalWriter } from '../../ports/log.ts'
import { sentAgain, settled, type RetriedLettersResolution } from '../../runtime/dead-letter.ts'
import { type Filter, meant } from './filter.ts'
import { look, placeName, type DeadRecord } from './letters.ts'

/** One transactional id for all: settling fences an earlier run, so that two never settle the same letter. */
const WRITER = 'dead-letters'

const MOST_LETTERS = 200
const MOST_BYTES = 4_000_000

export interface DeadSettlePorts {
  readonly log: Pick<Log, 'ends' | 'read' | 'writer'>
  readonly codec: () => Promise<Codec>
  /** Called after each transaction. */
  readonly onSettled: (letters: number) => void
  /** Fences nobody and writes nothing: only finds out what would be settled, and what cannot be. */
  readonly dryRun: boolean
}

const NOBODY: TransactionalWriter = { write: async () => undefined, close: async () => undefined }

export interface SettledLetters {
  readonly letters: readonly DeadRecord[]
  /** Places of letters that came without their bytes, and whose record is not in its topic any more: left as they are. */
  readonly gone: readonly string[]
}

/**
 * Retries or drops. The record that is sent again and the word that its letter is settled are one transaction: killed at
 * any moment and run again, every letter is settled once. Throws when the log is away, or when another run took over.
 */
export async function settle(
  ports: DeadSettlePorts,
  how: RetriedLettersResolution,
  wish: { readonly topics: readonly string[]; readonly filter: Filter },
): Promise<SettledLetters> {
  // 1. Fence an earlier run: what it had begun is decided from here on.
  const writer = ports.dryRun ? NOBODY : await ports.log.writer(WRITER)
  try {
    // 2. Only now look what is settled.
    const looked = await look(ports.log, wish.topics)

    // 3. Send again and settle, some at a time.
    const run = new DeadRun({ ...ports, writer }, how)
    const all = { ...wish.filter, withSettled: false, limit: Infinity }
    for await (const letter of meant(ports, looked, all)) {
      if (run.taken >= wish.filter.limit) break // of those that can be settled: others must not stand in their way
      await run.take(letter)
    }
    await run.flush()
    return run
  } finally {
    await writer.close()
  }
}

interface RunPorts extends DeadSettlePorts {
  readonly writer: TransactionalWriter
}

class DeadRun implements SettledLetters {
  readonly letters: DeadRecord[] = []
  readonly gone: string[] = []
  private readonly ports: RunPorts
  private readonly how: RetriedLettersResolution
  private inHand: DeadRecord[] = []
  private records: OutRecord[] = []
  private bytes = 0

  constructor(ports: RunPorts, how: RetriedLettersResolution) {
    this.ports = ports
    this.how = how
  }

  /** Letters that are settled, or will be with the next transaction. */
  get taken(): number {
    return this.letters.length + this.inHand.length
  }

  async take(letter: DeadRecord): Promise<void> {
    const again = this.how === 'dropped' ? [] : await this.again(letter)
    if (again === null) {
      this.gone.push(placeName(letter.record))
      return
    }
    this.inHand.push(letter)
    this.records.push(...again, settled(letter.record, this.how))
    this.bytes += [letter.record, ...again].reduce((sum, { value }) => sum + (value?.length ?? 0), 0)
    if (this.inHand.length >= MOST_LETTERS || this.bytes >= MOST_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.records.length === 0) return
    await this.ports.writer.write(this.records, { group: WRITER, next: [] })
    // bytes are not kept: there may be any number of letters
    this.letters.push(...this.inHand.map((one) => ({ ...one, record: { ...one.record, value: null } })))
    this.inHand = []
    this.records = []
    this.bytes = 0
    this.ports.onSettled(this.letters.length)
  }

  private async again({ record, original, reason }: DeadRecord): Promise<readonly OutRecord[] | null> {
    const isShort = record.value === null && reason === 'too_large'
    const whole = isShort ? await this.originalOf(original) : record
    return whole === null ? null : [sentAgain(record, original, whole)]
  }

  /** A record that was too large for its dead letter, if its topic still has it. */
  private async originalOf({ topic, partition, offset }: DeadRecord['original']): Promise<LogRecord | null> {
    for await (const records of this.ports.log.read(topic, partition, offset)) {
      return records.find((record) => record.offset === offset) ?? null
    }
    return null
  }
}
