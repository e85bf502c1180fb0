import { storiesEnriched } from '../../events/discourse.ts'
import type { Codec, Log, LogRecord, OutRecord, Place, TransactionalWriter } from '../../ports/log.ts'
import { routingKeys } from '../grow/routes.ts'
import {
  originalNow,
  retriedRecord,
  resolutionRecord,
  type RetriedLettersResolution,
} from '../../runtime/dead-letter.ts'
import { type Filter, selectLetters } from './filter.ts'
import { readResolutions, positionName, type DeadRecord } from './letters.ts'

/** All runs share one transactional id: a new run fences an earlier one, so that each letter is resolved once. */
const WRITER = 'dead-letters'

const MAX_LETTERS = 200
const MAX_BYTES = 4_000_000

export interface DeadSettlePorts {
  readonly log: Pick<Log, 'ends' | 'read' | 'writer' | 'partitionOf'>
  readonly codec: () => Promise<Codec>
  /** Called after each transaction. */
  readonly onSettled: (letters: number) => void
  /** Fences no other run and writes nothing: only reports what would be resolved, and what cannot be. */
  readonly dryRun: boolean
}

const NO_WRITER: TransactionalWriter = { write: async () => undefined, close: async () => undefined }

export interface SettledLetters {
  readonly letters: readonly DeadRecord[]
  /** Positions of letters without a value whose original record is no longer in its topic; they stay unresolved. */
  readonly gone: readonly string[]
}

/**
 * Retries or drops letters. The resent record and the resolution of its letter are written in one transaction: a run
 * can be killed at any time and repeated, and each letter is resolved once. Throws if the log is unavailable or another
 * run has taken over.
 */
export async function settle(
  ports: DeadSettlePorts,
  how: RetriedLettersResolution,
  selection: { readonly topics: readonly string[]; readonly filter: Filter },
): Promise<SettledLetters> {
  // 1. Fence an earlier run: from here on, its transactions are either committed or aborted.
  const writer = ports.dryRun ? NO_WRITER : await ports.log.writer(WRITER)
  try {
    // 2. Only then read which letters are already resolved.
    const found = await readResolutions(ports.log, selection.topics)

    // 3. Resend and resolve in batches.
    const run = new DeadRun({ ...ports, writer }, how)
    const all = { ...selection.filter, withResolved: false, limit: Infinity }
    for await (const letter of selectLetters(ports, found, all)) {
      if (run.taken >= selection.filter.limit) break // counts only letters that can be resolved
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
  private batch: DeadRecord[] = []
  private records: OutRecord[] = []
  private bytes = 0

  constructor(ports: RunPorts, how: RetriedLettersResolution) {
    this.ports = ports
    this.how = how
  }

  /** Number of letters that are resolved or will be with the next transaction. */
  get taken(): number {
    return this.letters.length + this.batch.length
  }

  async take(letter: DeadRecord): Promise<void> {
    const resent = this.how === 'dropped' ? [] : await this.resent(letter)
    if (resent === null) {
      this.gone.push(positionName(letter.record))
      return
    }
    this.batch.push(letter)
    this.records.push(...resent, resolutionRecord(letter.record, this.how))
    this.bytes += [letter.record, ...resent].reduce((sum, { value }) => sum + (value?.length ?? 0), 0)
    if (this.batch.length >= MAX_LETTERS || this.bytes >= MAX_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.records.length === 0) return
    await this.ports.writer.write(this.records, { group: WRITER, next: [] })
    // values are dropped: the number of letters is unbounded
    this.letters.push(...this.batch.map((one) => ({ ...one, record: { ...one.record, value: null } })))
    this.batch = []
    this.records = []
    this.bytes = 0
    this.ports.onSettled(this.letters.length)
  }

  private async resent({ record, original, reason }: DeadRecord): Promise<readonly OutRecord[] | null> {
    const isWithoutValue = record.value === null && reason === 'too_large'
    const whole = isWithoutValue ? await this.originalOf(originalNow(record, original)) : record
    return whole === null ? null : [retriedRecord(record, await this.placeNow(record, original, whole), whole)]
  }

  /** `stories.enriched` is partitioned by namespace, its dead letters by their keys: the number may have grown since. */
  private async placeNow(letter: LogRecord, original: Place, { key, value }: Pick<LogRecord, 'key' | 'value'>) {
    const { topic } = original
    if (topic !== storiesEnriched.name) return originalNow(letter, original)
    const [namespace] = (await routingKeys({ topic, key, value }, await this.ports.codec())) ?? []
    if (namespace === undefined) return original
    return { topic, partition: this.ports.log.partitionOf(namespace, (await this.ports.log.ends(topic)).length) }
  }

  /** The original of a record that was too large for its dead letter, if its topic still has it. */
  private async originalOf({ topic, partition, offset }: DeadRecord['original']): Promise<LogRecord | null> {
    for await (const records of this.ports.log.read(topic, partition, offset)) {
      return records.find((record) => record.offset === offset) ?? null
    }
    return null
  }
}
